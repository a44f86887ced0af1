import { expect } from 'vitest';
import { isSameFolder } from '../../src/graph/workspace.js';
import type { AnyTeamEvent } from '../../src/run/event.js';
import { nodesOf } from '../../src/run/state.js';
import type { Run } from './play.js';

/**
 * From the events alone: a run that is completed has waited for every diff and every check, the last check of every
 * folder has passed, and no handoff was delivered before it was known what its sender's turn had changed.
 */
export function checkEnd(run: Run): void {
  const events = run.events();
  const end = events.findIndex((event) => event.type === 'run.finished' && event.data.ok);
  const nodes = nodesOf(run.state()).map(({ node }) => node);
  const intents = new Map(
    events.flatMap((event) =>
      event.type === 'effect.intended' ? [[event.data.id, event.data] as const] : [],
    ),
  );
  let mode = 'IMPLEMENTATION';
  const modes = new Map<string, string>();
  const open = new Map<string, string>();
  const flagged = new Map<string, number>();
  /** For each node: what its folder stands for. */
  const standing = new Map<string, 'clean' | 'unchecked' | 'failing' | 'passed'>();
  const turnOf = (input: unknown): { readonly node: string; readonly turn: number } => input as never;

  events.slice(0, end === -1 ? undefined : end).forEach((event) => {
    switch (event.type) {
      case 'run.started':
        mode = event.data.globalMode;
        return;
      case 'run.moded':
        mode = event.data.after.globalMode;
        return;
      case 'turn.started':
        open.set(event.data.node, event.data.effect);
        modes.set(`${event.data.node} ${event.data.turn}`, mode);
        return;
      case 'turn.closed':
        open.delete(event.data.node);
        return;
      case 'changes.flagged':
        flagged.set(event.data.node, event.data.files.length);
        return;
      case 'envelope.delivered':
        checkDelivery(events, event);
        return;
      case 'effect.settled': {
        const intent = intents.get(event.data.id);
        if (intent === undefined) return;
        const { node, turn } = turnOf(intent.input);
        const { outcome } = event.data;
        if (intent.kind === 'diff.take') {
          const files = outcome.ok ? ((outcome.output as { files?: unknown[] }).files?.length ?? 0) : 1;
          if (files > 0 && modes.get(`${node} ${turn}`) !== 'PLANNING') standing.set(node, 'unchecked');
        }
        if (intent.kind === 'diff.set-aside' && outcome.ok && standing.get(node) === 'unchecked') {
          const files = lastDiff(events, intents, node, event);
          if (files <= (flagged.get(node) ?? 0)) standing.set(node, 'clean');
        }
        if (intent.kind === 'verify.run') {
          const isPassed = outcome.ok && (outcome.output as { failure?: unknown }).failure === null;
          const worker = nodes.find(({ id }) => id === node);
          for (const each of nodes) {
            const isSame = each.id === node || (worker !== undefined && isSameFolder(each, worker));
            if (each.id === node || (isPassed && isSame))
              standing.set(each.id, isPassed ? 'passed' : 'failing');
          }
        }
        return;
      }
      default:
        return;
    }
  });
  if (end === -1) return;
  expect([...open.keys()]).toEqual([]);
  for (const [node, state] of standing)
    expect([node, state]).toEqual([node, expect.stringMatching(/clean|passed/)]);
}

/** Nothing that belongs to the sender's turn comes after the delivery but its end. */
function checkDelivery(
  events: readonly AnyTeamEvent[],
  delivered: Extract<AnyTeamEvent, { readonly type: 'envelope.delivered' }>,
): void {
  const { from, envelope } = delivered.data;
  const at = events.indexOf(delivered);
  const isSpawned = events.some((event, index) => {
    if (event.type !== 'envelope.sent' || event.data.id !== envelope) return false;
    return events[index + 1] === delivered;
  });
  if (isSpawned) return;
  const rest = events.slice(at + 1);
  const closed = rest.findIndex((event) => event.type === 'turn.closed' && event.data.node === from);
  const between = rest.slice(0, closed === -1 ? 0 : closed).map(({ type }) => type);
  expect(closed).toBeGreaterThan(-1);
  expect(between.filter((type) => type !== 'envelope.delivered')).toEqual([]);
}

/** Files of the diff before an event of the same node. */
function lastDiff(
  events: readonly AnyTeamEvent[],
  intents: ReadonlyMap<string, { readonly kind: string; readonly input: unknown }>,
  node: string,
  until: AnyTeamEvent,
): number {
  let files = 0;
  for (const event of events.slice(0, events.indexOf(until))) {
    if (event.type !== 'effect.settled' || !event.data.outcome.ok) continue;
    const intent = intents.get(event.data.id);
    if (intent?.kind !== 'diff.take' || (intent.input as { node: string }).node !== node) continue;
    files = ((event.data.outcome.output as { files?: unknown[] }).files ?? []).length;
  }
  return files;
}
