import { describe, expect, it, onTestFinished } from 'vitest';
import { desk } from '../../../../packages/thread/test/project.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });
const ASK = {
  widgetId: 'size',
  type: 'selection',
  message: 'How large?',
  options: [{ value: 'small' }, { value: 'large' }],
};
const FILES = {
  ...WORKFLOW_TEMPLATE,
  ...Object.fromEntries(Object.entries(desk()).map(([path, text]) => [`agents/${path}`, text])),
  'talk.json': script({ text: 'Hello.' }, { text: 'Again.' }),
  'ask.json': script({ toolCalls: [{ name: 'ui.ask_user', args: ASK }] }, { text: 'Thanks.' }),
};

/** A project; with a server that is up until the test is over. */
async function project(hasServer: boolean) {
  const cwd = folderWith(FILES);
  const cue = (...args: readonly string[]) => cuebook(args, { cwd });
  if (!hasServer) return { cwd, cue };
  const end = new AbortController();
  let printed = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    printed = resolve;
  });
  const up = cuebook(['up', '--json'], { cwd, stop: end.signal, onPrint: () => printed() });
  await ready;
  onTestFinished(async () => {
    end.abort();
    await up;
  });
  return { cwd, cue };
}

/** Without what differs from run to run. */
const bare = (text: string): string =>
  text
    .replace(/run_[a-z0-9]+/g, 'RUN')
    .replace(/(?:msg|apr|call|eff|turn)_[a-z0-9-]+/g, 'ID')
    .replace(/"(?:since|seq)": \d+/g, '"n"');

describe('a run at the server that is up', () => {
  it('prints what the same run prints in a process of its own, words and JSON', async () => {
    const [alone, hosted] = [await project(false), await project(true)];
    const calls = [
      ['run', 'agent:desk', '--input', 'Hi', '--script', 'talk.json'],
      ['run', 'agent:desk', '--input', 'Hi', '--script', 'talk.json', '--turns', '1', '--json'],
      ['run', 'workflow:workflows/request', '--script', 'ask.json'],
      ['run', 'workflow:workflows/request', '--script', 'ask.json', '--json'],
      ['run', 'agent:nobody', '--input', 'Hi', '--script', 'talk.json'],
    ] as const;
    for (const call of calls) {
      const [one, two] = [await alone.cue(...call), await hosted.cue(...call)];
      expect([two.code, bare(two.stdout), bare(two.stderr)]).toEqual([
        one.code,
        bare(one.stdout),
        bare(one.stderr),
      ]);
    }
  });

  it('is gone on with, answered and watched at the server, whatever its kind', async () => {
    const { cue } = await project(true);
    const json = async (...args: readonly string[]) => JSON.parse((await cue(...args, '--json')).stdout);
    const talk = await json('run', 'agent:desk', '--input', 'Hi', '--script', 'talk.json');
    expect(talk).toMatchObject({
      kind: 'thread',
      target: 'agent:desk',
      status: 'done',
      text: 'Hello.',
      turns: 1,
    });
    const more = await json('run', 'agent:desk', '--thread', talk.run, '--input', 'More');
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
});
