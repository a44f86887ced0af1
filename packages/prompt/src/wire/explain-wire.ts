import { advancePlace, isVerbatim, type Origin } from '../origin.js';
import { unitOffset } from '../utf8.js';
import { decodedOffset } from './escapes.js';
import type { WireDocument, WireSpan } from './wire-document.js';

/** What one byte of a body is, and where it comes from. */
export interface WireExplanation {
  /** The byte of the body. */
  readonly at: number;
  readonly span: WireSpan;
  /** The span as it stands in the body, escapes and all. */
  readonly text: string;
  /** The byte within the span. */
  readonly offset: number;
  /** The origin of this very byte. */
  readonly origin: Origin;
}

/** Explains the byte `at` of a body; undefined outside it. */
export function explainWire({ text, spans }: WireDocument, at: number): WireExplanation | undefined {
  const span = findSpan(spans, at);
  if (span === undefined) return undefined;
  const first = unitOffset(text, span.start) ?? 0;
  const spelling = text.slice(first, unitOffset(text, span.end) ?? text.length);
  const offset = at - span.start;
  return { at, span, text: spelling, offset, origin: originWithin(span, spelling, offset) };
}

/** Spans are sorted and gapless, so halving finds it. */
function findSpan(spans: readonly WireSpan[], at: number): WireSpan | undefined {
  if (!Number.isInteger(at) || at < 0) return undefined;
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at < (spans[middle] as WireSpan).end) high = middle;
    else low = middle + 1;
  }
  const found = spans[low];
  return found !== undefined && at < found.end ? found : undefined;
}

function originWithin({ origin, escapes }: WireSpan, spelling: string, offset: number): Origin {
  if (!isVerbatim(origin)) return origin;
  const decoded = decode(spelling, escapes);
  const unit = decodedOffset(spelling, escapes, unitOffset(spelling, offset) ?? 0);
  return { ...origin, ...advancePlace(origin, decoded.slice(0, unit)) };
}

/** The text of a span without its escapes, in a body whose bytes these are. */
export const spanText = (bytes: Uint8Array, { start, end, escapes }: WireSpan): string =>
  decode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)), escapes);

const decode = (spelling: string, escapes: WireSpan['escapes']): string =>
  escapes === 0
    ? spelling
    : decode(JSON.parse(`"${spelling}"`) as string, (escapes - 1) as WireSpan['escapes']);
