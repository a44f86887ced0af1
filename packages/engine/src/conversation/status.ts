import { type Approval, pendingApprovals } from '../approval/approval.js';
import { areRunning } from '../tool-loop/calls.js';
import type { Conversation, Pause } from './conversation.js';

/** What a conversation is doing, told as it is: it never says `asking` or `tools` while it waits for somebody. */
export type ConversationStatus =
  | { readonly kind: 'new' | 'idle' | 'asking' | 'tools' | 'stopping' | 'stopped' | 'done' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'waiting'; readonly for: 'approval'; readonly approvals: readonly Approval[] }
  /** Nobody knows whether these effects were done: `effect.resolve` answers. */
  | { readonly kind: 'waiting'; readonly for: 'outcome'; readonly effects: readonly string[] }
  | { readonly kind: 'waiting'; readonly for: Pause['kind']; readonly pause: Pause };

export function statusOf(state: Conversation): ConversationStatus {
  const open = [...(state.calls ?? []), ...state.native];
  const running = open.filter(
    (call) => call.phase === 'running' && !state.doubts.includes(call.effect ?? ''),
  );
  const approvals = pendingApprovals(state.approvals);
  if (state.doubts.length > 0 && running.length === 0)
    return { kind: 'waiting', for: 'outcome', effects: state.doubts };
  if (approvals.length > 0 && !areRunning(open)) return { kind: 'waiting', for: 'approval', approvals };
  if (state.pause) return { kind: 'waiting', for: state.pause.kind, pause: state.pause };
  if (state.mode === 'failed') return { kind: 'failed', ...(state.failure ?? UNTOLD) };
  if (state.mode !== 'active') return { kind: state.mode };
  return { kind: state.turn ? 'asking' : 'tools' };
}

const UNTOLD = { code: 'E_AGENT_TURN', message: 'The turn failed.' };
