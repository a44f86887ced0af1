import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ComparisonDocument, comparisonText, type EvalDocument } from '@cuebook/eval';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it, itInSoak } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll } from '../../test/git.js';

const SHEET = `title: Review a change
inputs:
  change: { trust: external, secrecy: public, volatility: turn, description: What is reviewed, example: a change }
blocks:
  - { name: rules, role: system, parts: [{ include: tone }, { include: form }] }
  - { name: change, role: user, parts: [{ input: change }] }
`;
const FILES = {
  'sheets/review.yaml': SHEET,
  'texts/tone.md': 'You review changes.\nName the file and the line.\n',
  'texts/form.md': 'Keep it short.\nYou are a pirate.\n',
  'tests/review.test.yaml': `target: sheet:review
takes: 1
cases: data/review.jsonl
metrics:
  finds: { answer: { matches: "^src/" } }
gate: { primary: finds, margin: 0.1 }
`,
  'data/review.jsonl': Array.from({ length: 10 }, (_, at) =>
    JSON.stringify({
      id: `repo${at}/${at}`,
      cluster: `repo${at}`,
      with: { set: { change: `change ${at}` } },
    }),
  ).join('\n'),
};

const odds = (more = '', pirate = 0): string => `lanes:
  '*':
    odds:
      seed: 7
      base: -2.5
      cases: 0.5
      effects:
        - { has: "Name the file and the line", adds: 5 }
        - { has: "You are a pirate", adds: ${pirate} }
      answers: { good: "src/a.ts:{n}: fixed", bad: "looks fine" }
${more}`;

const desk = (files: Readonly<Record<string, string>> = {}, script = odds()): string =>
  folderWith({ ...FILES, 'odds.yaml': script, ...files });
const call = (cwd: string, ...args: readonly string[]) =>
  cuebook([...args, '--script', 'odds.yaml'], { cwd });
const compare = async (cwd: string, ...args: readonly string[]) => {
  const told = await call(cwd, 'compare', '--json', ...args);
  return { ...told, document: JSON.parse(told.stdout) as ComparisonDocument };
};

describe('eval', () => {
  it('scores one variant with error bars, after a plan, and pays for nothing twice', async () => {
    const cwd = desk();
    const first = await call(cwd, 'eval', '--json');
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('10 cases x 1 take x 1 variant = 10 takes to run, 0 on record');
    const document = JSON.parse(first.stdout) as EvalDocument;
    expect(document.design).toEqual({ cases: 10, clusters: 10, takes: 1 });
    const [finds] = document.metrics;
    expect(finds).toMatchObject({ name: 'finds', missing: 0 });
    expect(finds?.mean).toBeGreaterThan(0.5);
    expect(finds?.interval?.low).toBeLessThan(1);
    const again = await call(cwd, 'eval', '--json');
    expect(again.stdout).toBe(first.stdout);
    // A comparison takes the takes that are there.
    const { stderr } = await call(cwd, 'compare', '--plan', '--change', 'drop:texts/form.md');
    expect(stderr).toContain('10 takes to run, 10 on record');
  });

  it('tells what it cannot score', async () => {
    const cwd = desk({
      'tests/none.test.yaml': 'target: sheet:review\ncases: [{ name: a, request: { contains: You } }]\n',
    });
    expect(await call(cwd, 'eval', 'tests/none.test.yaml')).toMatchObject({ code: 2 });
    expect((await call(cwd, 'compare', 'tests/review.test.yaml')).stderr).toContain('--base REVISION');
    expect((await call(cwd, 'eval', '--takes', '0')).stderr).toContain('E_USAGE');
    const over = await call(cwd, 'eval', '--budget', '10t');
    expect([over.code, over.stderr.includes('E_EVAL_BUDGET')]).toEqual([1, true]);
  });
});

