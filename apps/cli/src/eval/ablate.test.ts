import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AblationDocument } from '@cuebook/eval';
import { openStore } from '@cuebook/journal';
import { describe, expect, it } from 'vitest';
import { itInSoak, itInTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { sha256 } from '../project/hash.js';
import { stepDocument } from './step-document.js';
import { stepRun } from './step-run.js';

const FILES = {
  'sheets/review.yaml': `title: Review a change
inputs:
  change: { trust: external, secrecy: public, volatility: turn, description: What is reviewed, example: a change }
blocks:
  - { name: rules, role: system, parts: [{ include: tone }, { include: form }] }
  - { name: change, role: user, parts: [{ input: change }] }
`,
  'texts/tone.md': '# Reviews\n\n- Name the file and the line.\n- Ask before deleting things.\n',
  'texts/form.md': 'Be brief in every remark.\nKeep every remark short.\n',
  'tests/review.test.yaml': `target: sheet:review
cases: data/review.jsonl
metrics:
  finds: { answer: { matches: "^src/ file" } }
gate: { primary: finds, margin: 0.4 }
`,
};
const rows = (count: number): string =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ id: `c${at}`, with: { set: { change: `remark ${at}` } } }),
  ).join('\n');
const ODDS = `lanes:
  '*':
    odds:
      seed: 3
      base: -24
      coupled: true
      effects:
        - { has: "Name the file and the line", adds: 16 }
        - { has: "Write in verse", adds: -16 }
        - { any: ["Be brief", "Keep every remark short"], adds: 16 }
        - { has: "Ask before deleting", adds: 4, when: { input: "deleting" } }
      answers: { good: "src/ file", bad: "looks fine" }
`;
const desk = (count = 6, files: Readonly<Record<string, string>> = {}): string =>
  folderWith({ ...FILES, 'data/review.jsonl': rows(count), 'odds.yaml': ODDS, ...files });
const ablate = async (cwd: string, ...args: readonly string[]) => {
  const told = await cuebook(['ablate', '--json', '--script', 'odds.yaml', ...args], { cwd });
  if (told.stdout === '') throw new Error(told.stderr);
  return { ...told, document: JSON.parse(told.stdout) as AblationDocument };
};
const by = ({ units }: AblationDocument, text: string) => units.find((unit) => unit.text.includes(text));

