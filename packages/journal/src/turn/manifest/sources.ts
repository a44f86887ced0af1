import { decodeSpanMap, encodeSpanMap, type Origin, type Span, type SpanSource } from '@cuebook/prompt';
import type { SpanTable } from '../receipt.js';
import type { SourceRow } from '../shape.js';

/** What the receipts of a chain have told of spans so far. */
export interface KnownSpans {
  readonly sources: readonly SpanSource[];
  /** Span maps, packed. */
  readonly maps: readonly string[];
}

/** What a chain knows that has no receipt. */
export const NO_SPANS: KnownSpans = { sources: [], maps: [] };

/** Spans as a receipt keeps them, and what the chain knows afterwards. */
export interface EncodedSpans {
  readonly table: SpanTable;
  readonly known: KnownSpans;
}

/** Packs the spans of new blocks; sources and maps that the chain already knows are named by their place there. */
export function encodeSpans(
  blocks: readonly { readonly spans: readonly Span[] }[],
  known: KnownSpans,
): EncodedSpans {
  const { bytes, sources } = encodeSpanMap(blocks);
  const places = placesOf(known.sources);
  const grown = [...known.sources];
  const rows = sources.map((source) => {
    const key = keyOf(source);
    const place = places.get(key);
    const found = place === undefined ? undefined : known.sources[place];
    if (place !== undefined && found !== undefined && keyOf(found) === key) return place;
    places.set(key, grown.push(source) - 1);
    return toRow(source);
  });
  PLACES.set(grown, places);
  const map = Buffer.from(bytes).toString('base64url');
  const told = known.maps.indexOf(map);
  return {
    table: { sources: rows, bytes: told < 0 ? map : told },
    known: { sources: grown, maps: told < 0 ? [...known.maps, map] : known.maps },
  };
}

/** Unpacks what `encodeSpans` packed against the same table. Throws a RangeError for anything else. */
export function decodeSpans(
  table: SpanTable,
  known: KnownSpans,
): { readonly spans: readonly (readonly Span[])[]; readonly known: KnownSpans } {
  const grown = [...known.sources];
  const sources = table.sources.map((row) => {
    const source = typeof row === 'number' ? known.sources[row] : fromRow(row);
    if (source === undefined) throw new RangeError('The spans name a source that is not in the table');
    if (typeof row !== 'number') grown.push(source);
    return source;
  });
  const isTold = typeof table.bytes === 'number';
  const map = typeof table.bytes === 'number' ? known.maps[table.bytes] : table.bytes;
  if (map === undefined) throw new RangeError('The spans name a map that was not told');
  const maps = isTold ? known.maps : [...known.maps, map];
  return {
    spans: decodeSpanMap({ bytes: Buffer.from(map, 'base64url'), sources }),
    known: { sources: grown, maps },
  };
}

/** Whether two lists of spans say the same of the same bytes. */
export function sameSpans(a: readonly Span[], b: readonly Span[]): boolean {
  return a === b || (a.length === b.length && a.every((span, index) => sameSpan(span, b[index] as Span)));
}

const sameSpan = (a: Span, b: Span): boolean =>
  a.start === b.start &&
  a.end === b.end &&
  a.trust === b.trust &&
  a.secrecy === b.secrecy &&
  a.volatility === b.volatility &&
  (a.origin === b.origin || sameOrigin(a.origin, b.origin));

const sameOrigin = (a: Origin, b: Origin): boolean =>
  a.kind === b.kind &&
  a.ref === b.ref &&
  a.line === b.line &&
  a.column === b.column &&
  (a.via === b.via || JSON.stringify(a.via) === JSON.stringify(b.via));

const keyOf = ({ origin, trust, secrecy, volatility }: SpanSource): string => {
  const via = origin.via === undefined ? '' : JSON.stringify(origin.via);
  return `${trust} ${secrecy} ${volatility} ${origin.kind} ${origin.line} ${origin.column} ${origin.ref}\n${via}`;
};

/**
 * Where sources stand in the tables of a chain. Tables of one chain share one map, so a place may be that of a
 * longer table: whoever asks looks whether the source is really there.
 */
const PLACES = new WeakMap<readonly SpanSource[], Map<string, number>>();

function placesOf(sources: readonly SpanSource[]): Map<string, number> {
  const known = PLACES.get(sources);
  if (known !== undefined) return known;
  const places = new Map(sources.map((source, index) => [keyOf(source), index]));
  PLACES.set(sources, places);
  return places;
}

export const toRow = ({ origin, trust, secrecy, volatility }: SpanSource): SourceRow => [
  origin as SourceRow[0],
  trust,
  secrecy,
  volatility,
];

export const fromRow = ([origin, trust, secrecy, volatility]: SourceRow): SpanSource => ({
  origin: origin as Origin,
  trust,
  secrecy,
  volatility,
});
