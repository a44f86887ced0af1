import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { ask, asking, TARGET, waiting } from '../../test/asking.js';

const call = (name: string, args: object): string => JSON.stringify({ tool_call: { name, args } });
const TEAM =
  'goal: Look.\nnodes: [{ alias: dev, role: implementer, permissions: { cliPermissionsMode: gated } }]\n';
const LOOK = JSON.stringify({ lanes: { dev: [{ text: `I look.\n${call('command', { cmd: 'ls' })}` }] } });
const AGENT = {
  'agents/models/fast.ts': `import { defineModel } from '@cuebook/define';
export default defineModel({ name: 'fast', provider: 'rehearsal', model: 'fast-1' });
`,
  'agents/prompts/clerk.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({ name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.', tools: ['look'] });
`,
  'agents/tools/look.ts': `import { defineTool } from '@cuebook/define';
export default defineTool({ description: 'Looks', execute: async () => ({ status: 'success', result: 'seen' }) });
`,
  'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'desk', sideA: { prompt: 'clerk' } });
`,
  'talk.json': JSON.stringify({
    lanes: { desk: [{ toolCalls: [{ name: 'look', args: {} }] }, { text: 'Seen.' }] },
  }),
};
const GO = ask({ type: 'confirmation', message: 'Go on?' });

describe('runs of all kinds in one project', () => {
  it('what they wait for is in one list, the oldest first, each with the command that answers it', async () => {
    const files = { ...AGENT, 'team.yaml': TEAM, 'look.json': LOOK };
    const { cwd, run, id, call: cue } = await asking([GO], files);
    const attach = await cue('attach');
    expect([attach.code, attach.stderr]).toEqual([
      2,
      expect.stringContaining(`A workflow waits for you: \`cuebook approvals answer ${id} yes\``),
    ]);
    expect((await cue('attach', run)).stderr).toContain(`cuebook approvals answer ${id} yes`);
    await cue('run', 'team:team.yaml', '--script', 'look.json', '--json');
    const thread = await cue(
      'run',
      'agent:desk',
      '--script',
      'talk.json',
      '--input',
      'Hi',
      '--turns',
      '1',
      '--json',
    );
    const { run: talk } = JSON.parse(thread.stdout) as { readonly run: string };
    const all = await waiting(cwd);
    expect(all).toMatchObject([
      { kind: 'workflow', target: TARGET, for: 'question', id, node: null },
      { kind: 'team', target: null, for: 'approval', alias: 'dev', tool: 'command', input: { cmd: 'ls' } },
      {
        kind: 'thread',
        target: 'agent:desk',
        for: 'budget',
        id: talk,
        reason: 'The budget is spent: 1 turns.',
      },
    ]);
    const [, team] = all;
    expect(all.map(({ command }) => command)).toEqual([
      `cuebook approvals answer ${id} yes`,
      `cuebook approvals allow ${team?.id}`,
      `cuebook run agent:desk --run ${talk} --turns NUMBER`,
    ]);
    const lines = (await cue('approvals')).stdout.split('\n');
    expect(lines).toEqual([
      `${id}  ${run}  workflow  workflows/request  asks: Go on?`,
      `${team?.id}  ${team?.run}  team  dev  command  ls`,
      `${talk}  thread  agent:desk  has spent its budget: The budget is spent: 1 turns.`,
      '',
    ]);
    expect(await cue('approvals', 'answer', talk, 'more')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--run ${talk} --turns NUMBER`),
    });
    expect(await cue('approvals', 'answer', team?.id ?? '', 'perhaps')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cuebook approvals allow'),
    });
    // Each answer goes to its own run, and leaves the others.
    expect(await cue('approvals', 'answer', id, 'yes')).toMatchObject({ stdout: 'Thanks.\n' });
    expect(await cue('approvals', 'deny', team?.id ?? '', '--json')).toMatchObject({
      code: expect.any(Number),
    });
    expect((await waiting(cwd)).map(({ kind, for: what }) => [kind, what])).toEqual([
      ['thread', 'budget'],
      ['workflow', 'input'],
      // Its node holds: the script has no more to say.
      ['team', 'input'],
    ]);
    expect((await cue('verify', '--all')).code).toBe(0);
  });

  it('`cuebook runs` tells how each stands, of which kind it is and what it runs', async () => {
    const fail = JSON.stringify({ lanes: { '*': [{ error: { status: 401 } }] } });
    const { run, call: cue } = await asking([GO], { ...AGENT, 'fail.json': fail });
    await cue('run', 'agent:desk', '--script', 'talk.json', '--input', 'Hi');
    await cue('run', TARGET, '--mode', 'chat', '--input', 'Hi', '--script', 'ask.json', '--json');
    await cue('run', TARGET, '--script', 'fail.json', '--json');
    const { runs } = JSON.parse((await cue('runs', '--json')).stdout) as { readonly runs: readonly object[] };
    expect(runs).toMatchObject([
      { kind: 'workflow', target: TARGET, status: 'failed', waiting: 0 },
      { kind: 'workflow', target: TARGET, status: 'waiting', waiting: 1, for: 'approval' },
      { kind: 'thread', target: 'agent:desk', status: 'completed', waiting: 0 },
      { run, kind: 'workflow', status: 'waiting', waiting: 1, turns: 1, events: expect.any(Number) },
    ]);
    const { stdout } = await cue('runs');
    expect(stdout).toMatch(/^run_\w+ {2}completed {2}2 turns {2}thread agent:desk {2}last event/m);
    expect(stdout).toMatch(
      new RegExp(`^${run}  waiting  1 turn, 1 waiting for you  ${TARGET}  last event`, 'm'),
    );
  });
});
