import type { Origin, Place } from '@cuebook/prompt';
import { explainWire, type WireDocument } from '@cuebook/prompt/wire';
import { diffChars } from 'diff';

/** A byte of a source that was replaced by another one. */
export interface Mutation {
  readonly file: string;
  /** The character of the file, in UTF-16 offsets. */
  readonly at: number;
  readonly char: string;
}

/**
 * How the body of a target follows a changed byte of a source:
 * - `none`    the body is the same, and no byte of it says that it comes from the changed place
 * - `exact`   the bytes that differ are those that say that they come from the changed place
 * - `inside`  all of them belong to the value, the line or the construct that holds the changed place
 * - `stray`   a byte differs that says that it comes from elsewhere, or one that says so does not differ
 */
export type Verdict = 'none' | 'exact' | 'inside' | 'stray';

export interface Judged {
  readonly verdict: Verdict;
  /** For a reader: what differs, and where it says that it comes from. */
  readonly seen: readonly string[];
}

/** The place of a character of a text, as origins tell it. */
export function placeAt(ref: string, text: string, at: number): Required<Place> {
  const lines = text.slice(0, at).split('\n');
  return { ref, line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}

/** Compares two bodies of a target, of the source before and after the change of one byte. */
export function judge(before: WireDocument, after: WireDocument, place: Required<Place>): Judged {
  const changes = changedBytes(before, after);
  const seen: string[] = [];
  const origins = [...originsOf(before, changes.old, seen), ...originsOf(after, changes.now, seen)];
  const isThere = (origin: Origin): boolean =>
    origin.ref === place.ref && origin.line === place.line && origin.column === place.column;
  const silent = claims(before, place).filter(
    (at) => !changes.old.some(({ start, end }) => at >= start && at < end),
  );
  if (silent.length > 0) return { verdict: 'stray', seen: [`byte ${silent[0]} does not differ`, ...seen] };
  if (before.text === after.text) return { verdict: 'none', seen };
  if (origins.every(isThere)) return { verdict: 'exact', seen };
  const words = origins.filter(({ kind }) => kind !== 'structure' && kind !== 'shipped');
  const isInside =
    words.length > 0 &&
    words.every((origin) => origin.ref === place.ref && isNear(before, changes.old, origin, place));
  return { verdict: isInside ? 'inside' : 'stray', seen };
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

interface Changes {
  readonly old: readonly ByteRange[];
  readonly now: readonly ByteRange[];
}

/** The bytes that differ, on both sides. Where both have the same spans, each is held against its own. */
function changedBytes(before: WireDocument, after: WireDocument): Changes {
  const ranges = { old: [] as ByteRange[], now: [] as ByteRange[] };
  if (before.spans.length === after.spans.length) {
    const [old, now] = [Buffer.from(before.text), Buffer.from(after.text)];
    for (const [index, a] of before.spans.entries()) {
      const b = after.spans[index] as (typeof after.spans)[number];
      const [x, y] = [old.subarray(a.start, a.end), now.subarray(b.start, b.end)];
      if (x.equals(y)) continue;
      const least = Math.min(x.length, y.length);
      let [head, tail] = [0, 0];
      while (head < least && x[head] === y[head]) head += 1;
      while (tail < least - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail += 1;
      ranges.old.push({ start: a.start + head, end: a.end - tail });
      ranges.now.push({ start: b.start + head, end: b.end - tail });
    }
    return ranges;
  }
  let [oldAt, nowAt] = [0, 0];
  for (const { value, added, removed } of diffChars(before.text, after.text)) {
    const length = Buffer.byteLength(value);
    if (removed) ranges.old.push({ start: oldAt, end: oldAt + length });
    if (added) ranges.now.push({ start: nowAt, end: nowAt + length });
    if (!added) oldAt += length;
    if (!removed) nowAt += length;
  }
  return ranges;
}

/** Where the bytes of ranges say that they come from. */
function originsOf(document: WireDocument, ranges: readonly ByteRange[], seen: string[]): readonly Origin[] {
  return ranges.flatMap(({ start, end }) => {
    const origins: Origin[] = [];
    for (let at = start; at < end; at += 1) {
      const found = explainWire(document, at);
      if (found === undefined) continue;
      origins.push(found.origin);
      const { kind, ref, line, column } = found.origin;
      const told = `${kind} ${ref}:${line}:${column} ${JSON.stringify(found.text.slice(0, 60))} ${JSON.stringify(found.span.part)}`;
      if (!seen.includes(told)) seen.push(told);
    }
    return origins;
  });
}

/** Whether nothing that stayed as it was stands between two places of a file. */
function isNear(
  { spans }: WireDocument,
  changed: readonly ByteRange[],
  origin: Place,
  place: Required<Place>,
): boolean {
  if (origin.line === undefined) return false;
  const [low, high] = isBefore(origin, place) ? [origin, place] : [place, origin];
  return !spans.some(
    (each) =>
      each.origin.ref === place.ref &&
      isBefore(low, each.origin) &&
      isBefore(each.origin, high) &&
      !changed.some(({ start, end }) => start < each.end && end > each.start),
  );
}

const isBefore = (a: Place, b: Place): boolean =>
  (a.line ?? 0) < (b.line ?? 0) || (a.line === b.line && (a.column ?? 1) < (b.column ?? 1));

/** The bytes of a body that say, to the byte, that they come from a place. */
function claims(document: WireDocument, place: Required<Place>): readonly number[] {
  return document.spans.flatMap(({ start, end, origin }) => {
    if (origin.ref !== place.ref || origin.kind !== 'file' || isBefore(place, origin)) return [];
    const found: number[] = [];
    for (let at = start; at < end; at += 1) {
      const { origin: exact } = explainWire(document, at) ?? {};
      if (exact?.line === place.line && exact.column === place.column) found.push(at);
    }
    return found;
  });
}
