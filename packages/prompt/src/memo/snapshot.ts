import type { BlockInput, Piece } from '../block.js';
import type { Origin } from '../origin.js';
import type { JsonValue } from '../redact/leak-context.js';
import { mapStrings } from '../redact/value.js';
import { sameKeys, sameValue } from './same-value.js';

/**
 * A copy of a block that shares nothing with it that somebody could still change, so that it can be compared with
 * later ones whatever becomes of the objects it was made from.
 */
export interface BlockSnapshot {
  readonly input: BlockInput;
  /** The keys of each piece's origin, in their order. */
  readonly originKeys: readonly (readonly string[])[];
  /** Characters of the pieces alone. */
  readonly length: number;
  /** Characters that the copy keeps alive, roughly. */
  readonly size: number;
}

export function snapshotOf(input: BlockInput): BlockSnapshot {
  const { name, role, calls, callId, media } = input;
  let size = 0;
  const copy = <T>(value: T): T =>
    mapStrings(value as JsonValue, (text) => {
      size += text.length;
      return text;
    }) as T;
  // Pieces of one origin go on sharing it: who packs spans tells origins apart by their identity first.
  const origins = new Map<Origin, Origin>();
  const originOf = (origin: Origin): Origin => {
    const known = origins.get(origin);
    if (known !== undefined) return known;
    const fresh = copyOrigin(origin);
    origins.set(origin, fresh);
    return fresh;
  };
  const pieces = input.pieces.map((piece) => copyPiece(piece, originOf));
  const length = lengthOf(pieces);
  const copied: BlockInput = {
    name,
    role,
    pieces,
    ...(calls === undefined ? {} : { calls: copy(calls) }),
    ...(callId === undefined ? {} : { callId: copy(callId) }),
    ...(media === undefined ? {} : { media: copy(media) }),
  };
  return {
    input: copied,
    originKeys: pieces.map(({ origin }) => Object.keys(origin)),
    length,
    size: size + length + PIECE_SIZE * (1 + pieces.length),
  };
}

/** What a piece, its span and its origin take beside their text, in characters. */
const PIECE_SIZE = 200;

export function lengthOf(pieces: readonly Piece[]): number {
  let length = 0;
  for (let at = 0; at < pieces.length; at += 1) length += (pieces[at] as Piece).text.length;
  return length;
}

/** Whether a block is the one that was copied, in everything that composing looks at. */
export function isSnapshotOf({ input: kept, originKeys }: BlockSnapshot, input: BlockInput): boolean {
  const { pieces } = kept;
  if (kept.role !== input.role || pieces.length !== input.pieces.length) return false;
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as Piece;
    const other = input.pieces[at] as Piece;
    if (
      piece.text !== other.text ||
      piece.trust !== other.trust ||
      piece.secrecy !== other.secrecy ||
      piece.volatility !== other.volatility ||
      piece.form !== other.form ||
      !sameOrigin(piece.origin, originKeys[at] as readonly string[], other.origin)
    )
      return false;
  }
  return (
    kept.callId === input.callId &&
    (kept.calls === input.calls || sameValue(kept.calls, input.calls)) &&
    (kept.media === input.media || sameValue(kept.media, input.media))
  );
}

/** Keys that stand in another order are another origin: records spell it so. */
function sameOrigin(kept: Origin, keys: readonly string[], other: Origin): boolean {
  if (!sameKeys(keys, other)) return false;
  for (const key of keys as readonly (keyof Origin)[]) {
    const value = kept[key];
    if (typeof value === 'object' ? !sameValue(value, other[key]) : !Object.is(value, other[key]))
      return false;
  }
  return true;
}

function copyPiece(
  { text, origin, trust, secrecy, volatility, form }: Piece,
  originOf: (origin: Origin) => Origin,
): Piece {
  const labels = { text, origin: originOf(origin), trust, secrecy, volatility };
  return form === undefined ? labels : { ...labels, form };
}

const copyOrigin = (origin: Origin): Origin =>
  origin.via === undefined ? { ...origin } : { ...origin, via: origin.via.map((place) => ({ ...place })) };
