import { isVerbatim, type Origin, type Place } from '@cuebook/prompt';
import type { WireDocument } from '@cuebook/prompt/wire';
import { diffArrays } from 'diff';
import { type Construct, type Constructs, constructsOf } from './constructs.js';

/** A source in which one character was replaced by another one. */
export interface Mutation {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The character, in UTF-16 offsets: the same in both texts. */
  readonly at: number;
}

/**
 * How the body of a target follows a changed byte of a source:
 * - `none`    the body is the same, and no byte of it says that it comes from the changed place
 * - `exact`   the bytes that differ are those that say that they come from the changed place
 * - `inside`  all of them belong to the value or the tool that holds the changed place, or to one that the chain of a
 *   byte that comes from there leads through
 * - `stray`   a byte differs that says that it comes from elsewhere, or one that says so does not differ
 *
 * A byte says that it comes from the changed place when it is the very byte; when it is no slice and what begins at its
 * origin holds the place (an escape, a number, an action); when its chain (`via`) names what holds the place; and, of
 * a place that is no word but a key, a mark or an indent, when its origin or chain lies in what that delimits. What
 * stands instead of such a byte may come from a part of the source that the chain of that byte names, or be what holds
 * where no source says anything.
 */
export type Verdict = 'none' | 'exact' | 'inside' | 'stray';

export interface Judged {
  readonly verdict: Verdict;
  /** For a reader: what differs, and where it says that it comes from. */
  readonly seen: readonly string[];
}

/** Compares two bodies of a target, of the source before and after the change. */
export function judge(before: WireDocument, after: WireDocument, mutation: Mutation): Judged {
  const { file, at } = mutation;
  if (before.text === after.text && !mentions(before, file)) return { verdict: 'none', seen: [] };
  const old = lettersOf(before, { file, text: mutation.before });
  const now = lettersOf(after, { file, text: mutation.after });
  const replaced = changesOf(old, now);
  const differing = new Set(replaced.flatMap((change) => change.old));
  const changes = replaced.flatMap(withoutLikes);
  const seen = [...new Set(changes.flatMap(lettersIn).map(describe))];
  const silent = old.find((each) => each.isSlice && each.offset === at && !differing.has(each));
  if (silent !== undefined)
    return { verdict: 'stray', seen: [`does not differ: ${describe(silent)}`, ...seen] };
  if (changes.length === 0) return { verdict: 'none', seen };
  return {
    verdict: verdictOf(changes, at, [
      constructsOf(file, mutation.before),
      constructsOf(file, mutation.after),
    ]),
    seen,
  };
}

type WireSpan = WireDocument['spans'][number];

/** A character of a body, as it is spelled there. */
interface Letter {
  readonly text: string;
  readonly span: WireSpan;
  /** The origin of this very letter. */
  readonly origin: Origin;
  readonly isSlice: boolean;
  /** Where in the changed file that is; undefined elsewhere. */
  readonly offset: number | undefined;
  /** The places of its chain in the changed file. */
  readonly via: readonly number[];
  /** What makes it the same letter in another body: its spelling and its place. */
  readonly id: string;
}

const mentions = ({ spans }: WireDocument, file: string): boolean =>
  spans.some(({ origin }) => origin.ref === file);

function lettersOf(
  document: WireDocument,
  { file, text }: { readonly file: string; readonly text: string },
): readonly Letter[] {
  const lines = text.split('\n');
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) as number) + line.length + 1);
  const isAscii = /^\p{ASCII}*$/u.test(text);
  const offsetOf = ({ ref, line, column = 1 }: Place): number | undefined => {
    if (ref !== file || line === undefined) return undefined;
    const before = isAscii ? column - 1 : [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
    return (starts[line - 1] ?? text.length) + before;
  };
  const bytes = Buffer.from(document.text);
  return document.spans.flatMap((span) => {
    const spelling = bytes.subarray(span.start, span.end).toString();
    const via = (span.origin.via ?? []).flatMap((each) => offsetOf(each) ?? []);
    const isSlice = isVerbatim(span.origin);
    let { line, column = 1 } = span.origin;
    return charactersOf(spelling, span.escapes).map((char): Letter => {
      const origin = line === undefined ? span.origin : { ...span.origin, line, column };
      const offset = offsetOf(origin);
      const place = offset ?? `${origin.ref}:${origin.line}:${origin.column}`;
      if (isSlice && line !== undefined) {
        const isEnd = char === '\n' || /^\\+n$/.test(char);
        [line, column] = isEnd ? [line + 1, 1] : [line, column + 1];
      }
      return { text: char, span, origin, isSlice, offset, via, id: `${isSlice} ${place} ${char}` };
    });
  });
}

const ESCAPED = [/./gsu, /\\u[\da-f]{4}|\\.|./gisu, /\\\\u[\da-f]{4}|\\\\\\?.|\\.|./gisu] as const;
const charactersOf = (spelling: string, escapes: WireSpan['escapes']): readonly string[] =>
  spelling.match(ESCAPED[escapes]) ?? [];

