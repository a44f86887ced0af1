import { listApprovals } from '../approval/listing.js';
import type { Machine } from '../machine.js';
import { DEFAULT_LANE } from './advance.js';
import type {
  Conversation,
  ConversationCommand,
  ConversationConfig,
  ConversationEvent,
} from './conversation.js';
import { decideConversation } from './decide.js';
import { CONVERSATION_EVENTS } from './event-types.js';
import { NEW_CONVERSATION, projectConversation } from './project.js';

/** One conversation with a model as a machine of the engine: its effects are `model.turn` and `tool.call`. */
export const createAgentMachine = (
  config: ConversationConfig,
): Machine<Conversation, ConversationCommand, ConversationEvent> => ({
  kind: 'agent',
  initial: NEW_CONVERSATION,
  events: CONVERSATION_EVENTS,
  decide: (state, command, context) => decideConversation(state, command, config, context),
  project: projectConversation,
  list: (run, event) => listApprovals({ run, lane: config.lane ?? DEFAULT_LANE }, event),
});
