import { createHash } from 'node:crypto';
import type { TurnView } from '@cuebook/api';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { HARMLESS, lookAt, type PlayedNodes, playNodes } from './played-nodes.js';
import {
  atGate,
  call,
  must,
  nodeOf,
  onceSpoken,
  type ServerStand,
  says,
  serverStand,
  start,
  team,
  until,
} from './server-stand.js';

let stand: ServerStand;
beforeAll(async () => {
  stand = await serverStand();
});
afterAll(() => stand.remove());

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const block = ({ full }: TurnView, name: string) =>
  full.blocks.find((each) => each.name === name)?.text ?? '';

async function told(played: PlayedNodes, alias: string, turn = 0): Promise<TurnView> {
  const id = played.turns(alias)[turn]?.turn ?? '';
  return must(await stand.client.getTurn({ run: played.run, turn: id }));
}

describe('the prompt of a turn', () => {
  let played: PlayedNodes;
  const NAMES = ['claude-like', 'codex-like', 'gemini-like'];
  beforeAll(async () => {
    const twins = NAMES.map((provider, index) => ({
      alias: `twin${index}`,
      turns: [says('Yes.')],
      node: { label: 'Twin', provider },
    }));
    played = await playNodes(
      stand,
      [
        {
          alias: 'boss',
          node: { role: 'orchestrator', label: 'The boss' },
          turns: [
            says(
              call('send_handoff', {
                to: 'dev',
                message: 'Look at this.',
                structured: { size: 3 },
                artifacts: [{ type: 'file', ref: 'docs/abc.md' }],
                status: { ok: false, reason: 'unfinished' },
                response: { expectation: 'required', replyTo: 'boss' },
                contextRef: 'docs/one.md',
              }),
            ),
          ],
        },
        { alias: 'dev', turns: [says('First.'), says('Second.')], node: { override: 'Speak in rhymes.' } },
        { alias: 'own', turns: [says('Yes.')], node: { prompt: 'You are a lighthouse.' } },
        ...twins,
      ],
      {
        team: {
          goal: 'Build the bridge.',
          done: ['Cars can cross.', 'It does not sway.'],
          globalMode: 'PLANNING',
          edges: [{ from: 'boss', to: 'dev', bidirectional: false, label: 'bridge work' }],
        },
      },
    );
  });

  it('1: is system, role, mode and task, joined by a blank line, byte for byte from its blocks', async () => {
    const { full } = await told(played, 'boss');
    expect(full.blocks.map(({ name }) => name)).toEqual(['system', 'role', 'mode', 'task']);
    expect(full.blocks.map(({ text }) => text).join('\n\n')).toBe(full.text);
    expect(stand.heard('boss')[0]?.prompt).toBe(full.text);
    expect((await told(played, 'dev')).full.blocks.at(-1)).toMatchObject({
      name: 'override',
      text: expect.stringContaining('Speak in rhymes.'),
    });
  });

  it('3: has the same role, mode and task for every provider, but for its name', async () => {
    const all = await Promise.all(NAMES.map((_, index) => told(played, `twin${index}`)));
    for (const name of ['system', 'role', 'mode'])
      expect(new Set(all.map((each) => block(each, name))).size).toBe(1);
    const ids = NAMES.map((_, index) => nodeOf(played.view, `twin${index}`).id);
    const own = (text: string, index: number) => {
      const [start, ...rest] = text.split('KNOWN_NODES');
      const mine = (start ?? '')
        .replaceAll(ids[index] ?? '', 'ID')
        .replaceAll(`twin${index}`, 'TWIN')
        .replaceAll(NAMES[index] ?? '', 'PROVIDER');
      return [mine, rest.length];
    };
    const tasks = all.map((each, index) => own(block(each, 'task'), index));
    expect(tasks[1]).toEqual(tasks[0]);
    expect(tasks[2]).toEqual(tasks[0]);
    expect(all.map(({ full }) => full.blocks.map(({ name }) => name).join())).toEqual(
      Array(3).fill('system,role,mode,task'),
    );
  });

  it('5: tells the objective, when it is done, the handoff whole, the workspace, every node and every edge', async () => {
    const task =
      block(await told(played, 'dev', 0), 'task') +
      block(await told(played, 'dev', played.turns('dev').length - 1), 'task');
    for (const text of ['Build the bridge.', 'Cars can cross.', 'It does not sway.', '@workspace'])
      expect(task).toContain(text);
    for (const text of [
      'Look at this.',
      '{"size":3}',
      '[file] docs/abc.md',
      'failed (unfinished)',
      'docs/one.md',
    ])
      expect(task).toContain(text);
    expect(task).toContain(`required replyTo=${nodeOf(played.view, 'boss').id}`);
    for (const { id, label, alias } of played.view.nodes)
      expect(task).toContain(`[${id}] ${label} alias=${alias}`);
    for (const { id } of played.view.edges) expect(task).toContain(`[${id}]`);
    expect(task).toContain('label=bridge work');
    expect(task).not.toContain(stand.root);
  });

  it('6: has the own text of a node in the place of the role, and nowhere else', async () => {
    const own = await told(played, 'own');
    expect(block(own, 'role')).toContain('You are a lighthouse.');
    expect(own.full.text.split('You are a lighthouse.')).toHaveLength(2);
    expect(block(own, 'system')).toBe(block(await told(played, 'dev'), 'system'));
    expect(block(await told(played, 'dev'), 'role')).toContain('[template]');
  });

  it('7: is kept with its hash, and no two prompts have the same', async () => {
    const all = await Promise.all(['boss', 'dev', 'own', 'twin0'].map((alias) => told(played, alias)));
    for (const { full } of all) {
      expect(full.hash).toBe(sha256(full.text));
      expect(full.masked).toBe(false);
      for (const each of full.blocks) expect(each.hash).toBe(sha256(each.text));
    }
    expect(new Set(all.map(({ full }) => full.hash)).size).toBe(all.length);
    expect(await told(played, 'boss')).toEqual(await told(played, 'boss'));
  });

  it('8: is a delta while the session goes on: smaller, without system and role, and both are kept', async () => {
    await stand.client.messageNode({ run: played.run, node: 'boss', text: 'Go on.' });
    const later = await lookAt(stand, played.run);
    const { full, delta, sends } = await told(later, 'boss', 1);
    expect(later.turns('boss')[1]).toMatchObject({ prompt: 'delta' });
    expect(full.blocks.map(({ name }) => name)).toEqual(['system', 'role', 'mode', 'task']);
    expect(delta?.blocks.map(({ name }) => name)).toEqual(['mode', 'task']);
    expect(delta?.text.length).toBeLessThan(full.text.length);
    expect(delta?.text).toContain('Go on.');
    const [first] = stand.heard('boss');
    const [, second] = stand.heard().filter(({ sessionId }) => sessionId === first?.sessionId);
    expect(second).toMatchObject({ promptKind: 'delta', prompt: delta?.text });
    expect(sends[0]?.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('4: carries the mode, and from the next turn on the new one', async () => {
    const planning = block(await told(played, 'dev'), 'mode');
    expect(planning).toMatch(/PLANNING[\s\S]*read-only[\s\S]*only in the docs[\s\S]*Implementation mode/);
    must(await stand.client.setMode({ run: played.run, globalMode: 'IMPLEMENTATION' }));
    await stand.client.messageNode({ run: played.run, node: 'own', text: 'Again.' });
    const later = await lookAt(stand, played.run);
    const changed = await told(later, 'own', 1);
    expect(block(changed, 'mode')).toMatch(
      /IMPLEMENTATION[\s\S]*Code edits[\s\S]*Docs updates[\s\S]*tests or verification/,
    );
    expect(changed.delta?.text).toContain('Mode: IMPLEMENTATION.');
  });
});

describe('10: the prompt is kept', () => {
  it('of a turn that failed, and of one that was interrupted', async () => {
    stand.script({
      bad: [[{ stderr: 'boom\n' }, { exit: 1 }]],
      slow: [[atGate(stand, 'slow'), { text: 'Hm.' }, { hang: true }]],
    });
    const run = await start(
      stand,
      team([
        { alias: 'bad', role: 'orchestrator', capabilities: HARMLESS },
        { alias: 'slow', capabilities: HARMLESS },
      ]),
    );
    await stand.client.messageNode({ run, node: 'slow', text: 'Go.' });
    await onceSpoken(stand, run, 'slow');
    must(await stand.client.interruptNode({ run, node: 'slow' }));
    const view = await until(stand, run, ({ nodes }) =>
      nodes.every(({ hold, work }) => hold !== null && work === null),
    );
    expect(nodeOf(view, 'bad').hold).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('boom'),
    });
    expect(nodeOf(view, 'slow').hold).toMatchObject({ kind: 'interrupted' });
    const played = await lookAt(stand, run);
    for (const alias of ['bad', 'slow']) expect((await told(played, alias)).full.text).toContain('Do it.');
    expect(played.turns('slow')[0]).toMatchObject({ reason: 'interrupted', text: 'Hm.' });
  });
});
