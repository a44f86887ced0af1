import type { EnvelopeView } from '@cuebook/api';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { HARMLESS, lookAt, type PlayedNodes, playNodes } from './played-nodes.js';
import {
  call,
  must,
  nodeOf,
  type ServerStand,
  says,
  serverStand,
  start,
  team,
  until,
  weaver,
} from './server-stand.js';

const may = (edgeManagement: string) => ({ capabilities: { ...HARMLESS, edgeManagement } });
const LEAD = { role: 'orchestrator', ...may('all') };
/** A role that may manage edges as far as its node may, and does not lead. */
const WEAVER = weaver(['edge_management_all']);
const spawn = (alias: string, more: object = {}) =>
  call('spawn_node', { label: alias, alias, roleTemplate: 'planner', ...more });
const edge = (from: string, to: string, more: object = {}) => call('create_edge', { from, to, ...more });
const send = (to: string, message = 'Hi.', more: object = {}) =>
  call('send_handoff', { to, message, ...more });

let stand: ServerStand;
let played: PlayedNodes;
beforeAll(async () => {
  stand = await serverStand({ files: { 'docs/templates/weaver.md': WEAVER } });
  played = await playNodes(stand, [
    {
      alias: 'none',
      node: { role: 'weaver', ...may('none') },
      turns: [says(spawn('x1'), edge('none', 'quiet'), edge('quiet', 'other'))],
    },
    {
      alias: 'self',
      node: { role: 'weaver', ...may('self') },
      turns: [says(spawn('x2'), edge('quiet', 'other'))],
    },
    { alias: 'lead', node: LEAD, turns: [says(spawn('kid'), edge('lead', 'kid'), send('kid', 'Begin.'))] },
    { alias: 'noEdge', node: LEAD, turns: [says(send('quiet'), send('nobody'))] },
    {
      alias: 'oneWay',
      node: LEAD,
      turns: [says(edge('oneWay', 'back', { bidirectional: false }), send('back', 'One way.'))],
    },
    { alias: 'back', turns: [says(send('oneWay', 'And back.'))] },
    {
      alias: 'twoWay',
      node: LEAD,
      turns: [
        says(
          edge('twoWay', 'answer', { type: 'report' }),
          send('answer', 'Ask.', { response: { expectation: 'required', replyTo: 'TWOWAY' } }),
        ),
      ],
    },
    { alias: 'answer', asked: false, turns: [says(send('twoWay', 'Answer.'))] },
    {
      alias: 'giver',
      node: LEAD,
      turns: [
        says(
          spawn('given', { instructions: 'Do this.', input: { a: [1] } }),
          spawn('bare'),
          spawn('inputOnly', { input: { b: 2 } }),
        ),
      ],
    },
    {
      alias: 'same',
      node: LEAD,
      turns: [
        says(
          spawn('QUIET'),
          edge('same', 'same'),
          edge('same', 'other', { label: 'first' }),
          edge('same', 'other'),
        ),
      ],
    },
    ...['quiet', 'other'].map((alias) => ({ alias, turns: [says('Yes.')] })),
  ]);
});
afterAll(() => stand.remove());

const texts = (alias: string) => played.results(alias).map(({ text }) => text);
const statuses = (alias: string) => played.results(alias).map(({ status }) => status);
const hasNode = (alias: string) => played.view.nodes.some((node) => node.alias === alias);
const sent = () => played.events('envelope.sent') as unknown as readonly EnvelopeView[];
const between = (from: string, to: string) =>
  sent().filter(
    (each) =>
      each.fromNodeId === nodeOf(played.view, from).id && each.toNodeId === nodeOf(played.view, to).id,
  );
const edgeOf = (from: string, to: string) =>
  played.view.edges.filter(
    (each) => each.from === nodeOf(played.view, from).id && each.to === nodeOf(played.view, to).id,
  );

describe('33, 34: who may change the graph', () => {
  it('not a node without the right: it is told which one', () => {
    expect(statuses('none')).toEqual(['refused', 'refused', 'refused']);
    expect(texts('none')[0]).toContain('edgeManagement=all');
    expect(texts('self')[0]).toContain('edgeManagement=all');
    expect(statuses('self')).toEqual(['refused', 'refused']);
    expect([hasNode('x1'), hasNode('x2')]).toEqual([false, false]);
    expect(edgeOf('quiet', 'other')).toEqual([]);
  });

  it('`self` for its own edges, after a person has allowed it', async () => {
    stand.script({ mine: [says(edge('mine', 'there'))], there: [] });
    const run = await start(
      stand,
      team([
        { alias: 'mine', role: 'weaver', ...may('self') },
        { alias: 'there', capabilities: HARMLESS },
      ]),
    );
    const waiting = await until(stand, run, ({ needs }) => needs.length > 0);
    expect(waiting.needs).toMatchObject([
      {
        kind: 'approval',
        approval: { tool: 'create_edge', alias: 'mine', input: { from: 'mine', to: 'there' } },
      },
    ]);
    expect(waiting.edges).toEqual([]);
    const [need] = waiting.needs;
    const approval = need?.kind === 'approval' ? need.approval.id : '';
    must(await stand.client.resolveApproval({ run, approval, decision: 'allow' }));
    expect((await lookAt(stand, run)).view.edges).toMatchObject([{ type: 'handoff' }]);
  });
});

