import { type Approval, type CallState, pendingApprovals } from '@cuebook/engine';
import type { SessionOutcome } from './frame.js';
import { findFrame, ROOT, type ThreadPause, type ThreadRunState } from './state.js';

/** What a thread does or waits for. It never claims work where there is none. */
export type ThreadStatus =
  | { readonly kind: 'new' | 'idle' | 'working' }
  | { readonly kind: 'done' | 'failed' | 'stopped'; readonly outcome: SessionOutcome }
  /** Nobody knows whether these calls were done: `effect.resolve` answers. */
  | { readonly kind: 'waiting'; readonly for: 'outcome'; readonly calls: readonly DoubtfulCall[] }
  | { readonly kind: 'waiting'; readonly for: 'approval'; readonly approvals: readonly Approval[] }
  | { readonly kind: 'waiting'; readonly for: 'budget' | 'stall'; readonly pause: ThreadPause };

export interface DoubtfulCall {
  readonly effect: string;
  readonly tool: string;
  readonly call: CallState;
}

export function threadStatus(state: ThreadRunState): ThreadStatus {
  const root = findFrame(state, ROOT);
  if (root === undefined) return { kind: 'new' };
  const frames = Object.values(state.frames);
  const doubts = frames.flatMap(({ calls }) =>
    (calls ?? []).flatMap((call) =>
      call.effect !== undefined && state.doubts.includes(call.effect)
        ? [{ effect: call.effect, tool: call.name, call }]
        : [],
    ),
  );
  if (doubts.length > 0) return { kind: 'waiting', for: 'outcome', calls: doubts };
  const approvals = pendingApprovals(state.approvals);
  const isMoving = frames.some(
    ({ ask, hooking, calls }) =>
      ask !== null ||
      hooking !== null ||
      (calls ?? []).some(({ phase, effect }) => phase === 'running' && effect !== undefined),
  );
  if (approvals.length > 0 && !isMoving) return { kind: 'waiting', for: 'approval', approvals };
  if (state.pause !== null) return { kind: 'waiting', for: state.pause.kind, pause: state.pause };
  const isBusy = frames.some(
    ({ ask, hooking, calls, active, inbox, ended }) =>
      ask !== null || hooking !== null || calls !== null || active || (inbox.length > 0 && !ended),
  );
  if (isBusy && state.mode !== 'stopped') return { kind: 'working' };
  const { outcome } = root;
  return outcome === null ? { kind: 'idle' } : { kind: outcome.status, outcome };
}
