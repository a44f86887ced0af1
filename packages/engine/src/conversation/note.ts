import type { DecideContext } from '../machine.js';
import type { ConversationEvent } from './conversation.js';
import { NOTE_BY } from './person.js';

/** A word of ours in the user's place. */
export const noteFor = (text: string, { newId }: DecideContext): ConversationEvent => ({
  type: 'agent.told',
  data: { id: newId('msg'), text, by: NOTE_BY },
});
