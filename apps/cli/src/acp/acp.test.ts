import { cpSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { itInTurn as it, itInSoak } from '../../../../test/runs.js';
import {
  CASHIER,
  calls,
  choose,
  type Editor,
  type EditorOptions,
  openEditor,
  plan,
  silent,
  spoken,
  startEditor,
} from '../../test/acp.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll } from '../../test/git.js';

// The protocol's own client against the built command, over the standard streams of a process.

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));

/** Three projects, and one script that plays all of them. */
function projects() {
  const requests = folderWith();
  cpSync(join(EXAMPLES, 'requests'), requests, { recursive: true });
  const team = folderWith({ 'cuebook.yaml': '', 'greet.mjs': "const hello = 'Hello';\n", 'team.yaml': TEAM });
  commitAll(team, 'A greeter');
  const steps = readFileSync(join(requests, 'rehearsal.yaml'), 'utf8');
  const script = join(folderWith({ 'script.yaml': `${steps}${LANES}` }), 'script.yaml');
  return { cashier: folderWith(CASHIER), requests, team, script };
}

/** Whatever the developer does by itself, a person is asked first. */
const TEAM = `goal: Speak German.
budget: { turns: 9 }
nodes:
  - { alias: lead, label: Lead, role: orchestrator }
  - { alias: dev, label: Developer, role: implementer, permissions: { cliPermissionsMode: gated } }
edges: [{ from: lead, to: dev }]
`;

const call = (name: string, args: object): string => JSON.stringify({ tool_call: { name, args } });

const LANES = `
  cashier:
    - text: "I look first."
      toolCalls: [{ name: look, args: {} }, { name: pay, args: { to: Ada } }]
    - text: "Ada has her money."
    - text: "You are welcome."
  lead:
    - text: |
        One change is enough.
        ${call('send_handoff', { to: 'dev', message: 'Add German.' })}
    - text: |
        Seen.
        ${call('finish_run', { ok: true, summary: 'It speaks German.' })}
  dev:
    - text: |
        I add a word.
        ${call('send_handoff', { to: 'lead', message: 'German is in.' })}
      edits: [{ path: greet.mjs, content: "const hello = 'Guten Tag';\\n" }]
`;

