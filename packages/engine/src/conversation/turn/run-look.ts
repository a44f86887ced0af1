import type { Approvals } from '../../approval/approval.js';
import type { CallResult } from '../../tool-loop/result.js';
import type { Conversation } from '../conversation.js';

/** Where the state of a run has what its turns wait for. Pure. */
export interface RunLook<State> {
  /** Whether nobody wants the turn of this effect to go on. */
  readonly isStopped: (state: State, effect: string) => true | undefined;
  /** The result of a call that an agent made in mid-turn. */
  readonly resultOf: (state: State, call: string) => CallResult | undefined;
  readonly approvalsOf: (state: State) => Approvals;
}

/** How the conversation of one agent is looked at. */
export const CONVERSATION_LOOK: RunLook<Conversation> = {
  isStopped: ({ mode, turn }, effect) =>
    mode === 'stopping' || turn?.effect !== effect || turn.given === 'up' ? true : undefined,
  resultOf: (state, call) => state.native.find(({ id }) => id === call)?.result,
  approvalsOf: (state) => state.approvals,
};
