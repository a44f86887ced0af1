import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiAnswer, type Client, createClient } from '@cuebook/api';
import { findServer } from '@cuebook/server/find';
import { describe, expect, it as itAlways } from 'vitest';
import { desk, tool } from '../../../../packages/thread/test/project.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { serverUp } from '../../test/up.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });
const ASK = {
  widgetId: 'size',
  type: 'selection',
  message: 'How large?',
  options: [{ value: 'small' }, { value: 'large' }],
};
const WORDS = 'A few words, and a few more.';

/** A program that speaks when somebody lets it. */
const PROGRAM = `import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tell = (line) => console.log(JSON.stringify(line));
for await (const line of createInterface({ input: process.stdin })) {
  if (JSON.parse(line).kind !== 'prompt') continue;
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const text of ${JSON.stringify(WORDS.split(/(?= )/))}) tell({ kind: 'text', text });
  tell({ kind: 'end', reason: 'done' });
}
`;
/** A tool that waits until somebody lets it go on. */
const GATE = tool(`const { existsSync } = await import('node:fs');
  while (!existsSync(new URL('../../go', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 20));
  return { status: 'success', result: 'open' };`);
const FILES = {
  ...WORKFLOW_TEMPLATE,
  'cuebook.yaml': `${WORKFLOW_TEMPLATE['cuebook.yaml']}\nproviders: { words: { kind: line, command: ${process.execPath}, args: [words.mjs] } }\n`,
  'words.mjs': PROGRAM,
  ...Object.fromEntries(
    Object.entries(desk("tools: ['gate'],", { 'tools/gate.ts': GATE })).map(([path, text]) => [
      `agents/${path}`,
      text,
    ]),
  ),
  'talk.json': script({ text: 'Hello.' }, { text: 'Again.' }),
  'ask.json': script({ toolCalls: [{ name: 'ui.ask_user', args: ASK }] }, { text: 'Thanks.' }),
};

/** A project; with a server that is up until the test is over. */
async function project() {
  const cwd = folderWith(FILES);
  const cue = (...args: readonly string[]) => cuebook(args, { cwd });
  await serverUp(cwd);
  return { cwd, cue };
}

describe('a run at the server that is up', () => {
  itAlways('is gone on with, answered and watched at the server, whatever its kind', async () => {
    const { cue } = await project();
    const json = async (...args: readonly string[]) => JSON.parse((await cue(...args, '--json')).stdout);
    const talk = await json('run', 'agent:desk', '--input', 'Hi', '--script', 'talk.json');
    expect(talk).toMatchObject({
      kind: 'thread',
      target: 'agent:desk',
      status: 'done',
      text: 'Hello.',
      turns: 1,
    });
    const more = await json('run', 'agent:desk', '--run', talk.run, '--input', 'More');
    expect(more).toMatchObject({ run: talk.run, status: 'done', text: 'Again.', turns: 2, waits: [] });
    const ask = await json('run', 'workflow:workflows/request', '--script', 'ask.json');
    expect(ask).toMatchObject({
      ...{ kind: 'workflow', target: 'workflow:workflows/request', status: 'waiting', reason: 'question' },
      waits: [{ for: 'question', answers: ['small', 'large'] }],
    });
    expect(await cue('approvals', 'answer', ask.waits[0].id, 'medium')).toMatchObject({ code: 2 });
    expect(await cue('approvals', 'answer', ask.waits[0].id, 'large')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Answered'),
    });
    const seen = await cue('attach', ask.run);
    expect(seen).toMatchObject({ code: 1, stderr: expect.stringContaining('waiting: Thanks.') });
    const attached = await json('attach', talk.run);
    expect(attached).toMatchObject({ run: talk.run, kind: 'thread', status: 'done', turns: 2 });
    expect((await cue('verify', '--all')).code).toBe(0);
  });

  it('two terminals and the API that follow a thread and a workflow agree', async () => {
    const { cwd, cue } = await project();
    const found = await findServer(join(cwd, '.cuebook'));
    const client = createClient({ url: found?.url ?? '', token: found?.token ?? '' });
    const started = await Promise.all(
      [
        {
          target: 'agent:desk',
          script: script({ toolCalls: [{ name: 'gate', args: {} }] }, { text: WORDS }),
        },
        { target: 'workflow:workflows/request', provider: 'words' },
      ].map(async (start) => {
        const { run } = must(await client.startRun({ ...start, input: 'Hi' }));
        const shows = [0, 1].map(() => {
          let said = (): void => undefined;
          const ready = new Promise<void>((resolve) => {
            said = resolve;
          });
          return { ready, ended: cuebook(['attach', run], { cwd, onTell: () => said() }) };
        });
        // Whoever has said which run it shows knows from where on: nothing after that is missed.
        await Promise.all(shows.map(({ ready }) => ready));
        return { shows, api: heardBy(client, run) };
      }),
    );
    writeFileSync(join(cwd, 'go'), '');
    for (const { shows, api } of started) {
      const [one, two] = await Promise.all(shows.map(({ ended }) => ended));
      const { report, text } = await api;
      expect([one?.stdout, text, report.text]).toEqual([WORDS, WORDS, WORDS]);
      expect([two?.stdout, two?.stderr, two?.code]).toEqual([one?.stdout, one?.stderr, one?.code]);
      expect(one?.stderr).toContain(report.status);
    }
    expect((await cue('verify', '--all')).code).toBe(0);
  });
});

/** What a follower over HTTP hears until the run stands still. */
async function heardBy(client: Client, run: string) {
  const end = new AbortController();
  const turns = new Set<string>();
  let report = must(await client.getReport({ run }));
  let text = '';
  for await (const heard of client.follow({ run, signal: end.signal })) {
    if (heard.type !== 'event') continue;
    const { type, data, seq } = heard.event;
    const { id, kind, outcome } = data as unknown as EffectWords;
    if (type === 'effect.intended' && kind === 'model.turn') turns.add(id);
    if (type === 'effect.settled' && turns.has(id)) text += outcome?.output?.text ?? '';
    report = must(await client.getReport({ run }));
    // A report may know more than was heard.
    if (report.status !== 'running' && report.status !== 'new' && seq >= report.seq) end.abort();
  }
  return { report, text };
}

interface EffectWords {
  readonly id: string;
  readonly kind?: string;
  readonly outcome?: { readonly output?: { readonly text?: string } };
}

function must<Value>(answer: ApiAnswer<Value>): Value {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}
