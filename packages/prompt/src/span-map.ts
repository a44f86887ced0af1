import type { Block, Span } from './block.js';
import type { Labels } from './label.js';
import type { Origin } from './origin.js';

/** Where text comes from and what it carries: what spans share. */
export interface SpanSource extends Labels {
  readonly origin: Origin;
}

/**
 * The spans of blocks as kept in a record. `bytes` holds, for each block, the number of its spans, then for
 * each span the step from the span before to its source and its length in bytes, all as varints. Sources
 * repeat from prompt to prompt of the same templates, so they are a table that can be stored once.
 */
export interface SpanMap {
  readonly bytes: Uint8Array;
  readonly sources: readonly SpanSource[];
}

/** Packs the spans of blocks. `decodeSpanMap` is the exact inverse. */
export function encodeSpanMap(blocks: readonly Pick<Block, 'spans'>[]): SpanMap {
  const sources: SpanSource[] = [];
  const known = new Map<Origin, Map<string, number>>();
  const byText = new Map<string, number>();
  const bytes: number[] = [];
  const indexOf = ({ origin, trust, secrecy, volatility }: Span): number => {
    const labels = `${trust} ${secrecy} ${volatility}`;
    const seen = known.get(origin) ?? new Map<string, number>();
    known.set(origin, seen);
    let index = seen.get(labels);
    if (index !== undefined) return index;
    const text = `${labels} ${JSON.stringify(origin)}`;
    index = byText.get(text) ?? sources.push({ origin, trust, secrecy, volatility }) - 1;
    byText.set(text, index);
    seen.set(labels, index);
    return index;
  };
  for (const { spans } of blocks) {
    pushVarint(bytes, spans.length);
    let previous = 0;
    for (const span of spans) {
      const index = indexOf(span);
      const step = index - previous;
      pushVarint(bytes, step >= 0 ? step * 2 : -step * 2 - 1);
      pushVarint(bytes, span.end - span.start);
      previous = index;
    }
  }
  return { bytes: Uint8Array.from(bytes), sources };
}

/** Unpacks what `encodeSpanMap` packed: one list of spans a block. Throws a RangeError for other bytes. */
export function decodeSpanMap({ bytes, sources }: SpanMap): readonly (readonly Span[])[] {
  const blocks: Span[][] = [];
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at];
      if (byte === undefined || scale > 2 ** 42) throw new RangeError('The span map is cut short');
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const spans: Span[] = [];
    let index = 0;
    let start = 0;
    for (let count = read(); count > 0; count -= 1) {
      const step = read();
      index += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
      const end = start + read();
      const source = sources[index];
      if (source === undefined) throw new RangeError('The span map names a source that is not in its table');
      const { origin, trust, secrecy, volatility } = source;
      spans.push({ start, end, origin, trust, secrecy, volatility });
      start = end;
    }
    blocks.push(spans);
  }
  return blocks;
}

function pushVarint(bytes: number[], value: number): void {
  while (value > 127) {
    bytes.push((value % 128) + 128);
    value = Math.floor(value / 128);
  }
  bytes.push(value);
}