/** Letters that stand instead of others. */
interface Change {
  readonly old: readonly Letter[];
  readonly now: readonly Letter[];
}

const lettersIn = ({ old, now }: Change): readonly Letter[] => [...old, ...now];

function changesOf(old: readonly Letter[], now: readonly Letter[]): readonly Change[] {
  const [head, tail] = commonEnds(old, now, (a, b) => a.id === b.id);
  const [left, right] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const changes: { old: Letter[]; now: Letter[] }[] = [];
  let [a, b] = [0, 0];
  let isOpen = false;
  const parts = diffArrays(
    left.map(({ id }) => id),
    right.map(({ id }) => id),
  );
  for (const { added, removed, value } of parts) {
    if (!isOpen && (added || removed)) changes.push({ old: [], now: [] });
    isOpen = Boolean(added || removed);
    if (removed) changes.at(-1)?.old.push(...left.slice(a, a + value.length));
    if (added) changes.at(-1)?.now.push(...right.slice(b, b + value.length));
    if (!added) a += value.length;
    if (!removed) b += value.length;
  }
  return changes;
}

/** A change without letters that say the same from another place: the body has them as before. */
function withoutLikes(change: Change): readonly Change[] {
  const [head, tail] = commonEnds(change.old, change.now, (a, b) => a.text === b.text);
  const cut = (list: readonly Letter[]) => list.slice(head, list.length - tail);
  const [old, now] = [cut(change.old), cut(change.now)];
  return old.length + now.length === 0 ? [] : [{ old, now }];
}

function commonEnds<Item>(
  a: readonly Item[],
  b: readonly Item[],
  isSame: (a: Item, b: Item) => boolean,
): readonly [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let [head, tail] = [0, 0];
  while (head < most && isSame(a[head] as Item, b[head] as Item)) head += 1;
  while (tail < most - head && isSame(a[a.length - 1 - tail] as Item, b[b.length - 1 - tail] as Item))
    tail += 1;
  return [head, tail];
}

function verdictOf(changes: readonly Change[], at: number, looks: readonly Constructs[]): Verdict {
  const isHeld = (start: number, place: number): boolean => looks.some((each) => each.holds(start, place));
  const isIn = (range: Construct | undefined, place: number): boolean =>
    range !== undefined && range.start <= place && place < range.end;
  const placesOf = ({ offset, via }: Letter): readonly number[] =>
    offset === undefined ? via : [offset, ...via];
  const isNamed = (each: Letter): boolean =>
    each.offset === at ||
    (!each.isSlice && each.offset !== undefined && isHeld(each.offset, at)) ||
    each.via.some((start) => isHeld(start, at)) ||
    placesOf(each).some((place) => looks.some((look) => look.delimits(at).some((each) => isIn(each, place))));
  const words = changes.map((change) => lettersIn(change).filter((each) => !isFormat(each)));
  const named = words.flat().filter(isNamed);
  if (named.length === 0) return 'stray';
  const isExact = (list: readonly Letter[]): boolean => {
    const chains = list.filter(isNamed).flatMap(({ via }) => via);
    const isInstead = ({ offset }: Letter): boolean =>
      offset !== undefined && chains.some((start) => isHeld(start, offset));
    const hasNamed = list.some(isNamed);
    return list.every((each) => isNamed(each) || isInstead(each) || (hasNamed && isDefault(each)));
  };
  if (words.every(isExact)) return 'exact';
  // Words that were not told, such as the marks of a template, appear in a value that a chain leads through.
  const values = new Set(named.flatMap(({ via }) => via));
  const ranges = [...values].flatMap((place) => looks.map((look) => look.value(place)));
  ranges.push(...looks.map((look) => look.around(at)));
  // A schema is one thing: what a provider is sent of it depends on all of it.
  const tools = new Set(named.flatMap(toolOf));
  const isInside = (each: Letter): boolean =>
    isNamed(each) ||
    toolOf(each).some((tool) => tools.has(tool)) ||
    placesOf(each).some((place) => ranges.some((range) => isIn(range, place)));
  return words.flat().every(isInside) ? 'inside' : 'stray';
}

/** What comes and goes with the words around it: the format, our own words, the marks of a list or an object. */
const isFormat = ({ origin: { kind, via }, span: { part }, isSlice, text }: Letter): boolean =>
  kind === 'structure' ||
  (kind === 'shipped' && via === undefined) ||
  (part.kind === 'tool' && !isSlice && /^[\s,:[\]{}]$/.test(text));

/** What holds where no source says anything. */
const isDefault = ({ origin: { kind, line, via } }: Letter): boolean =>
  kind === 'variable' && line === undefined && via === undefined;

const toolOf = ({ span: { part } }: Letter): readonly string[] => (part.kind === 'tool' ? [part.tool] : []);

const describe = ({ origin: { kind, ref, line, column, via }, text, span: { part } }: Letter): string =>
  `${kind} ${ref}:${line}:${column} ${JSON.stringify(text)} ${part.kind}${via ? ` via ${via.map((each) => `${each.line}:${each.column}`).join(' ')}` : ''}`;
