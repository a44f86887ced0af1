import { type Approval, pendingApprovals } from '@cuebook/engine';
import {
  isLeft,
  isOver,
  type NodeHold,
  type NodeState,
  nodesOf,
  type RunPause,
  type TeamState,
} from './state.js';
import { causeOf } from './step/schedule.js';

/** What a node is doing, in one word. */
export type NodeStatus = 'idle' | 'running' | 'blocked' | 'failed';

/** A node that waits for a person is never said to run. */
export function nodeStatus({ work, hold }: NodeState): NodeStatus {
  if (work !== null) {
    const asked = [...work.calls, ...work.native].some(({ phase }) => phase === 'asked');
    return asked || (isLeft(work) && !work.judged) ? 'blocked' : 'running';
  }
  if (hold === null) return 'idle';
  return hold.kind === 'failed' ? 'failed' : 'blocked';
}

/** Something that only a person can settle. */
export type Need =
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'hold'; readonly node: string; readonly hold: NodeHold }
  | { readonly kind: 'outcome'; readonly effect: string }
  | { readonly kind: 'pause'; readonly pause: RunPause };

/** All that waits for a person, oldest approvals first. */
export const needsOf = (state: TeamState): readonly Need[] => [
  ...(state.pause === null ? [] : [{ kind: 'pause', pause: state.pause } as const]),
  ...pendingApprovals(state.approvals).map((approval) => ({ kind: 'approval', approval }) as const),
  ...state.doubts.map((effect) => ({ kind: 'outcome', effect }) as const),
  ...nodesOf(state).flatMap(({ node, hold }) =>
    hold === null ? [] : [{ kind: 'hold', node: node.id, hold } as const],
  ),
];

/** Whether nothing happens any more without a person: no turn in flight, and none that could begin. */
export const isQuiet = (state: TeamState): boolean =>
  (isOver(state) || !state.finishing) &&
  nodesOf(state).every(
    (node) => node.work === null && (state.status !== 'running' || causeOf(state, node) === undefined),
  );
