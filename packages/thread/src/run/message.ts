import type { JsonValue } from '@cuebook/prompt';

/** Whose voice: side A is the model's; side B is the other model, a person, or a parent thread. */
export type Side = 'a' | 'b';

/** A message as it is stored. It never changes, but for the description of a picture. */
export type Message = {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly side: Side;
  /** The turn that it belongs to, counted within its thread. */
  readonly turn: number;
  readonly from: 'person' | 'parent' | 'child' | 'model' | 'tool' | 'cuebook';
  readonly text: string;
  readonly calls?: readonly MessageCall[];
  /** Which call a tool message answers. */
  readonly callId?: string;
  readonly name?: string;
  readonly isError?: boolean;
  readonly reasoning?: string;
  /** What was thought is for the history, and not for whoever asked. */
  readonly hidesReasoning?: true;
  readonly attachments?: readonly Attachment[];
  /** Not for a screen: a subagent's report to its parent. */
  readonly silent?: true;
  /** The subagent that it is from. */
  readonly subagent?: string;
  /** The turn was stopped in the middle of it. */
  readonly partial?: true;
  /** A function of the project made its words: nobody else vouches for them. */
  readonly rewritten?: true;
  /** Our stand-in, where nobody has said anything. Never stored. */
  readonly sample?: true;
  /** What hooks have added. */
  readonly extra?: { readonly [key: string]: JsonValue };
};

export type MessageCall = { readonly id: string; readonly name: string; readonly args: JsonValue };

/** A file of a message, as it was when the message was made: its bytes are a blob of the journal. */
export type Attachment = {
  readonly path: string;
  readonly type: string;
  readonly blob: string;
  /** What is told of a picture that is not sent any more. */
  readonly description?: string;
};

/** A message before it has its place. */
export type NewMessage = Omit<Message, 'turn'>;

/** What was thought before a message, for whoever asked; undefined where the prompt excludes it. */
export const shownReasoning = ({ reasoning, hidesReasoning }: Message): string | undefined =>
  hidesReasoning === true ? undefined : reasoning;
