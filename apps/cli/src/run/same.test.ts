import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { bothWays, type Outcome, project, told, WORKFLOW } from '../../test/both-ways.js';
import { cuebook } from '../../test/cuebook.js';

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
      [1, 1, 2, 2, 1, 2, 2, 2],
      ['run', 'workflow:workflows/none', '--script', 'talk.json'],
      [...flow, 'bad.json', '--json'],
      [...flow, 'talk.json', '--active-agent', 'nobody'],
      [...flow, 'talk.json', '--mode', 'chat'],
      [...flow, 'talk.json', '--menu', 'none'],
      [...flow, 'talk.json', '--run', 'run_none'],
      [...flow, 'talk.json', '--thread', 'run_none'],
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
    const outcomes = await bothWays(calls);
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
    // What only a server can do is asked of it, which is said too.
    const listed = await cuebook(['approvals'], { cwd });
    expect(listed).toMatchObject({ code: 0, stdout: 'Nothing waits for you.\n' });
    expect(listed.stderr).toContain('warning: The server that is up for this project is of version 0.0.1');
  });
});
