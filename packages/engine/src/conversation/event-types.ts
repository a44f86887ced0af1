import type { ConversationEvent } from './conversation.js';

/** The types of the events of a conversation. */
export const CONVERSATION_EVENTS: { readonly [type in ConversationEvent['type']]: true } = {
  'agent.asked': true,
  'agent.judged': true,
  'agent.paused': true,
  'agent.resumed': true,
  'agent.started': true,
  'agent.stopped': true,
  'agent.stopping': true,
  'agent.told': true,
  'agent.worked': true,
  'approval.claimed': true,
  'approval.requested': true,
  'approval.resolved': true,
  'approval.told': true,
  'budget.held': true,
  'budget.opened': true,
  'budget.raised': true,
  'budget.spent': true,
  'call.settled': true,
  'native.called': true,
  'stall.cleared': true,
  'stall.found': true,
  'stall.observed': true,
};
