import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ComparisonDocument, comparisonText } from '@cuebook/eval';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type ModelServer,
  type ScriptedStep,
  startModelServer,
} from '../../../../test/model-server/index.js';
import { itInTurn as it, sampled } from '../../../../test/runs.js';
import { BIN, cuebook, folderWith } from '../../test/cuebook.js';
import { evalFile, sheetProject } from '../../test/sheet-project.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const CASES = 6;
const FILES = {
  ...sheetProject({
    sheet: 'review',
    input: 'change',
    tone: 'You review changes.\nName the file and the line.\n',
    cases: CASES,
    measured: `metrics:
  finds: { answer: { matches: "^src/" } }
  kind: { judge: kind }
gate: { primary: finds, margin: 0.1 }
`,
  }),
  'tests/plain.test.yaml': evalFile('review', 'metrics: { finds: { answer: { matches: "^src/" } } }\n'),
  'judges/kind.yaml': 'asks: Does it name a file?\nanchors: { good: ["src/b.ts:1"], bad: ["GRADE: pass"] }\n',
};

/** A model that names the file when it is told to, and a judge that sees whether it did. */
const model: ScriptedStep = ({ text }) => {
  if (text.includes('You judge one answer')) {
    const [, answer = ''] = text.split(/ANSWER_TEXT(?:\\n|\n)/u).slice(-2);
    return { text: JSON.stringify({ because: 'It does or not.', pass: answer.startsWith('src/') }) };
  }
  return { text: text.includes('Name the file') ? 'src/a.ts:1: fixed' : 'looks fine' };
};
const APIS = [
  ['compatible', (url: string) => ({ CUEBOOK_COMPATIBLE_URL: `${url}/v1`, CUEBOOK_COMPATIBLE_KEY: 'k' })],
  ['anthropic', (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' })],
] as const;
const CHANGE = ['--change', 'drop:texts/tone.md:2', '--model', 'm'];

describe.each(APIS)('through the API of %s', (provider, env) => {
  it('a comparison with a judge runs whole, and every request is one that the API takes', async () => {
    const lane = `whole-${provider}`;
    server.script(lane, Array<ScriptedStep>(100).fill(model));
    const cwd = folderWith(FILES);
    const args = ['compare', 'tests/review.test.yaml', ...CHANGE, '--provider', provider, '--json'];
    const told = await cuebook(args, { cwd, env: env(server.laneUrl(lane)) });
    const document = JSON.parse(told.stdout) as ComparisonDocument;
    expect([told.code, document.verdict, document.why]).toEqual([1, 'worse', expect.any(String)]);
    for (const name of ['finds', 'kind'])
      expect(document.metrics.find((each) => each.name === name)).toMatchObject({
        ...{ base: { mean: 1 }, candidate: { mean: 0 }, missing: { base: 0, candidate: 0 } },
      });
    const { requests } = server.lane(lane);
    expect(requests.map(({ refused }) => refused)).toEqual(requests.map(() => undefined));
    // Two anchors, and for each take one answer and one judgement.
    expect(requests).toHaveLength(2 + 2 * 2 * CASES);
    expect(requests.some(({ text }) => text.includes(cwd))).toBe(false);
    // Again: nobody is asked.
    expect((await cuebook(args, { cwd, env: env(server.laneUrl(lane)) })).stdout).toBe(told.stdout);
    expect(requests).toHaveLength(2 + 2 * 2 * CASES);
  });
});

describe.each(APIS)('the models that answer, through the API of %s', (provider, env) => {
  it('are told for each variant, and keep a comparison open where nobody chose that they differ', async () => {
    const compared = async (
      name: string,
      answers: (text: string, at: number) => string,
      change = CHANGE,
    ): Promise<ComparisonDocument> => {
      const lane = `models-${name}-${provider}`;
      let at = 0;
      const step: ScriptedStep = async (request) => {
        at += 1;
        const said = typeof model === 'function' ? await model(request) : model;
        return { ...said, model: answers(request.text, at) };
      };
      server.script(lane, Array<ScriptedStep>(100).fill(step));
      const args = ['compare', 'tests/plain.test.yaml', ...change, '--provider', provider, '--json'];
      const { stdout } = await cuebook(args, { cwd: folderWith(FILES), env: env(server.laneUrl(lane)) });
      return JSON.parse(stdout) as ComparisonDocument;
    };
    const same = await compared('same', () => 'm-2026-01-01');
    expect([same.verdict, same.models]).toEqual([
      'worse',
      { base: ['m-2026-01-01'], candidate: ['m-2026-01-01'] },
    ]);
    expect(comparisonText(same)).toContain('answered by m-2026-01-01\n');
    const arms = await compared('arms', (text) => (text.includes('Name the file') ? 'm-1' : 'm-2'));
    expect([arms.verdict, arms.why, arms.models]).toEqual([
      'open',
      'different models answered: base m-1, candidate m-2',
      { base: ['m-1'], candidate: ['m-2'] },
    ]);
    const midway = await compared('midway', (_, at) => (at <= CASES ? 'm-1' : 'm-2'));
    expect([midway.verdict, midway.why]).toEqual([
      'open',
      expect.stringMatching(/^several models answered: /u),
    ]);
    // Where the change is the model, that they differ is what is compared.
    const chosen = await compared('chosen', (text) => (/"model":"other"/u.test(text) ? 'other' : 'm'), [
      ...['--change', 'model=other', '--model', 'm'],
    ]);
    expect(chosen.why).not.toContain('models answered');
  });
});

describe('29: the record of a comparison', () => {
  it('told on another machine from its export gives the same document, byte for byte', async () => {
    const [provider, env] = APIS[0];
    server.script('export', Array<ScriptedStep>(100).fill(model));
    const cwd = folderWith(FILES);
    const told = await cuebook(
      ['compare', 'tests/plain.test.yaml', ...CHANGE, '--provider', provider, '--json'],
      { cwd, env: env(server.laneUrl('export')) },
    );
    const { id } = JSON.parse(told.stdout) as ComparisonDocument;
    const { stdout: lines } = await cuebook(['runs', 'export', id], { cwd });
    const other = folderWith({ 'cuebook.yaml': '' });
    writeFileSync(join(other, 'run.jsonl'), lines);
    const unknown = await cuebook(['runs', 'import', 'run.jsonl'], { cwd: other });
    const key = /--trust (\S+)/u.exec(unknown.stderr)?.[1] ?? '';
    expect((await cuebook(['runs', 'import', 'run.jsonl', '--trust', key], { cwd: other })).code).toBe(0);
    expect((await cuebook(['compare', id, '--json'], { cwd: other })).stdout).toBe(told.stdout);
  });
});

describe('28: kill -9', () => {
  /** The comparison in a process of its own, that is killed when the request with this number comes in. */
  const runKilled = async (cwd: string, lane: string, at: number): Promise<void> => {
    const [provider, env] = APIS[0];
    const url = server.laneUrl(lane);
    const child = spawn(
      process.execPath,
      [BIN, 'compare', 'tests/review.test.yaml', ...CHANGE, '--provider', provider, '--jobs', '1', '--json'],
      { cwd, env: { ...process.env, ...env(url) }, stdio: 'ignore' },
    );
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const steps = Array<ScriptedStep>(at - 1).fill(model);
    server.script(lane, [
      ...steps,
      async () => {
        child.kill('SIGKILL');
        await gone;
        return { drop: true };
      },
    ]);
    await gone;
  };
  const points = Array.from({ length: 2 + 2 * 2 * CASES }, (_, at) => at + 1);

  it.each(sampled(points, 2))(
    'at request %i: goes on, pays for no take twice, and ends with the same document',
    async (at) => {
      const [provider, env] = APIS[0];
      const args = [
        'compare',
        'tests/review.test.yaml',
        ...CHANGE,
        '--provider',
        provider,
        '--jobs',
        '1',
        '--json',
      ];
      const [whole, killed] = [`undisturbed-${at}`, `killed-${at}`];
      server.script(whole, Array<ScriptedStep>(100).fill(model));
      const told = await cuebook(args, { cwd: folderWith(FILES), env: env(server.laneUrl(whole)) });
      const cwd = folderWith(FILES);
      await runKilled(cwd, killed, at);
      expect(server.lane(killed).requests).toHaveLength(at);
      server.script(killed, Array<ScriptedStep>(100).fill(model));
      const after = await cuebook(args, { cwd, env: env(server.laneUrl(killed)) });
      // The one that was under way is asked for again; every answer that was there counts.
      expect(server.lane(killed).requests).toHaveLength(points.length + 1);
      const same = (text: string): string => text.replace(/@turn_[^"]+/gu, '@turn');
      expect(same(after.stdout)).toBe(same(told.stdout));
    },
  );
});
