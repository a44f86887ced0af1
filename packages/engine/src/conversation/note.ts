import type { DecideContext } from '../machine.js';
import type { ConversationEvent } from './conversation.js';

/** Who says what we say for the user. */
export const NOTE_BY = 'cuebook';

/** A person cannot speak in our name. */
export const person = (by: string): string => (by === NOTE_BY || by === '' ? 'somebody' : by);

/** A word of ours in the user's place. */
export const noteFor = (text: string, { newId }: DecideContext): ConversationEvent => ({
  type: 'agent.told',
  data: { id: newId('msg'), text, by: NOTE_BY },
});
