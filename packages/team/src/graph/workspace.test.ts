import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { NodeWorkspace } from './node.js';
import { findNode, nodeFinder } from './reference.js';
import { hostOf, inFolder, isOneFolder, settleWorkspace } from './workspace.js';

type Node = { readonly id: string; readonly alias?: string; readonly workspace: NodeWorkspace };
const NODES: readonly Node[] = [
  { id: 'node_1', alias: 'dev', workspace: 'own' },
  { id: 'node_2', alias: 'review', workspace: { with: 'Dev' } },
  { id: 'node_3', alias: 'test', workspace: { with: 'node_2' } },
  { id: 'node_4', alias: 'pair', workspace: 'shared' },
  { id: 'node_5', alias: 'other', workspace: { with: 'pair' } },
  { id: 'node_6', alias: 'a', workspace: { with: 'b' } },
  { id: 'node_7', alias: 'b', workspace: { with: 'a' } },
  { id: 'node_8', alias: 'lost', workspace: { with: 'ghost' } },
];

describe('where a node works', () => {
  it.each<[string, NodeWorkspace, unknown]>([
    ['of its own', 'own', { ok: true, value: 'own' }],
    ['the person’s', 'shared', { ok: true, value: 'shared' }],
    ['with another', { with: 'DEV' }, { ok: true, value: { with: 'node_1' } }],
    ['with one that works with another', { with: 'test' }, { ok: true, value: { with: 'node_1' } }],
    ['with one that works in the person’s', { with: 'other' }, { ok: true, value: 'shared' }],
    ['with nobody', { with: 'nobody' }, { ok: false, error: { kind: 'unknown', reference: 'nobody' } }],
    [
      'with one that is lost',
      { with: 'lost' },
      { ok: false, error: { kind: 'unknown', reference: 'ghost' } },
    ],
    ['in a circle', { with: 'a' }, { ok: false, error: { kind: 'circle', nodes: ['node_6', 'node_7'] } }],
  ])('%s', (_name, given, settled) => {
    expect(settleWorkspace(nodeFinder(NODES), given)).toEqual(settled);
  });

  it('whatever nodes name each other: a folder that somebody has, or why there is none', () => {
    const some = fc.array(
      fc.oneof(
        fc.constantFrom<NodeWorkspace>('own', 'shared'),
        fc.nat(12).map((to): NodeWorkspace => ({ with: `n${to}` })),
      ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(some, (workspaces) => {
        const nodes: readonly Node[] = workspaces.map((workspace, id) => ({ id: `n${id}`, workspace }));
        for (const node of nodes)
          expect([node.id, outcome(settleWorkspace(nodeFinder(nodes), node.workspace))]).toEqual([
            node.id,
            followed(nodes, node),
          ]);
      }),
      runs(200, 5_000),
    );
  });
});

/** The same by walking as many steps as there are nodes. */
function followed(nodes: readonly Node[], from: Node): unknown {
  let at: Node | undefined = from;
  for (let steps = 0; steps <= nodes.length; steps += 1) {
    if (at === undefined) return 'unknown';
    if (typeof at.workspace !== 'object')
      return at === from || at.workspace === 'shared' ? at.workspace : { with: at.id };
    at = findNode(nodes, at.workspace.with);
  }
  return 'circle';
}

const outcome = (settled: ReturnType<typeof settleWorkspace>): unknown =>
  settled.ok ? settled.value : settled.error.kind;

it('a reference is found by a finder as by a look through all', () => {
  for (const reference of ['node_1', ' dev ', 'DEV', 'nobody', 'NODE_1', 'Review'])
    expect(nodeFinder(NODES)(reference)).toBe(findNode(NODES, reference));
});

it('a folder is known by the node that has it', () => {
  const [dev, review] = [NODES[0] as Node, { ...(NODES[1] as Node), workspace: { with: 'node_1' } }];
  expect([hostOf(dev), hostOf(review)]).toEqual(['node_1', 'node_1']);
  expect(inFolder(review)).toEqual({ ...review, id: 'node_1', workspace: 'own' });
  expect(inFolder(dev)).toEqual(dev);
  expect(isOneFolder(dev, review)).toBe(true);
  const pair = NODES[3] as Node;
  expect([isOneFolder(pair, pair), isOneFolder(pair, review)]).toEqual([false, false]);
});
