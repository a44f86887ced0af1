import type { Place } from '@cuebook/prompt';
import { explainWire, type WireDocument, type WireExplanation } from '@cuebook/prompt/wire';
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
  const found = [...explained(before, changes.old), ...explained(after, changes.now)];
  const seen = [...new Set(found.map(describe))];
  // A byte beside one that differs may have been replaced by its like.
  const silent = claims(before, place).filter(
    (at) => !changes.old.some(({ start, end }) => at >= start - LIKE && at < end + LIKE),
  );
  if (silent.length > 0) return { verdict: 'stray', seen: [`byte ${silent[0]} does not differ`, ...seen] };
  if (before.text === after.text) return { verdict: 'none', seen };
  const isThere = ({ origin }: WireExplanation): boolean =>
    origin.ref === place.ref && origin.line === place.line && origin.column === place.column;
  if (found.every(isThere)) return { verdict: 'exact', seen };
  const words = found.filter((each) => !isStructure(each));
  const near = words.filter(
    ({ origin }) => origin.ref === place.ref && isNear(before, changes.old, origin, place),
  );
  // A schema is one thing: what a provider is sent of it depends on all of it.
  const tools = new Set(near.flatMap(({ span: { part } }) => (part.kind === 'tool' ? [part.tool] : [])));
  const isInside = (each: WireExplanation): boolean =>
    near.includes(each) || (each.span.part.kind === 'tool' && tools.has(each.span.part.tool));
  return { verdict: words.length > 0 && words.every(isInside) ? 'inside' : 'stray', seen };
}

/** A line end is two bytes in a body. */
const LIKE = 2;

/** What comes and goes with the words around it: the format, our own words, the marks of a list or an object. */
const isStructure = ({ origin: { kind }, span: { part }, text }: WireExplanation): boolean =>
  kind === 'structure' || kind === 'shipped' || (part.kind === 'tool' && /^[\s,:[\]{}]*$/.test(text));

const describe = ({ origin: { kind, ref, line, column }, text, span }: WireExplanation): string =>
  `${kind} ${ref}:${line}:${column} ${JSON.stringify(text.slice(0, 60))} ${JSON.stringify(span.part)}`;

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

const explained = (document: WireDocument, ranges: readonly ByteRange[]): readonly WireExplanation[] =>
  ranges.flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, index) => explainWire(document, start + index) ?? []).flat(),
  );

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
