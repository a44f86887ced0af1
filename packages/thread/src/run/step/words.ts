import { TEXTS } from '../../shipped-texts.js';
import type { AnyThreadEvent } from '../event.js';
import type { Attachment, NewMessage } from '../message.js';
import type { Parts } from '../parts.js';

/** What a conversation is told by whoever opened it or speaks to it. */
export interface SpokenWords {
  readonly text: string;
  /** The arguments that `text` does not hold, as a message of their own. */
  readonly args?: string | undefined;
  readonly attachments: readonly Attachment[];
}

/** Which side hears it. Who receives it decides whose voice it is. */
export type Receiver = 'side_a' | 'side_b';

/** The words of a parent thread to a conversation, in the order in which they are read. */
export function tellWords(
  frame: string,
  { text, args, attachments }: SpokenWords,
  { context }: Parts,
  to: Receiver = 'side_a',
): readonly AnyThreadEvent[] {
  const voice = { ...voiceTo(to), from: 'parent' } as const;
  const told: Omit<NewMessage, 'id'>[] = [];
  if (text !== '' || attachments.length > 0)
    told.push({ ...voice, text, ...(attachments.length === 0 ? {} : { attachments }) });
  if (args !== undefined) told.push({ ...voice, text: args });
  return told.map((message) => tell(frame, { id: context.newId('msg'), ...message }));
}

/** The same for a conversation that is new: one that nothing is said to is told to begin, so that a model can answer. */
export function openWithWords(
  frame: string,
  words: SpokenWords,
  parts: Parts,
  to: Receiver = 'side_a',
): readonly AnyThreadEvent[] {
  const told = tellWords(frame, words, parts, to);
  if (told.length > 0) return told;
  return [
    tell(frame, {
      id: parts.context.newId('msg'),
      ...voiceTo(to),
      from: 'cuebook',
      text: TEXTS.text('conversation.md#begin'),
    }),
  ];
}

const voiceTo = (to: Receiver): Pick<NewMessage, 'role' | 'side'> =>
  to === 'side_b' ? { role: 'assistant', side: 'a' } : { role: 'user', side: 'b' };

const tell = (frame: string, message: NewMessage): AnyThreadEvent => ({
  type: 'message.told',
  data: { frame, message, hooked: false },
});
