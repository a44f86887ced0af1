import { CONFIDENTIAL_MASK, type JsonValue, type Span } from '@cuebook/prompt';

/** Text with the span of every byte of it. */
interface SpannedText {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Masks what must not be shown: in text with spans, and in text that has none: an answer, a tool's input, an event. */
export interface Masker {
  text(text: string): string;
  /** Every string of a value that is JSON, keys included, in its shape. */
  value<Value>(value: Value): Value;
  /**
   * A block as it may be shown: a mask in the place of each span that is not public, and of public words that repeat
   * one. Spans are those of the text that is shown: sorted, gapless, never empty.
   */
  block<Block extends SpannedText>(block: Block): Block;
}

/**
 * A masker for what may repeat confidential parts of a prompt. It finds them word for word, whole or line by line;
 * what a model says in other words it cannot find.
 */
export function createMasker(confidential: Iterable<string>): Masker {
  const needles = [...new Set([...confidential].flatMap(needlesOf))];
  const text = (said: string): string => {
    let shown = '';
    let end = 0;
    for (const range of rangesOf(said, needles)) {
      shown += said.slice(end, range.start) + CONFIDENTIAL_MASK;
      end = range.end;
    }
    return shown + said.slice(end);
  };
  const masked = (found: JsonValue): JsonValue => {
    if (typeof found === 'string') return text(found);
    if (Array.isArray(found)) return found.map(masked);
    if (typeof found !== 'object' || found === null) return found;
    return Object.fromEntries(Object.entries(found).map(([key, each]) => [text(key), masked(each)]));
  };
  const value = <Value>(found: Value): Value =>
    needles.length === 0 ? found : (masked(found as JsonValue) as Value);
  return { text, value, block: (block) => maskBlock(block, rangesOf(block.text, needles)) };
}

/** From the first UTF-16 unit of a text that must not be shown to the one behind the last. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where needles stand, in order; those that overlap are one range. */
function rangesOf(text: string, needles: readonly string[]): readonly Range[] {
  const found: Range[] = [];
  for (const needle of needles) {
    for (let start = text.indexOf(needle); start !== -1; start = text.indexOf(needle, start + 1))
      found.push({ start, end: start + needle.length });
  }
  const ranges: Range[] = [];
  for (const range of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = ranges.at(-1);
    if (last === undefined || range.start >= last.end) ranges.push(range);
    else ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return ranges;
}

function maskBlock<Block extends SpannedText>(block: Block, ranges: readonly Range[]): Block {
  if (ranges.length === 0 && block.spans.every(({ secrecy }) => secrecy === 'public')) return block;
  const bytes = Buffer.from(block.text);
  const spans: Span[] = [];
  let [text, unit, byte, next] = ['', 0, 0, 0];
  for (const span of block.spans) {
    const end = unit + bytes.toString('utf8', span.start, span.end).length;
    let shown = '';
    let at = unit;
    while ((ranges[next]?.end ?? end) <= unit) next += 1;
    for (let index = next; index < ranges.length; index += 1) {
      const range = ranges[index] as Range;
      if (range.start >= end) break;
      // What began in the span before is masked there.
      if (range.start >= unit) shown += block.text.slice(at, range.start) + CONFIDENTIAL_MASK;
      at = Math.min(range.end, end);
    }
    shown = span.secrecy === 'public' ? shown + block.text.slice(at, end) : CONFIDENTIAL_MASK;
    unit = end;
    if (shown === '') continue;
    const size = Buffer.byteLength(shown);
    spans.push({ ...span, start: byte, end: byte + size });
    text += shown;
    byte += size;
  }
  return { ...block, text, spans };
}

/** The confidential texts of blocks. */
export function confidentialTexts(
  blocks: readonly { readonly text: string; readonly spans: readonly Span[] }[],
): readonly string[] {
  return blocks.flatMap(({ text, spans }) => {
    if (spans.every(({ secrecy }) => secrecy === 'public')) return [];
    const bytes = Buffer.from(text);
    return spans
      .filter(({ secrecy }) => secrecy !== 'public')
      .map(({ start, end }) => bytes.subarray(start, end).toString());
  });
}

/** Shorter words say too little to be told from ordinary ones. */
const SHORTEST = 6;
const SHORTEST_LINE = 12;

function needlesOf(text: string): readonly string[] {
  const whole = text.trim();
  const lines = whole.split('\n').map((line) => line.trim());
  return [
    ...(whole.length >= SHORTEST ? [whole] : []),
    ...lines.filter((line) => line.length >= SHORTEST_LINE && line !== whole),
  ];
}
