import { pendingApprovals } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import { isRootLead } from '../graph/node.js';
import { isOver, type NodeHold, type NodeState, nodesOf, type RunPause, type TeamState } from './state.js';
import { isQuiet } from './status.js';

/** Something beside approvals that keeps a run from going on without a person. */
export type TeamWait =
  /** After a crash nobody knows whether it was done. */
  | {
      readonly kind: 'outcome';
      readonly effect: string;
      readonly node: string | null;
      /** The tool that was called; empty for a turn, and for what follows one. */
      readonly tool: string;
      readonly input: JsonValue;
      /** What was being done, in words. */
      readonly what: string;
    }
  | { readonly kind: 'hold'; readonly node: string; readonly hold: NodeHold }
  | { readonly kind: 'pause'; readonly pause: RunPause }
  /** Everybody is done, and the run is not: a word goes on. */
  | { readonly kind: 'idle'; readonly node: string | null };

/**
 * All that a person is waited for beside approvals. A run that is not over, in which nothing is under way, always has
 * something here or an approval: nothing stands still unlisted.
 */
export function waitsOf(state: TeamState): readonly TeamWait[] {
  if (state.status === 'new' || isOver(state)) return [];
  const waits: readonly TeamWait[] = [
    ...(state.pause === null ? [] : [{ kind: 'pause', pause: state.pause } as const]),
    ...state.doubts.map((effect) => doubtOf(state, effect)),
    ...nodesOf(state).flatMap(({ node, hold }) =>
      hold === null ? [] : [{ kind: 'hold', node: node.id, hold } as const],
    ),
  ];
  const isIdle = waits.length === 0 && pendingApprovals(state.approvals).length === 0 && isQuiet(state);
  return isIdle ? [{ kind: 'idle', node: firstOf(state)?.node.id ?? null }] : waits;
}

/** How many things wait for a person. */
export const waitingCount = (state: TeamState): number =>
  isOver(state) ? 0 : waitsOf(state).length + pendingApprovals(state.approvals).length;

/** Who is spoken to where nobody is named: the one who leads, else the first. */
const firstOf = (state: TeamState): NodeState | undefined =>
  nodesOf(state).find(({ node }) => isRootLead(node)) ?? nodesOf(state)[0];

function doubtOf(state: TeamState, effect: string): TeamWait {
  const base = { kind: 'outcome', effect, tool: '', input: null } as const;
  const { check } = state.finishing ?? {};
  if (check?.effect === effect) return { ...base, node: check.node, what: STEPS['verify.run'] };
  for (const { node, work } of nodesOf(state)) {
    if (work === null) continue;
    if (work.effect === effect) return { ...base, node: node.id, what: `turn ${work.turn}` };
    if (work.step?.effect === effect) return { ...base, node: node.id, what: STEPS[work.step.kind] };
    const call = [...work.calls, ...work.native].find((each) => each.effect === effect);
    if (call !== undefined)
      return { ...base, node: node.id, tool: call.name, input: call.changed ?? call.input, what: 'a call' };
  }
  return { ...base, node: null, what: 'something' };
}

const STEPS = {
  'diff.take': 'the look at what a turn changed',
  'diff.set-aside': 'setting changes aside',
  'verify.run': 'the checks after a turn',
} as const;
