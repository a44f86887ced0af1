import type { TurnView } from '../schema/views.js';

type Request = TurnView['full'];
type Block = Request['blocks'][number];

/** More than a screen shows. */
const HEAD_SPANS = 600;
const HEAD_BYTES = 24_000;

/** A turn with the beginning of its prompts. Every block is named; what is left out of its text is told in `rest`. */
export const headOfTurn = (turn: TurnView): TurnView => ({
  ...turn,
  full: headOf(turn.full),
  delta: turn.delta && headOf(turn.delta),
});

/** Whether words are left out of a prompt. */
export const isCut = ({ blocks }: Request): boolean => blocks.some(({ rest = 0 }) => rest > 0);

function headOf(request: Request): Request {
  let spans = HEAD_SPANS;
  let bytes = HEAD_BYTES;
  const blocks = request.blocks.map((block) => {
    const head = cut(block, spans, bytes);
    spans = head === block ? spans - block.spans.length : 0;
    bytes -= head.spans.at(-1)?.end ?? 0;
    return head;
  });
  return { ...request, blocks, text: blocks.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n') };
}

/** The first spans of a block, up to a byte; the block itself where it has no more. */
function cut(block: Block, spans: number, bytes: number): Block {
  const { length } = block.spans;
  if (length === 0 || (length <= spans && (block.spans.at(-1)?.end ?? 0) <= bytes)) return block;
  const encoded = new TextEncoder().encode(block.text);
  let end = Math.min(block.spans[spans - 1]?.end ?? (spans === 0 ? 0 : encoded.length), bytes);
  // Never inside a character.
  while (((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const kept = block.spans.slice(0, spans).filter(({ start }) => start < end);
  return {
    ...block,
    spans: kept.map((span) => (span.end > end ? { ...span, end } : span)),
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(0, end)),
    rest: encoded.length - end,
  };
}
