import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { desk, tool } from '../../../../packages/thread/test/project.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });
const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
const ASK = {
  widgetId: 'size',
  type: 'selection',
  message: 'How large?',
  options: [{ value: 'small' }, { value: 'large' }],
};
const WORKFLOW = 'workflow:workflows/request';

/** A program that speaks when somebody lets it. */
const PROGRAM = `import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tell = (line) => console.log(JSON.stringify(line));
for await (const line of createInterface({ input: process.stdin })) {
  if (JSON.parse(line).kind !== 'prompt') continue;
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
  tell({ kind: 'text', text: 'Well.' });
  tell({ kind: 'end', reason: 'done' });
}
`;
const PAY = `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Pays', args: z.object({ sum: z.number() }), approval: 'always',
  execute: async (_, { sum }) => ({ status: 'success', result: 'paid ' + sum }),
});
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
    Object.entries(
      desk("tools: ['look', 'pay', 'gate'],", {
        'tools/gate.ts': GATE,
        'tools/look.ts': tool("return { status: 'success', result: 'seen' };"),
        'tools/pay.ts': PAY,
      }),
    ).map(([path, text]) => [`agents/${path}`, text]),
  ),
  'sheets/greet.yaml':
    'title: Greet\ninputs:\n  mail: { trust: external, secrecy: public, volatility: turn, description: What came, example: Hi }\nblocks:\n  - { name: mail, role: user, parts: [{ input: mail }] }\n',
  'team.yaml': 'goal: Answer.\nnodes:\n  - { alias: lead, role: orchestrator }\n',
  'talk.json': script({ text: 'Hello.' }, { text: 'Again.' }),
  'look.json': script({ text: 'Let me see.', ...call('look', {}) }, { text: 'Seen.' }),
  'pay.json': script(call('pay', { sum: 50 }), { text: 'Well then.' }),
  'ask.json': script(call('ui.ask_user', ASK), { text: 'Thanks.' }),
  'none.json': script(call('fs.read', { path: '@project/none.md' }), { text: 'It is not there.' }),
  'fail.json': script({ error: { status: 401 } }, { text: 'Back.' }),
  'gate.json': script(call('gate', {}), { text: 'Open.' }),
  'bad.json': '{"lanes": 3}',
};

const agent = ['run', 'agent:desk', '--input', 'Hi', '--script'] as const;
const flow = ['run', WORKFLOW, '--script'] as const;
const on = (...more: readonly string[]) => ['run', 'agent:desk', '--run', 'LAST', ...more];
const further = (...more: readonly string[]) => ['run', WORKFLOW, '--run', 'LAST', ...more];

/** Calls one after another, in one project; `LAST` is the run of the call before. */
const TALKS: Readonly<Record<string, readonly [codes: readonly number[], ...calls: (readonly string[])[]]>> =
  {
    'an agent that answers': [
      [0, 0, 0, 0],
      [...agent, 'talk.json'],
      on('--input', 'More', '--json'),
      [...agent, 'look.json'],
      [...agent, 'look.json', '--json'],
    ],
    'an agent that is denied, allowed by a flag, and short of turns': [
      [1, 0, 1, 2, 0, 1, 1, 1, 0, 1, 0],
      [...agent, 'pay.json', '--json'],
      on('--answer', 'no', '--json'),
      [...agent, 'pay.json'],
      on('--answer', 'perhaps'),
      on('--answer', 'yes'),
      on('--answer', 'yes'),
      [...agent, 'look.json', '--turns', '1', '--json'],
      on('--settle', 'unknown'),
      on('--turns', '3', '--json'),
      [...agent, 'fail.json'],
      on('--input', 'Again?', '--json'),
    ],
    'an agent that is called in a wrong way': [
      [2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2],
      ['run', 'agent:nobody', '--input', 'Hi', '--script', 'talk.json'],
      ['run', 'agent:desk'],
      ['run', 'agent:desk', '--json'],
      [...agent, 'bad.json'],
      [...agent, 'none.yaml'],
      [...agent, 'talk.json', '--provider', 'words'],
      ['run', 'agent:desk', '--input', 'Hi', '--provider', 'nobody'],
      [...agent, 'talk.json', '--attach', 'nowhere.png'],
      [...agent, 'talk.json', '--turns', 'many'],
      [...agent, 'talk.json', '--mode', 'chat'],
      [...agent, 'talk.json', '--answer', 'yes'],
      [...agent, 'talk.json', '--run', 'run_none'],
    ],
    'a workflow that asks': [
      [1, 2, 1, 1, 1, 1],
      [...flow, 'ask.json'],
      further('--answer', 'medium', '--json'),
      further('--settle', 'unknown', '--json'),
      further('--answer', 'large', '--json'),
      further('--answer', 'large'),
      further('--input', 'More.'),
    ],
    'a workflow that fails, and one that has no turns left': [
      [1, 1, 1, 1, 1, 0, 0],
      [...flow, 'none.json'],
      [...flow, 'fail.json', '--json'],
      further('--json'),
      [...flow, 'none.json', '--turns', '1'],
      further('--turns', '4', '--json'),
      [...flow, 'talk.json', '--mode', 'chat', '--input', 'Hi'],
      [...flow, 'talk.json', '--mode', 'chat', '--input', 'Hi', '--data', 'talk.json', '--json'],
    ],
    'a workflow that is called in a wrong way': [
      [1, 1, 2, 2, 1, 2, 1, 2],
      ['run', 'workflow:workflows/none', '--script', 'talk.json'],
      [...flow, 'bad.json', '--json'],
      [...flow, 'talk.json', '--active-agent', 'nobody'],
      [...flow, 'talk.json', '--mode', 'chat'],
      [...flow, 'talk.json', '--menu', 'none'],
      [...flow, 'talk.json', '--run', 'run_none'],
      [...flow, 'talk.json', '--run', 'run_none'],
      ['run', WORKFLOW, '--provider', 'nobody'],
    ],
    'one turn': [
      [0, 0, 0, 1, 2, 2, 0, 2],
      ['run', 'sheet:greet', '--script', 'talk.json'],
      ['run', 'sheet:greet', '--set', 'mail=Good day', '--script', 'talk.json'],
      ['run', 'sheet:greet', '--set', 'mail=Good day', '--script', 'talk.json', '--json'],
      ['run', 'sheet:greet', '--set', 'mail=Good day', '--script', 'fail.json', '--json'],
      ['run', 'sheet:greet', '--set', 'none=1', '--script', 'talk.json'],
      ['run', 'sheet:none', '--script', 'talk.json'],
      ['run', 'prompt:clerk', '--input', 'Hi', '--script', 'talk.json', '--json'],
      ['run', 'nothing:greet', '--script', 'talk.json'],
    ],
    'a team': [
      [2, 2, 1, 2],
      ['run', 'team:none.yaml', '--goal', 'Go'],
      ['run', 'team:team.yaml', '--goal', 'Go', '--provider', 'words'],
      ['run', 'team:team.yaml', '--goal', 'Go', '--script', 'bad.json'],
      ['run', 'team:team.yaml', '--goal', 'Go', '--limit', 'turns=0'],
    ],
  };

/** A project; with a server that is up until the test is over. */
async function project(hasServer: boolean) {
  const cwd = folderWith(FILES);
  if (!hasServer) return cwd;
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
  return cwd;
}

/** Without what differs from run to run. */
const bare = (text: string): string =>
  text
    .replace(/run_[a-z0-9]+/g, 'RUN')
    .replace(/(?:msg|apr|call|eff|turn)_[a-z0-9-]+/g, 'ID')
    .replace(/"(?:since|seq|expiresAt)": \d+/g, '"n"')
    .replace(/http:\/\/127\.0\.0\.1:\d+\/\S*/g, 'URL');

type Outcome = Awaited<ReturnType<typeof cuebook>>;
const told = ({ code, stdout, stderr }: Outcome) => [code, bare(stdout), bare(stderr)];
const lastRun = ({ stdout, stderr }: Outcome): string | undefined =>
  /run_[a-z0-9]+/.exec(stderr + stdout)?.[0];

/** What is left of a run that is stopped while a program is asked. */
async function interrupted(cwd: string, args: readonly string[]): Promise<Outcome> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ran = await cuebook(args, {
    cwd,
    stop: stop.signal,
    // The run has begun when its id is told.
    onTell: () => {
      if (stop.signal.aborted) return;
      stop.abort();
      timer = setTimeout(() => writeFileSync(join(cwd, 'go'), ''), 500);
    },
  });
  clearTimeout(timer);
  writeFileSync(join(cwd, 'go'), '');
  return ran;
}

describe('a run with a server and without one', () => {
  it.each(Object.keys(TALKS))('prints the same and ends the same: %s', async (name) => {
    const [codes = [], ...calls] = TALKS[name] ?? [];
    const outcomes = await Promise.all(
      [await project(false), await project(true)].map(async (cwd) => {
        const all: (readonly unknown[])[] = [];
        let last = '';
        for (const args of calls) {
          const ran = await cuebook(
            args.map((word) => (word === 'LAST' ? last : word)),
            { cwd },
          );
          last = lastRun(ran) ?? last;
          all.push([args.join(' '), ...told(ran)]);
        }
        return all;
      }),
    );
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[0]?.map(([, code]) => code)).toEqual(codes);
  });

  it('a workflow is interrupted in the same way', async () => {
    const args = ['run', WORKFLOW, '--provider', 'words', '--input', 'Hi'];
    const [alone, hosted] = [await project(false), await project(true)];
    const [one, two] = [await interrupted(alone, args), await interrupted(hosted, args)];
    expect(one.code).toBe(1);
    expect(one.stderr).toContain('stopped');
    expect(told(two)).toEqual(told(one));
  });

  it('the turn of an agent that is left ends with the process, or goes on at the server, and the command says which', async () => {
    const args = ['run', 'agent:desk', '--script', 'gate.json', '--input', 'Hi'];
    const [alone, hosted] = [await project(false), await project(true)];
    const [one, two] = [await interrupted(alone, args), await interrupted(hosted, args)];
    expect([one.code, two.code]).toEqual([1, 1]);
    expect(one.stderr).toContain('stopped: It was left in the middle of a turn');
    expect(two.stderr).toContain('E_STOPPED You left. The run continues');
    const ended = async () =>
      JSON.parse((await cuebook(['runs', '--json'], { cwd: hosted })).stdout).runs[0].status as string;
    while ((await ended()) === 'running') await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ended()).toBe('completed');
  });

  it('is done in this process, which says so, where the server is of another version', async () => {
    const cwd = await project(true);
    const file = join(cwd, '.cuebook', 'server.json');
    const place = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...place, version: '0.0.1' }));
    const ran = await cuebook(['run', 'agent:desk', '--input', 'Hi', '--script', 'talk.json'], { cwd });
    expect(ran).toMatchObject({ code: 0, stdout: 'Hello.' });
    expect(ran.stderr).toContain('is of version 0.0.1, and this command of');
  });
});
