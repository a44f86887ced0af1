import type { Attachments, Block, Media, Prompt, Role, ToolCall } from './block.js';

/** What stands between two blocks in one string. */
export const BLOCK_SEPARATOR = '\n\n';

/** The blocks as one string: empty blocks dropped, a blank line between the others. */
export const joinBlocks = (blocks: readonly Pick<Block, 'text'>[]): string =>
  blocks
    .map((block) => block.text)
    .filter((text) => text !== '')
    .join(BLOCK_SEPARATOR);

export interface ChatMessage {
  readonly role: Role;
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  readonly parts?: readonly Media[];
}

export interface MessageOptions {
  /** One system message instead of several, for providers that take only one. */
  readonly mergeSystem?: boolean;
}

/** The blocks as chat messages, one a block in order; a block with no text and nothing beside it is dropped. */
export function toMessages(
  prompt: { readonly blocks: readonly (Pick<Block, 'role' | 'text'> & Attachments)[] },
  { mergeSystem = false }: MessageOptions = {},
): readonly ChatMessage[] {
  const messages = prompt.blocks
    .filter(({ text, calls, callId, media }) => text !== '' || calls || callId !== undefined || media)
    .map(toMessage);
  if (!mergeSystem) return messages;
  const system = messages.filter((message) => message.role === 'system');
  if (system.length < 2) return messages;
  const merged: ChatMessage = {
    role: 'system',
    content: joinBlocks(system.map(({ content }) => ({ text: content }))),
  };
  return [merged, ...messages.filter((message) => message.role !== 'system')];
}

const toMessage = ({ role, text, calls, callId, media }: Pick<Block, 'role' | 'text'> & Attachments) => ({
  role,
  content: text,
  ...(calls === undefined ? {} : { toolCalls: calls }),
  ...(callId === undefined ? {} : { toolCallId: callId }),
  ...(media === undefined ? {} : { parts: media }),
});

/** A block's place in the one-string projection, in UTF-8 bytes. */
export interface PlacedBlock {
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

/** Where each non-empty block stands in the one-string projection. */
export function placeBlocks(prompt: Pick<Prompt, 'blocks'>): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = [];
  let start = 0;
  for (const block of prompt.blocks) {
    const last = block.spans[block.spans.length - 1];
    if (last === undefined) continue;
    placed.push({ block, start, end: start + last.end });
    start += last.end + BLOCK_SEPARATOR.length;
  }
  return placed;
}
