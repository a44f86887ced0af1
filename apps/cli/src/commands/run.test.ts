import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type RunId } from '@cuebook/journal';
import { describe, expect } from 'vitest';
import { startModelServer } from '../../../../test/model-server/index.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

const SCRIPT = `lanes:
  "*":
    - reasoning: "Let me see."
      text: "Looks fine."
      toolCalls: [{ name: read_file, args: { path: a.ts } }]
`;
const FAILING = 'lanes:\n  "*":\n    - { text: "Half a", error: { status: 500 } }\n';

const desk = (files: Record<string, string> = {}) => ({ cwd: folderWith({ ...TEMPLATE, ...files }) });
const answerOf = (stdout: string) => JSON.parse(stdout) as { readonly run: string; readonly hash: string };

describe('run', () => {
  it('rehearses where nothing is configured, says so, and leaves a record that verifies', async () => {
    const here = desk();
    const { code, stdout, stderr } = await cuebook(['run', 'sheet:review'], here);
    expect(code).toBe(0);
    expect(stdout).toContain('This is a rehearsal');
    expect(stderr).toContain('rehearsal: a script answers, not a model');
    expect(await cuebook(['verify', '--all'], here)).toMatchObject({ code: 0 });
  });

  it('records the prompt that render shows, whatever came of it', async () => {
    const here = desk({ 'failing.yaml': FAILING });
    const { hash } = JSON.parse((await cuebook(['render', 'sheet:review', '--json'], here)).stdout) as {
      hash: string;
    };
    const ran = await cuebook(['run', 'sheet:review', '--script', 'failing.yaml', '--json'], here);
    expect(ran.code).toBe(1);
    const answer = answerOf(ran.stdout);
    expect(answer).toMatchObject({ status: 'failed', text: 'Half a', rehearsal: true, hash });
    const replayed = await cuebook(['replay', answer.run, '--json'], here);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ hash });
  });

  it('shows what the model thinks and asks for, and runs none of it', async () => {
    const here = desk({ 'script.yaml': SCRIPT });
    const { stdout, stderr } = await cuebook(['run', 'sheet:review', '--script', 'script.yaml'], here);
    expect(stdout).toBe('Looks fine.');
    expect(stderr).toContain('Let me see.');
    expect(stderr).toContain('read_file {"path":"a.ts"} (asked for, not run)');
  });

  it('traces the exact request, each event and the answer', async () => {
    const here = desk({ 'script.yaml': SCRIPT });
    await cuebook(['run', 'sheet:review', '--script', 'script.yaml', '--trace', 'trace.jsonl'], here);
    const lines = readFileSync(join(here.cwd, 'trace.jsonl'), 'utf8').trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { seq: number; type: string; body?: unknown });
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    expect(JSON.stringify(entries.find(({ type }) => type === 'request')?.body)).toContain(
      'You review changes',
    );
    expect(entries.at(-1)).toMatchObject({ type: 'message', role: 'assistant', content: 'Looks fine.' });
  });

  it('speaks to a model at an address of your own, and keeps its key out of everything', async () => {
    const server = await startModelServer();
    try {
      server.script('desk', [{ text: 'Read it all.' }]);
      const key = 'sk-key-of-the-desk-0123456789';
      const here = {
        ...desk({
          'cuebook.yaml': `provider: house\nproviders:\n  house: { kind: compatible, baseUrl: ${server.laneUrl('desk')}/v1, keyName: DESK_KEY }\n`,
        }),
        env: { DESK_KEY: key },
      };
      const { code, stdout } = await cuebook(['run', 'sheet:review', '--model', 'small', '--json'], here);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ text: 'Read it all.', provider: 'house', rehearsal: false });
      expect(server.lane('desk').requests).toHaveLength(1);
      const log = await cuebook(['log', '--reveal', '--json'], here);
      expect(stdout + log.stdout).not.toContain(key);
      expect(readFileSync(join(here.cwd, '.cuebook', 'journal.db'), 'latin1')).not.toContain(key);
    } finally {
      await server.close();
    }
  });

  it.each([
    { args: ['--provider', 'nobody'], code: 2, says: 'E_PROVIDER_CONFIG' },
    { args: ['--provider', 'claude', '--script', 'script.yaml'], code: 2, says: 'E_USAGE' },
    { args: ['--script', 'nowhere.yaml'], code: 2, says: 'E_FILE_NOT_FOUND' },
    { args: ['--trace', 'script.yaml'], code: 1, says: 'E_WOULD_OVERWRITE' },
    { args: ['--script', 'bad.yaml'], code: 1, says: 'bad.yaml:2' },
  ])('a call that cannot be: $args, and nothing is written', async ({ args, code, says }) => {
    const here = desk({ 'script.yaml': SCRIPT, 'bad.yaml': 'lanes:\n  "*": 3\n' });
    const outcome = await cuebook(['run', 'sheet:review', ...args], here);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toContain(says);
    expect(readdirSync(here.cwd)).not.toContain('.cuebook');
  });

  it('ends when it is told to, keeps what was said, and its record verifies', async () => {
    const stop = new AbortController();
    const slow = 'lanes:\n  "*":\n    - { text: Half, delayMs: 600000 }\n';
    const here = desk({ 'slow.yaml': slow });
    const running = cuebook(['run', 'sheet:review', '--script', 'slow.yaml', '--json'], {
      ...here,
      stop: stop.signal,
    });
    await untilRecorded(join(here.cwd, '.cuebook', 'journal.db'));
    stop.abort();
    const ran = await running;
    expect(ran.code).toBe(1);
    expect(answerOf(ran.stdout)).toMatchObject({ status: 'stopped', end: { reason: 'aborted' } });
    expect((await cuebook(['verify', '--all'], here)).code).toBe(0);
  });

  it('verify finds a state that is not what the log gives when it is replayed', async () => {
    const here = desk();
    const { run } = answerOf((await cuebook(['run', 'sheet:review', '--json'], here)).stdout);
    expect((await cuebook(['verify', run], here)).code).toBe(0);
    const opened = await openStore({ file: join(here.cwd, '.cuebook', 'journal.db') });
    if (!opened.ok) throw new Error(opened.error.code);
    const store = opened.value;
    const { seq = 0 } = (await store.head(run as RunId)) ?? {};
    const projections = [{ name: 'engine.state', key: run, value: { mode: 'new' } }];
    await store.append({
      ...{ run: run as RunId, command: 'forged', target: 'state', events: [], expectedSeq: seq },
      projections,
    });
    await store.close();
    const verified = await cuebook(['verify', run], here);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain('E_VERIFY_STATE The state on record is not what the log gives');
  });

  it('check tells what is wrong with the providers of the configuration, with its line', async () => {
    const here = desk({ 'cuebook.yaml': 'names: []\nproviders:\n  mine: { kind: raw }\n' });
    const { code, stdout } = await cuebook(['check'], here);
    expect(code).toBe(1);
    expect(stdout).toContain('cuebook.yaml:3');
    expect(stdout).toContain('providers.mine.command');
  });
});

/** Until a turn is on record: it has begun. */
async function untilRecorded(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
  const opened = await openStore({ file });
  if (!opened.ok) throw new Error(opened.error.code);
  const end = new AbortController();
  for await (const { type } of opened.value.subscribe({ signal: end.signal })) {
    if (type === 'turn.recorded') break;
  }
  end.abort();
  await opened.value.close();
}
