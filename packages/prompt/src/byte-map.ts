import type { Piece } from './block.js';
import { isVerbatim, type Origin, type Place } from './origin.js';
import { piecesText } from './piece.js';

/** Finds the labelled pieces of a text by byte offsets, which is how templates count. */
export interface ByteMap {
  /** The pieces of the UTF-8 byte range `[start, end)`, cut exactly. The same range answers the same pieces. */
  readonly cut: (start: number, end: number) => readonly Piece[];
  /** Where a byte stands in its source. */
  readonly place: (byte: number) => Place;
}

/**
 * A map of a text of pieces, each on one line; `start` is where an empty one stands. Making it takes time in proportion
 * to the text; a look-up, to the pieces in the range, however long the lines are.
 */
export function mapBytes(pieces: readonly Piece[], start: Place): ByteMap {
  const text = piecesText(pieces);
  const units = new Uint32Array(new TextEncoder().encode(text).length + 1);
  const points = new Uint32Array(text.length + 1);
  measure(text, units, points);
  const starts: number[] = [];
  let end = 0;
  for (const piece of pieces) {
    starts.push(end);
    end += piece.text.length;
  }
  const pieceAt = (unit: number): number => lastAtMost(starts, unit);
  const originAt = (index: number, unit: number): Origin => {
    const { origin } = pieces[index] as Piece;
    const from = starts[index] as number;
    if (!isVerbatim(origin) || origin.column === undefined || unit === from) return origin;
    // A piece of a file is one line, so only the column moves.
    return { ...origin, column: origin.column + (points[unit] as number) - (points[from] as number) };
  };
  const known = new Map<string, readonly Piece[]>();
  return {
    cut: (startByte, endByte) => {
      const key = `${startByte} ${endByte}`;
      const found = known.get(key) ?? cutUnits(units[startByte] ?? 0, units[endByte] ?? text.length);
      known.set(key, found);
      return found;
    },
    place: (byte) => {
      const unit = Math.min(units[byte] ?? text.length, Math.max(0, text.length - 1));
      if (pieces.length === 0) return start;
      const { ref, line, column } = originAt(pieceAt(unit), unit);
      return {
        ref,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      };
    },
  };

  function cutUnits(from: number, to: number): readonly Piece[] {
    const cut: Piece[] = [];
    for (let index = pieceAt(from); index < pieces.length && (starts[index] as number) < to; index += 1) {
      const piece = pieces[index] as Piece;
      const start = starts[index] as number;
      const first = Math.max(from, start);
      const last = Math.min(to, start + piece.text.length);
      if (first >= last) continue;
      cut.push({
        ...piece,
        text: piece.text.slice(first - start, last - start),
        origin: originAt(index, first),
      });
    }
    return cut;
  }
}

/** For every byte the UTF-16 unit of its character, and for every unit the code points before it. */
function measure(text: string, units: Uint32Array, points: Uint32Array): void {
  let byte = 0;
  let point = 0;
  for (let unit = 0; unit < text.length; ) {
    const code = text.codePointAt(unit) as number;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units.fill(unit, byte, byte + bytes);
    byte += bytes;
    points[unit] = point;
    point += 1;
    unit += code > 0xffff ? 2 : 1;
    if (code > 0xffff) points[unit - 1] = point;
  }
  units[byte] = text.length;
  points[text.length] = point;
}

/** The index of the last number that is at most `value`; 0 when none is. Numbers are sorted. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