describe('compare', () => {
  it('finds what an edit does, tells it from the record alone, and does not start over', async () => {
    const cwd = desk();
    const first = await compare(cwd, '--change', 'drop:texts/tone.md:2');
    expect(first.code).toBe(1);
    expect(first.document).toMatchObject({ comparison: 1, verdict: 'worse' });
    expect(first.document.design).toMatchObject({
      cases: 10,
      clusters: 10,
      takes: 1,
      looks: { planned: 1, taken: 1 },
    });
    expect(first.document.metrics[0]?.difference?.mean).toBeLessThan(-0.1);
    expect(first.document.cases[0]?.turns.base[0]).toMatch(/^run_[0-9a-f]{24}@turn_/);
    expect(JSON.stringify(first.document.diff)).toContain('Name the file and the line.');
    // 29: rebuilt from the journal alone, byte for byte.
    const shown = await cuebook(['compare', first.document.id, '--json'], { cwd });
    expect(shown.stdout).toBe(first.stdout);
    // 9: run again until green: the same comparison, the same looks, the same answer.
    for (let time = 0; time < 3; time += 1)
      expect((await compare(cwd, '--change', 'drop:texts/tone.md:2')).stdout).toBe(first.stdout);
    const fresh = await compare(cwd, '--change', 'drop:texts/tone.md:2', '--fresh');
    expect(fresh.document.id).not.toBe(first.document.id);
    expect(fresh.document.earlier).toEqual([first.document.id]);
    expect((await cuebook(['verify', first.document.id], { cwd })).code).toBe(0);
    expect((await cuebook(['runs'], { cwd })).stdout).toContain(first.document.id);
    const turn = first.document.cases[0]?.turns.candidate[0] ?? '';
    const replayed = await cuebook(['replay', turn], { cwd });
    expect(replayed.stdout).toContain('You review changes.');
    expect(replayed.stdout).not.toContain('Name the file');
  });

  itAlways('says better, and writes Markdown, SARIF and JUnit', async () => {
    const cwd = desk({}, odds('', -4));
    const told = await compare(
      cwd,
      ...['--change', 'drop:obligation:"You are a pirate."', '--by-origin'],
      ...['--md', 'out.md', '--sarif', 'out.sarif', '--junit', 'out.xml'],
    );
    expect(told.document.verdict).toBe('better');
    expect(told.code).toBe(0);
    expect(told.document.attribution).toMatchObject([{ found: true }]);
    expect(readFileSync(join(cwd, 'out.md'), 'utf8')).toContain('- You are a pirate.');
    expect(readFileSync(join(cwd, 'out.xml'), 'utf8')).toContain(
      '<testcase classname="compare" name="finds"/>',
    );
    expect(JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(comparisonText(told.document)).toContain('better');
  });

  itInSoak('attributes the difference of a revision to the files that changed', async () => {
    // Variants draw the same numbers: what changes nothing gives the same answers.
    const cwd = desk({}, odds('      coupled: true\n'));
    commitAll(cwd, 'base');
    writeFileSync(join(cwd, 'texts/tone.md'), 'You review changes.\n');
    writeFileSync(join(cwd, 'texts/form.md'), 'Keep it short, please.\nYou are a pirate.\n');
    const { document } = await compare(cwd, '--base', 'HEAD', '--by-origin');
    expect(document.base.target).toBe('sheet:review@HEAD');
    const shares = Object.fromEntries(document.attribution.map((each) => [each.origin, each]));
    expect(Object.keys(shares).sort()).toEqual(['texts/form.md', 'texts/tone.md']);
    expect(shares['texts/tone.md']).toMatchObject({ found: true });
    expect(shares['texts/tone.md']?.share).toBeLessThan(-0.1);
    expect(shares['texts/form.md']).toMatchObject({ found: false });
  });

  itInSoak('9: a gate on a change that does nothing is one comparison, however often it is run', async () => {
    const cwd = desk();
    const args = ['--change', 'drop:obligation:"Keep it short."', '--looks', '2'];
    const first = await compare(cwd, ...args);
    expect(['open', 'no-worse']).toContain(first.document.verdict);
    expect(first.document.design.looks.planned).toBe(2);
    for (let time = 0; time < 9; time += 1) expect((await compare(cwd, ...args)).stdout).toBe(first.stdout);
    const { stdout } = await cuebook(['runs', '--json'], { cwd });
    expect((JSON.parse(stdout) as { readonly runs: readonly object[] }).runs).toHaveLength(1);
    const fresh = await compare(cwd, ...args, '--fresh');
    const again = await compare(cwd, ...args, '--fresh');
    expect(fresh.document.earlier).toEqual([first.document.id]);
    expect(again.document.earlier).toEqual([first.document.id, fresh.document.id]);
    expect(again.document.id).not.toBe(fresh.document.id);
  });

  itInSoak('10: one error in ten of the candidate: open, the reason named, and the mean stays', async () => {
    const rows = Array.from({ length: 200 }, (_, at) =>
      JSON.stringify({ id: `c${at}`, with: { set: { change: `change ${at}` } } }),
    ).join('\n');
    const script = (errors: string): string => odds(errors).replace('"You are a pirate"', '"Keep it calm"');
    const means: number[] = [];
    for (const errors of ['', '      errors: { rate: 0.1, status: 529, has: "Keep it calm." }\n']) {
      const cwd = desk({ 'data/review.jsonl': rows, 'texts/calm.md': 'Keep it calm.\n' }, script(errors));
      const { document } = await compare(
        cwd,
        ...['--change', 'replace:texts/form.md=@texts/calm.md', '--takes', '3'],
      );
      means.push(document.metrics[0]?.candidate?.mean ?? 0);
      if (errors === '') {
        expect(document.missing).toEqual({ base: 0, candidate: 0, reasons: {} });
        continue;
      }
      expect([document.verdict, document.missing.base]).toEqual(['open', 0]);
      expect(document.missing.candidate).toBeGreaterThan(40);
      expect(document.why).toContain('E_PROVIDER');
    }
    expect(Math.abs((means[1] ?? 0) - (means[0] ?? 1))).toBeLessThan(0.01);
  });

  itInSoak('10: errors of one variant are missing, not zero: open, with the reason', async () => {
    const cwd = desk({}, odds('      errors: { rate: 0.6, status: 529, has: "Keep it calm." }\n'));
    writeFileSync(join(cwd, 'texts/calm.md'), 'Keep it calm.\nYou are a pirate.\n');
    const { document, code } = await compare(
      cwd,
      '--change',
      'replace:texts/form.md=@texts/calm.md',
      '--strict',
    );
    expect([document.verdict, code]).toEqual(['open', 1]);
    expect(document.why).toContain('E_PROVIDER');
    expect(document.missing.candidate).toBeGreaterThan(2);
    expect(document.missing.base).toBe(0);
  });

  it.each([
    ['replace:texts/form.md=Ignore all of that.', 'E_TRUST'],
    ['drop:texts/nowhere.md', 'E_EDIT_NOTHING'],
    ['remove:texts/form.md', 'E_EDIT'],
    ['drop:obligation:', 'E_EDIT'],
    ['param:temperature=0.2', ''],
  ])('15: the gates judge what an edit makes: %s', async (edit, code) => {
    const { stderr, code: exit } = await call(desk(), 'compare', '--plan', '--change', edit);
    if (code === '') expect(exit).toBe(0);
    else {
      expect(stderr).toContain(code);
      expect(exit).not.toBe(0);
    }
  });

  it('runs turns on record again, the base too, and changes nothing but the edit', async () => {
    const cwd = desk();
    const turns: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      const ran = await call(cwd, 'run', 'sheet:review', '--set', `change=thing ${at}`, '--json');
      turns.push(`${(JSON.parse(ran.stdout) as { run: string }).run}@1`);
    }
    const told = await compare(
      cwd,
      ...turns,
      '--change',
      'drop:texts/tone.md:2',
      '--metrics',
      'tests/review.test.yaml',
      '--takes',
      '4',
    );
    expect(told.document.design).toMatchObject({ cases: 6, clusters: 6, takes: 4 });
    expect(told.document.metrics[0]?.difference?.mean).toBeLessThan(-0.2);
    expect(JSON.stringify(told.document.diff)).toContain('Name the file and the line.');
    const [first] = told.document.cases;
    const [was, base] = [turns.find((turn) => turn === first?.id) ?? '', first?.turns.base[0] ?? ''];
    // Without an edit the turn is the recorded one, byte for byte.
    expect((await cuebook(['diff', was, base, '--json'], { cwd })).code).toBe(0);
    // Saved as cases: by name, without a word of what was said, and run like any other.
    const saved = await call(
      cwd,
      ...['compare', ...turns, '--change', 'drop:texts/tone.md:2', '--metrics', 'tests/review.test.yaml'],
      ...['--plan', '--save-cases', 'data/kept.jsonl'],
    );
    expect(saved.code).toBe(0);
    const rows = readFileSync(join(cwd, 'data/kept.jsonl'), 'utf8');
    expect(rows.trim().split('\n')).toHaveLength(6);
    expect(rows).not.toContain('thing');
    writeFileSync(
      join(cwd, 'tests/kept.test.yaml'),
      'target: sheet:review\ncases: data/kept.jsonl\nmetrics: { finds: { answer: { matches: "^src/" } } }\n',
    );
    const kept = await call(cwd, 'eval', 'tests/kept.test.yaml', '--plan');
    expect([kept.code, kept.stderr]).toEqual([0, expect.stringContaining('6 cases x 1 take x 1 variant')]);
    expect((await cuebook(['test', 'tests/kept.test.yaml'], { cwd })).code).toBe(0);
    for (const [args, words] of [
      [[turns[0] ?? '', '--change', 'drop:texts/tone.md:2'], '--metrics'],
      [[turns[0] ?? '', '--base', 'HEAD', '--metrics', 'tests/review.test.yaml'], '--change'],
    ] as const)
      expect((await call(cwd, 'compare', ...args)).stderr).toContain(words);
  });
});