describe('ablate', () => {
  itInSoak('finds what harms', async () => {
    const cwd = desk(8, { 'texts/form.md': 'Write in verse, matey.\nBe brief in every remark.\n' });
    const { document } = await ablate(cwd, '--units', 'part');
    expect(by(document, 'verse')).toMatchObject({ verdict: 'harms', line: 1 });
  });

  itInTurn(
    'tells what each unit does, names words that stand in for each other, and pays for nothing twice',
    async () => {
      const cwd = desk();
      const first = await ablate(cwd, '--units', 'part', '--sarif', 'out.sarif');
      expect(first.code).toBe(0);
      expect(first.stderr).toMatch(/plan: 4 units, 6 cases x 1 take x 5 variants = 30 takes to run/);
      expect(first.stderr).toMatch(/plan: can see what a unit adds from \.\d+ on/);
      const { document } = first;
      expect(document.units.map(({ edit }) => edit)).toEqual([
        'drop:texts/tone.md:3',
        'drop:texts/tone.md:4',
        'drop:texts/form.md:1',
        'drop:texts/form.md:2',
      ]);
      expect(by(document, 'Name the file')).toMatchObject({
        verdict: 'helps',
        file: 'texts/tone.md',
        line: 3,
      });
      // 22: a rule for what no case is about is not called dead.
      expect(by(document, 'deleting')).toMatchObject({ verdict: 'not exercised', sensors: [] });
      // 20: left out one by one both look dead; together they do not, and the pair is named.
      expect(by(document, 'Be brief')).toMatchObject({ verdict: 'within' });
      expect(by(document, 'Keep every')).toMatchObject({ verdict: 'within' });
      expect(document.joint).toMatchObject({ isSafe: false });
      expect(document.pairs.map(({ units }) => units)).toEqual([
        ['drop:texts/form.md:1', 'drop:texts/form.md:2'],
      ]);
      expect(JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8')).runs[0].results).toHaveLength(1);
      // From the record alone, byte for byte; and again without a take.
      expect((await cuebook(['ablate', document.id, '--json'], { cwd })).stdout).toBe(first.stdout);
      expect((await ablate(cwd, '--units', 'part')).stdout).toBe(first.stdout);
      const text = await cuebook(['ablate', document.id], { cwd });
      expect(text.stdout).toContain(
        'one stands in for the other: drop:texts/form.md:1 and drop:texts/form.md:2',
      );
      expect(text.stdout).toContain('within .400 on 6 cases');
      // A later step is a run of its own, which names the one that it belongs to.
      const step = stepRun(sha256, document.id, 'joint');
      const shown = await cuebook(['ablate', step], { cwd });
      expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining(`is a step of ${document.id}`)]);
      const opened = await openStore({ file: join(cwd, '.cuebook', 'journal.db') });
      if (!opened.ok) throw new Error(opened.error.code);
      const told = await stepDocument(opened.value, step);
      await opened.value.close();
      expect(told).toMatchObject({ what: 'ablate', of: document.id, name: 'joint', metric: 'finds' });
      expect(told?.variants).toEqual([
        { name: 'base', edits: [] },
        { name: 'set-0', edits: document.joint?.units },
      ]);
      expect(told?.takes).toHaveLength(12);
      expect(told?.takes.every(({ score, turn }) => score !== null && turn !== null)).toBe(true);
    },
  );

  itInSoak(
    '22: a rule for a rare case is not exercised without such a case; with five, they are its sensors',
    async () => {
      const script = `lanes:
  '*':
    odds:
      seed: 3
      base: 9
      coupled: true
      effects:
        - { has: "Reviews", adds: -18, when: { input: "deleting" } }
        - { has: "Ask before deleting", adds: 18, when: { input: "deleting" } }
      answers: { good: "src/ file", bad: "looks fine" }
`;
      const list = (rare: number): string =>
        Array.from({ length: 20 }, (_, at) =>
          JSON.stringify({
            id: `c${at}`,
            with: { set: { change: at < rare ? `deleting table ${at}` : `remark ${at}` } },
          }),
        ).join('\n');
      const found = async (rare: number) => {
        const cwd = desk(2, { 'data/review.jsonl': list(rare), 'odds.yaml': script });
        return by((await ablate(cwd, '--units', 'part')).document, 'deleting');
      };
      expect(await found(0)).toMatchObject({ verdict: 'not exercised', sensors: [] });
      const five = await found(5);
      expect(five?.verdict).not.toBe('not exercised');
      expect([...(five?.sensors ?? [])].sort()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    },
  );

  it('leaves out obligations by default, and writes which cases notice them', async () => {
    const cwd = desk(2, { 'sensors/keep.txt': '' });
    const { document } = await ablate(cwd, '--save-sensors', 'sensors/review.json');
    expect(document.design.kind).toBe('obligation');
    expect(document.units.map(({ edit }) => edit)).toContain('drop:obligation:"Name the file and the line."');
    const saved = JSON.parse(readFileSync(join(cwd, 'sensors/review.json'), 'utf8'));
    expect(saved).toMatchObject({ sensors: 1, target: 'sheet:review', run: document.id });
    expect(Object.keys(saved.obligations)).toEqual(document.units.map(({ text }) => text));
  });

  it.each([
    [['--units', 'words'], 'E_USAGE'],
    [['--design', 'all'], 'E_USAGE'],
    [['--budget', '10t'], 'E_EVAL_BUDGET'],
    [['run_000000000000000000000000'], 'E_RUN_UNKNOWN'],
  ])('refuses %j', async (args, code) => {
    const told = await cuebook(['ablate', '--script', 'odds.yaml', ...args], { cwd: desk(2) });
    expect(told.stderr).toContain(code);
    expect(told.code).not.toBe(0);
  });

  it('a prompt without a unit says so', async () => {
    const cwd = desk(2, { 'texts/tone.md': 'This is a review.\n', 'texts/form.md': 'It is short.\n' });
    const told = await cuebook(['ablate', '--script', 'odds.yaml'], { cwd });
    expect(told.stderr).toContain('E_ABLATE_NONE');
  });

  itInSoak('fits random subsets where there are many units', async () => {
    const cwd = desk(40, {
      'texts/form.md': 'Write in verse, matey.\nBe brief in every remark.\nKeep every remark short.\n',
    });
    const { document, stderr } = await ablate(cwd, '--units', 'part', '--design', 'subsets', '--takes', '8');
    expect(stderr).toContain('40 cases x 8 takes x random subsets = 320 takes');
    expect(document.design.design).toBe('subsets');
    expect(by(document, 'verse')?.adds).toBeLessThan(-0.2);
    expect(by(document, 'Name the file')?.adds).toBeGreaterThan(0);
  });
});