it('35: a node, an edge and a handoff by alias in one answer are there in that order', () => {
  expect(statuses('lead')).toEqual(['ok', 'ok', 'ok']);
  const kid = nodeOf(played.view, 'kid').id;
  const added = played.events('node.added').findIndex(({ node }) => (node as { id: string }).id === kid);
  expect(added).toBeGreaterThan(0);
  expect(edgeOf('lead', 'kid')).toHaveLength(1);
  expect(between('lead', 'kid')).toMatchObject([{ kind: 'handoff', payload: { message: 'Begin.' } }]);
  expect(played.turns('kid')[0]?.cause).toBe('handoff');
});

describe('37: a handoff goes along an edge', () => {
  it('and nowhere else', () => {
    expect(texts('noEdge')[0]).toMatch(/needs an edge/);
    expect(texts('noEdge')[1]).toMatch(/nobody/);
    expect(between('noEdge', 'quiet')).toEqual([]);
  });
  it('in one direction only, where that was said', () => {
    expect(statuses('oneWay')).toEqual(['ok', 'ok']);
    expect(between('oneWay', 'back')).toHaveLength(1);
    expect(texts('back')[0]).toMatch(/needs an edge/);
    expect(between('back', 'oneWay')).toEqual([]);
  });
  it('in both where nothing else was said, and a reply that is owed is seen until it comes', () => {
    expect(between('twoWay', 'answer')).toMatchObject([
      { payload: { response: { expectation: 'required', replyTo: nodeOf(played.view, 'twoWay').id } } },
    ]);
    expect(between('answer', 'twoWay')).toMatchObject([{ payload: { message: 'Answer.' } }]);
    expect(played.view.replies).toEqual([]);
  });
});

it('38: an edge goes both ways, for handoffs, and is labelled after its type', () => {
  expect(edgeOf('lead', 'kid')).toMatchObject([{ bidirectional: true, type: 'handoff', label: 'task' }]);
  expect(edgeOf('twoWay', 'answer')).toMatchObject([
    { bidirectional: true, type: 'report', label: 'report' },
  ]);
  expect(edgeOf('same', 'other')).toMatchObject([{ label: 'first' }]);
  expect(statuses('same')).toEqual(['refused', 'refused', 'ok', 'refused']);
});

it('40: an envelope has all its parts', () => {
  for (const envelope of sent()) {
    expect(envelope).toMatchObject({
      kind: 'handoff',
      id: expect.stringMatching(/^env_/),
      payload: { message: expect.any(String) },
    });
    expect(new Date(envelope.createdAt).toISOString()).toBe(envelope.createdAt);
    for (const id of [envelope.fromNodeId, envelope.toNodeId])
      expect(played.view.nodes.some((node) => node.id === id)).toBe(true);
  }
});

it('43: spawning with instructions or input sends one envelope, without an edge', () => {
  expect(between('giver', 'given')).toMatchObject([
    { payload: { message: 'Do this.', structured: { a: [1] } } },
  ]);
  expect(between('giver', 'inputOnly')).toMatchObject([
    { payload: { message: 'Spawned task', structured: { b: 2 } } },
  ]);
  expect(between('giver', 'bare')).toEqual([]);
  expect(edgeOf('giver', 'given')).toEqual([]);
  const told = JSON.parse(texts('giver')[0] ?? '{}');
  expect(told).toMatchObject({
    nodeId: nodeOf(played.view, 'given').id,
    alias: 'given',
    roleTemplate: 'planner',
    provider: 'cli',
  });
});

it('41: handoffs that come while a node is at work wait in order, and do not interrupt it', async () => {
  stand.script({
    busy: [[{ text: 'At work.' }, { waitFor: `${stand.root}/go` }], says('Read.')],
    one: [says(send('busy', 'First.'), send('busy', 'Second.'))],
    two: [says(send('busy', 'Third.'))],
  });
  const nodes = ['busy', 'one', 'two'].map((alias) => ({ alias, capabilities: HARMLESS }));
  const run = await start(
    stand,
    team(nodes, {
      edges: [
        { from: 'one', to: 'busy' },
        { from: 'two', to: 'busy' },
      ],
    }),
  );
  await stand.client.messageNode({ run, node: 'one', text: 'Go.' });
  await until(stand, run, (view) => nodeOf(view, 'busy').inbox.length === 2);
  await stand.client.messageNode({ run, node: 'two', text: 'Go.' });
  const waiting = await until(stand, run, (view) => nodeOf(view, 'busy').inbox.length === 3);
  expect(nodeOf(waiting, 'busy')).toMatchObject({ status: 'running', work: { number: 1 } });
  stand.write('../go', '');
  const later = await lookAt(stand, run);
  const prompt = await later.prompt('busy', 1);
  const places = ['First.', 'Second.', 'Third.'].map((text) => prompt.indexOf(text));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(later.turns('busy')[0]).toMatchObject({ reason: 'done', text: 'At work.' });
});
