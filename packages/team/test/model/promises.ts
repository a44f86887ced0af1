import { findApproval, pendingApprovals } from '@cuebook/engine';
import { expect } from 'vitest';
import { isWithinScope } from '../../src/capability/capabilities.js';
import { foldAlias } from '../../src/graph/reference.js';
import { hostOf } from '../../src/graph/workspace.js';
import { composeNode } from '../../src/prompt/compose.js';
import { promptInput } from '../../src/run/facts.js';
import { isOver, nodesOf } from '../../src/run/state.js';
import { isQuiet, needsOf } from '../../src/run/status.js';
import { waitingCount } from '../../src/run/waits.js';
import { BUDGET, LIMITS } from './acts.js';
import type { Run } from './play.js';

/** What holds after every act. */
export function checkPromises(run: Run): void {
  const state = run.state();
  // The state is nothing but the events, and both are plain JSON.
  expect(run.rebuilt()).toEqual(state);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  const nodes = nodesOf(state);
  const running = run.effects('node.turn');
  // Limits: of turns, of nodes, of depth, of inboxes, of money.
  expect(nodes.length).toBeLessThanOrEqual(LIMITS.nodes);
  for (const { node, inbox } of nodes) {
    expect(node.depth).toBeLessThanOrEqual(LIMITS.depth);
    expect(inbox.length).toBeLessThanOrEqual(LIMITS.inbox * 2);
  }
  const { spent } = state.budget.scopes.run ?? { spent: { turns: 0 } };
  expect(spent.turns + running.length).toBeLessThanOrEqual(BUDGET.turns);
  expect(Object.keys(state.budget.holds).sort()).toEqual(running.map(({ id }) => id).sort());
  // Nothing stands still unlisted.
  const isUnderWay = run.open().some(({ id }) => !state.doubts.includes(id));
  if (!isOver(state) && !isUnderWay) expect(waitingCount(state)).toBeGreaterThan(0);
  // One thing at a time in every lane, and every open effect belongs to somebody who waits for it.
  const lanes = run.open().map(({ lane }) => lane);
  expect(new Set(lanes).size).toBe(lanes.length);
  for (const { id, lane } of run.open()) {
    if (state.finishing?.check?.effect === id) continue;
    const work = nodes.find(({ node }) => lane.split('/')[1] === node.id)?.work;
    const waits = [
      work?.effect,
      work?.step?.effect,
      ...[...(work?.calls ?? []), ...(work?.native ?? [])].map(({ effect }) => effect),
    ];
    expect(waits).toContain(id);
  }
  // Two writers are never at work in one folder.
  const writers = nodes.filter(({ node, work }) => work !== null && node.workspace === 'shared');
  expect(writers.length).toBeLessThanOrEqual(1);
  // Nor are two nodes in one that is not the person's; whoever works with another works with one that has a folder.
  const folders = nodes.flatMap(({ node, work }) =>
    work === null || node.workspace === 'shared' ? [] : [hostOf(node)],
  );
  expect(new Set(folders).size).toBe(folders.length);
  for (const { node } of nodes) {
    if (typeof node.workspace === 'object')
      expect(state.nodes[node.workspace.with]?.node.workspace).toBe('own');
    // Nobody is given the person's folder by somebody who has it not.
    if (node.parent !== undefined && node.workspace === 'shared')
      expect(state.nodes[node.parent]?.node.workspace).toBe('shared');
  }
  // Aliases are unique, children are clamped, envelopes go along edges or from a parent.
  const aliases = nodes.flatMap(({ node }) => (node.alias === undefined ? [] : [foldAlias(node.alias)]));
  expect(new Set(aliases).size).toBe(aliases.length);
  for (const { node } of nodes) {
    const parent = node.parent === undefined ? undefined : state.nodes[node.parent]?.node;
    if (!parent) continue;
    expect(isWithinScope(node.capabilities.edgeManagement, parent.capabilities.edgeManagement)).toBe(true);
    for (const right of ['writeCode', 'writeDocs', 'runCommands'] as const)
      expect(node.limit?.[right] === true && parent.limit?.[right] === false).toBe(false);
    expect(node.orchestrator && !parent.orchestrator).toBe(false);
  }
  // Whoever does not lead has spawned no more than a person has allowed.
  const added = run
    .events()
    .flatMap((event) => (event.type === 'node.added' ? [event.data.node.parent] : []));
  const unled = added.filter((parent) => parent !== undefined && !state.nodes[parent]?.node.orchestrator);
  const allowed = Object.entries(state.approvals.resolved).filter(
    ([id, { decision }]) => state.approvals.asked[id]?.tool === 'spawn_node' && /allow|change/.test(decision),
  );
  expect(unled.length).toBeLessThanOrEqual(allowed.length);
  // A turn in flight can be composed, and a run that is over begins nothing.
  for (const { node, work } of nodes) {
    if (work === null) continue;
    const input = promptInput(state, node.id, { nativeTools: () => false });
    expect(input && composeNode(input).full.length).toBeGreaterThanOrEqual(4);
  }
  if (isOver(state)) expect(pendingApprovals(state.approvals)).toEqual([]);
  for (const { id } of pendingApprovals(state.approvals))
    expect(findApproval(state.approvals, id)).toBeDefined();
}

/** Nothing is stuck: when nothing is open, every node is idle and whoever could go on waits for a person. */
export function checkQuiet(run: Run): void {
  expect(run.open()).toEqual([]);
  expect(isQuiet(run.state())).toBe(true);
  const turns = run.events().filter(({ type }) => type === 'turn.started').length;
  expect(run.events().filter(({ type }) => type === 'turn.closed')).toHaveLength(turns);
  const { status, settings } = run.state();
  if (status === 'running' && settings.mode === 'AUTO')
    expect(needsOf(run.state()).length).toBeGreaterThan(0);
}
