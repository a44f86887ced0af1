import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';
import { sha256 } from '../../project/hash.js';

const TONE = 'You answer mails.\nNever promise a refund.\n';
const FILES = {
  'sheets/mail.yaml': `title: Answer a mail
inputs:
  mail: { trust: external, secrecy: public, volatility: turn, description: What came in, example: Hello }
blocks:
  - { name: rules, role: system, parts: [{ include: tone }, { include: form }] }
  - { name: mail, role: user, parts: [{ input: mail }] }
`,
  'texts/tone.md': TONE,
  'texts/form.md': 'Write in English.\n',
  'tests/mail.test.yaml': `target: sheet:mail
cases: data/mails.jsonl
metrics: { names: { answer: { matches: "^Order" } } }
`,
  'data/mails.jsonl': Array.from({ length: 16 }, (_, at) =>
    JSON.stringify({ id: `c${at}`, with: { set: { mail: `mail about parcel ZX${1000 + at}` } } }),
  ).join('\n'),
  'tune/mail.yaml': `cases: tests/mail.test.yaml
tunable: [texts/tone.md]
tokens: { max: 80 }
held: 0.5
candidates: 6
proposer: { model: sim-proposer }
`,
};
const step = (file: string, text: string) => ({
  text: JSON.stringify({ file, text, why: 'It names the order.' }),
});
const script = (proposals: readonly object[]): string =>
  JSON.stringify({
    lanes: {
      'sim-proposer': proposals,
      '*': {
        odds: {
          ...{ seed: 5, base: -9, effects: [{ has: 'Name the order.', adds: 18 }] },
          answers: { good: 'Order 12.', bad: 'Hello.' },
        },
      },
    },
  });
/** The cases that decide, as the command splits them. */
const drawn = (cluster: string): number =>
  Number.parseInt(sha256(JSON.stringify(['held', 'sheet:mail', cluster])).slice(7, 19), 16) / 2 ** 48;
const HELD = Array.from({ length: 16 }, (_, at) => at).filter((at) => drawn(`c${at}`) < 0.5);
const WORK = Array.from({ length: 16 }, (_, at) => at).find((at) => !HELD.includes(at)) ?? 0;
const PROPOSALS = [
  step('texts/tone.md', `${TONE}Name the order.\n`),
  step('texts/tone.md', 'You answer mails.\nName the order.\n'),
  step('texts/form.md', 'Write in German.\n'),
  step('texts/tone.md', `${TONE}Name the order. Say where parcel ZX${1000 + WORK} is.\n`),
  step('texts/tone.md', `${TONE}Name the order.\n${'Be kind. '.repeat(80)}\n`),
  { text: 'I have no idea.' },
];
const desk = (proposals: readonly object[] = PROPOSALS): string =>
  folderWith({ ...FILES, 'odds.json': script(proposals) });
const tune = async (cwd: string, ...args: readonly string[]) =>
  cuebook(['tune', 'tune/mail.yaml', '--script', 'odds.json', ...args], { cwd });

describe('tune', () => {
  itAlways(
    'finds the proposal that is better on the held part, refuses the cheats, and answers with a patch',
    async () => {
      const cwd = desk();
      const told = await tune(cwd, '--json', '--patch', 'better.patch');
      expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('plan: 6 candidates')]);
      expect(told.stderr).toContain('plan: the held part can see a difference of');
      const outcome = JSON.parse(told.stdout);
      expect(outcome).toMatchObject({
        proposals: 5,
        searchGain: 1,
        held: { verdict: 'better', gain: 1, decisions: 1 },
      });
      const codes = outcome.refused.map(({ problems }: { problems: { code: string }[] }) =>
        problems.map(({ code }) => code),
      );
      expect(codes.sort()).toEqual([
        ['E_TUNE_COPY'],
        ['E_TUNE_OBLIGATION'],
        ['E_TUNE_SCOPE'],
        ['E_TUNE_TOKENS'],
      ]);
      // Nothing is written but the patch, and the patch is one.
      expect(readFileSync(join(cwd, 'texts/tone.md'), 'utf8')).toBe(TONE);
      execFileSync('git', ['apply', 'better.patch'], { cwd });
      expect(readFileSync(join(cwd, 'texts/tone.md'), 'utf8')).toBe(`${TONE}Name the order.\n`);
      // 27: no held case is in what the proposer was told, nor in any run before the decision.
      const runs = JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout) as {
        runs: { run: string }[];
      };
      const holds = async (run: string): Promise<number> => {
        const { stdout } = await cuebook(['runs', 'export', run], { cwd });
        expect(stdout).toContain(run);
        return HELD.filter((at) => stdout.includes(`ZX${1000 + at}`)).length;
      };
      expect(HELD.length).toBeGreaterThanOrEqual(5);
      expect(await holds(outcome.held.run)).toBe(HELD.length);
      const others = runs.runs.filter(({ run }) => run !== outcome.held.run);
      expect(others.length).toBeGreaterThanOrEqual(3);
      for (const { run } of others) expect(await holds(run)).toBe(0);
    },
  );

  it('27: another decision of the same held part is counted, the same one is not', async () => {
    const cwd = desk(
      [step('texts/tone.md', `${TONE}Name the order.\n`)].concat(Array(5).fill({ text: 'none' })),
    );
    writeFileSync(join(cwd, 'texts/tone.md'), TONE);
    const first = await tune(cwd);
    expect(first.stdout).toContain('1st decision of this part');
    // 24: what the search reports is called by its name.
    expect(first.stdout).toContain('(search gain, overstated)');
    expect((await tune(cwd)).stdout).toContain('1st decision of this part');
    writeFileSync(
      join(cwd, 'odds.json'),
      script([step('texts/tone.md', `${TONE}Be kind.\n`)].concat(Array(5).fill({ text: 'none' }))),
    );
    const second = await tune(cwd);
    expect(second.stdout).toContain('2nd decision of this part');
    expect([second.code, second.stdout]).toEqual([1, expect.stringContaining('Nothing better was found')]);
  });

  it.each([
    [['tune', 'tune/none.yaml'], 'E_TUNE_FILE'],
    [['tune', 'texts/tone.md'], 'E_TUNE_FILE'],
  ])('refuses %j', async (args, code) => {
    const told = await cuebook([...args], { cwd: desk() });
    expect(told.stderr).toContain(code);
    expect(told.code).not.toBe(0);
  });
});
