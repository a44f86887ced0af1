import type { Labels } from './label.js';
import type { Origin } from './origin.js';
import type { JsonValue } from './redact/leak-context.js';

/** How text was printed into a shell: as its free body, as the value of a field, or as one item of a list. */
export type Form = 'body' | 'value' | 'item';

/** A run of text that knows where it comes from and carries its three labels: what blocks are made of. */
export interface Piece extends Labels {
  readonly text: string;
  readonly origin: Origin;
  /** Set by the printer of shells. Neighbours of one form are one body or one value. */
  readonly form?: Form;
}

export const ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export type Role = (typeof ROLES)[number];

/** A call that a model made in an assistant-role block, as it goes back to the model in the history. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonValue;
}

/** A picture or file beside a block's text. It has no spans: the record keeps it by its hash. */
export interface Media {
  /** Such as `image/png`. */
  readonly type: string;
  /** The bytes in base64. */
  readonly data: string;
}

/** What a message of a conversation carries beside its text. Left out where there is nothing. */
export interface Attachments {
  /** The calls of an assistant-role block, in order. */
  readonly calls?: readonly ToolCall[];
  /** Which call a tool-role block answers. */
  readonly callId?: string;
  readonly media?: readonly Media[];
}

/** A named part of a prompt before it is composed. */
export interface BlockInput extends Attachments {
  readonly name: string;
  readonly role: Role;
  readonly pieces: readonly Piece[];
}

/** A piece's place in the composed block, in UTF-8 bytes. Spans are sorted, gapless and never empty. */
export interface Span extends Labels {
  readonly start: number;
  readonly end: number;
  readonly origin: Origin;
}

/** A composed block: exact text, the span of every byte, and the hash of the text. */
export interface Block extends Attachments {
  readonly name: string;
  readonly role: Role;
  readonly text: string;
  readonly spans: readonly Span[];
  /** `sha256:` and the hex digest of the text. */
  readonly hash: string;
}

/** Something that was removed or replaced before sending, told by kind and place, never by content. */
export interface Redaction {
  readonly kind: RedactionKind;
  readonly block: string;
  /** UTF-8 byte range of the replacement in the composed block. */
  readonly start: number;
  readonly end: number;
}

/** `invisible`: a character that nobody sees was shown. `token`: a chat-template token was broken by a space. */
export const REDACTION_KINDS = ['root', 'path', 'name', 'credential', 'invisible', 'token'] as const;
export type RedactionKind = (typeof REDACTION_KINDS)[number];

/** A composed and gated prompt. */
export interface Prompt {
  readonly blocks: readonly Block[];
  /** The one-string projection: non-empty blocks joined by a blank line. */
  readonly text: string;
  /** `sha256:` and the hex digest of `text`. */
  readonly hash: string;
  readonly redactions: readonly Redaction[];
}