/** Talks to a target of each kind, each in a project of its own. */
async function talkToAll(
  start: (args: readonly string[], options: EditorOptions) => Promise<Editor>,
): Promise<void> {
  const { cashier, requests, team, script } = projects();
  const editor = await start(['--script', script], { permit: choose('allow') });
  const { agent, updates, asked } = editor;

  // An agent: words, calls with their status, a permission; the thread goes on with the next prompt.
  const opened = await agent.request('session/new', { cwd: cashier, mcpServers: [] });
  expect(opened.configOptions).toMatchObject([
    {
      id: 'target',
      currentValue: 'agent:cashier',
      options: [{ value: 'agent:cashier' }, { value: 'prompt:cashier' }],
    },
  ]);
  const thread = opened.sessionId;
  expect(await editor.say(thread, 'Pay Ada.')).toMatchObject({
    stopReason: 'end_turn',
    _meta: { cuebook: { run: thread, status: 'done' } },
  });
  expect(spoken(updates)).toBe('I look first.\n\nAda has her money.');
  expect(spoken(updates, 'user_message_chunk')).toBe('');
  expect(calls(updates)).toEqual({ 'look {}': 'completed', 'pay {"to":"Ada"}': 'completed' });
  expect(asked).toMatchObject([
    { sessionId: thread, toolCall: { title: 'pay {"to":"Ada"}', rawInput: { to: 'Ada' } } },
  ]);
  updates.length = 0;
  expect(await editor.say(thread, 'Thanks.')).toMatchObject({ stopReason: 'end_turn' });
  expect(spoken(updates)).toBe('You are welcome.');

  // A workflow: its steps are the plan.
  updates.length = 0;
  const flow = await editor.begin(requests);
  expect(await editor.say(flow, 'When are you open?')).toMatchObject({ stopReason: 'end_turn' });
  expect(plan(updates)).toEqual(['intake', 'decide', 'answer', 'close'].map((step) => `completed ${step}`));
  expect(calls(updates)).toMatchObject({ 'fs.write @project/artifacts/answer.md': 'completed' });
  expect(spoken(updates)).toContain('The request is answered.');

  // A team: who speaks, what was handed over, what was changed; each act of the developer is asked about.
  updates.length = 0;
  asked.length = 0;
  const group = await editor.begin(team);
  expect(await editor.say(group, 'Greet visitors in German.')).toMatchObject({ stopReason: 'end_turn' });
  expect(spoken(updates)).toMatch(
    /^\*\*lead\*\*\n\nOne change is enough\.\s+\*\*dev\*\*\n\nI add a word\.\s+\*\*lead\*\*\n\nSeen\.\s+It speaks German\.$/,
  );
  expect(plan(updates)).toEqual([
    'completed Greet visitors in German.',
    'completed dev: Add German.',
    'completed lead: German is in.',
  ]);
  const diff = {
    type: 'diff',
    path: join(team, 'greet.mjs'),
    oldText: "const hello = 'Hello';\n",
    newText: "const hello = 'Guten Tag';\n",
  };
  expect(asked).toMatchObject([
    { toolCall: { kind: 'edit', title: 'dev: edit greet.mjs', content: [diff, {}] } },
  ]);
  expect(updates).toContainEqual(expect.objectContaining({ status: 'completed', content: [diff] }));
  expect(Object.values(calls(updates)).every((status) => status === 'completed')).toBe(true);
  // What is said to a run that is over begins another in the same session, and both are loaded.
  expect(await editor.say(group, 'Once more.')).not.toMatchObject({ _meta: { cuebook: { run: group } } });
  const words = spoken(updates);
  updates.length = 0;
  const { modes } = await agent.request('session/load', { sessionId: group, cwd: team, mcpServers: [] });
  expect(spoken(updates, 'user_message_chunk')).toBe('Greet visitors in German.Once more.');
  expect(words.replace(/\s/g, '')).toBe(
    spoken(updates).replace(/\s/g, '').replaceAll('Seen.', 'Seen.ItspeaksGerman.'),
  );
  expect(modes).toMatchObject({ currentModeId: 'IMPLEMENTATION' });

  // Runs are sessions: of each project its own.
  const { sessions } = await agent.request('session/list', { cwd: cashier });
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([thread]);
  expect(await editor.leave()).toBe(0);
  for (const cwd of [cashier, requests, team])
    expect(await cuebook(['verify', '--all'], { cwd })).toMatchObject({ code: 0 });
  const { stdout } = await cuebook(['log', thread, '--json'], { cwd: cashier });
  expect(stdout).toContain('approval.resolved');
}

it('is an agent, a workflow and a team of three projects at once', () =>
  talkToAll((args, options) => openEditor(args, { ...options, cwd: tmpdir() })));

itInSoak('is all of them in a process of its own', () => talkToAll(startEditor));

it('goes on after kill -9: a session that is loaded tells its record and asks again', async () => {
  const { script, cashier: cwd } = projects();
  const first = await startEditor(['agent:cashier', '--script', script, '--project', cwd], {
    permit: silent,
  });
  const session = await first.begin(cwd);
  first.say(session, 'Pay Ada.').catch(() => undefined);
  await first.until(() => first.asked.length === 1);
  first.child.kill('SIGKILL');
  const second = await startEditor(['agent:cashier', '--project', cwd], { permit: choose('deny') });
  await second.agent.request('session/load', { sessionId: session, cwd, mcpServers: [] });
  expect(spoken(second.updates, 'user_message_chunk')).toBe('Pay Ada.');
  expect(calls(second.updates)).toMatchObject({ 'look {}': 'completed' });
  await second.until(() => spoken(second.updates).includes('Ada has her money.'));
  // Words go on in the same thread, and what was denied was not done.
  expect(await second.say(session, 'Thanks.')).toMatchObject({ stopReason: 'end_turn' });
  expect(spoken(second.updates)).toBe('I look first.\n\nAda has her money.You are welcome.');
  expect(calls(second.updates)).toEqual({ 'look {}': 'completed', 'pay {"to":"Ada"}': 'failed' });
  expect(second.asked).toHaveLength(1);
  expect(await second.leave()).toBe(0);
  expect((await cuebook(['log', session, '--json'], { cwd })).stdout).not.toContain('paid Ada');
});
