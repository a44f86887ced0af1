import { asFields, asNumber, asText, type Fields } from '../../agent/fields.js';
import type { AgentEvent } from './agent-event.js';

/** Text and reasoning of a turn: deltas as they come, each whole block once, numbered in order. */
export interface StreamBlocks {
  /** A `message_start`, `content_block_*` or other event of the model's stream. */
  stream(event: Fields): readonly AgentEvent[];
  /** A complete block, which is the truth: what the deltas left out is added. */
  complete(messageId: string, kind: SpokenKind, text: string): readonly AgentEvent[];
}

export type SpokenKind = 'text' | 'thinking';

interface OpenBlock {
  readonly messageId: string;
  readonly index: number;
  readonly kind: SpokenKind;
  readonly number: number;
  text: string;
}

/**
 * Claude Code writes a block twice: in deltas, and whole before the block's end. Blocks of one kind are
 * completed in the order in which they began. A stream that broke and was begun again leaves a block that is
 * never completed: it stays as it is, and the new one has a number of its own.
 */
export function createStreamBlocks(): StreamBlocks {
  let messageId = '';
  let count = 0;
  let open: OpenBlock[] = [];

  const begin = (kind: SpokenKind, of: string, index: number): OpenBlock => {
    const block = { messageId: of, index, kind, number: count, text: '' };
    count += 1;
    return block;
  };
  const say = (block: OpenBlock, text: string): readonly AgentEvent[] => {
    if (text === '') return [];
    block.text += text;
    const type = block.kind === 'text' ? 'text.delta' : 'reasoning.delta';
    return [{ type, block: block.number, text }];
  };

  return {
    stream(event) {
      const index = asNumber(event.index) ?? -1;
      if (event.type === 'message_start') {
        messageId = asText(asFields(event.message)?.id) ?? '';
        open = [];
      }
      if (event.type === 'content_block_start') {
        const kind = spokenKind(asFields(event.content_block)?.type);
        if (kind) open.push(begin(kind, messageId, index));
      }
      if (event.type !== 'content_block_delta') return [];
      const delta = asFields(event.delta);
      const text = asText(delta?.text) ?? asText(delta?.thinking);
      const block = open.find((candidate) => candidate.index === index);
      return block && text !== undefined ? say(block, text) : [];
    },
    complete(of, kind, text) {
      const at = open.findIndex((block) => block.messageId === of && block.kind === kind);
      const block = open[at] ?? begin(kind, of, -1);
      if (at >= 0) open.splice(at, 1);
      if (text.startsWith(block.text)) return say(block, text.slice(block.text.length));
      return [
        { type: 'log', level: 'warning', text: 'A block was completed with other words than it began.' },
      ];
    },
  };
}

const spokenKind = (type: unknown): SpokenKind | undefined =>
  type === 'text' || type === 'thinking' ? type : undefined;
