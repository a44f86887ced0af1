import type { Block, Prompt, Span } from './block.js';
import { advancePlace, isVerbatim, type Origin } from './origin.js';
import { placeBlocks } from './project.js';
import { unitOffset } from './utf8.js';

/** Where one byte of a prompt comes from. */
export interface Explanation {
  /** UTF-8 byte offset in the one-string projection. */
  readonly at: number;
  readonly block: string;
  readonly role: Block['role'];
  /** The span that holds the byte; its offsets count within the block. */
  readonly span: Span;
  /** The span's text, and how many of its bytes stand before this one. */
  readonly text: string;
  readonly offset: number;
  /** The span's origin, moved on to the very byte where the text is a verbatim slice of a file. */
  readonly origin: Origin;
}

/**
 * The origin of the byte at `at` in the one-string projection; the blank line between two blocks answers for
 * the block before it. Undefined outside the prompt.
 */
export function explain(prompt: Pick<Prompt, 'blocks'>, at: number): Explanation | undefined {
  if (!Number.isInteger(at) || at < 0) return undefined;
  const placed = placeBlocks(prompt);
  const index = placed.findIndex((each, i) => at < (i + 1 < placed.length ? each.end + 2 : each.end));
  const place = placed[index];
  if (place === undefined) return undefined;
  const { block } = place;
  if (at >= place.end) {
    return { ...separator(block, place.end - place.start), at, offset: at - place.end };
  }
  const offset = at - place.start;
  const span = findSpan(block.spans, offset);
  const text = sliceBytes(block.text, span.start, span.end);
  return {
    at,
    block: block.name,
    role: block.role,
    span,
    text,
    offset: offset - span.start,
    origin: originWithin(span, text, offset - span.start),
  };
}

/** The byte offset of `line:column` (from 1, columns in code points) in `text`; undefined outside it. */
export function byteAtLine(text: string, line: number, column: number): number | undefined {
  if (!Number.isInteger(line) || !Number.isInteger(column) || line < 1 || column < 1) return undefined;
  let start = 0;
  for (let n = 1; n < line; n += 1) {
    const next = text.indexOf('\n', start);
    if (next === -1) return undefined;
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  const rest = text.slice(start, end === -1 ? text.length : end + 1);
  const before = [...rest].slice(0, column - 1);
  if (before.length < column - 1 || before.length === [...rest].length) return undefined;
  return new TextEncoder().encode(text.slice(0, start) + before.join('')).length;
}

/** The span that holds byte `offset` of its block. Spans are sorted and gapless, so halving finds it. */
function findSpan(spans: readonly Span[], offset: number): Span {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offset < (spans[middle] as Span).end) high = middle;
    else low = middle + 1;
  }
  return spans[low] as Span;
}

function originWithin(span: Span, text: string, offset: number): Origin {
  if (!isVerbatim(span.origin)) return span.origin;
  return { ...span.origin, ...advancePlace(span.origin, text.slice(0, unitOffset(text, offset) ?? 0)) };
}

function separator(block: Block, end: number): Omit<Explanation, 'at' | 'offset'> {
  const origin: Origin = { kind: 'structure', ref: 'blank line between blocks' };
  const span: Span = {
    start: end,
    end: end + 2,
    origin,
    trust: 'platform',
    secrecy: 'public',
    volatility: 'build',
  };
  return { block: block.name, role: block.role, span, text: '\n\n', origin };
}

function sliceBytes(text: string, start: number, end: number): string {
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
}
