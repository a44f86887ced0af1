import { diffLines } from 'diff';
import type { Prompt } from '../block.js';
import type { Origin } from '../origin.js';

/** What changed in the text that comes from one origin. */
export interface OriginChange {
  /** The kind and reference of the origin, such as `file prompts/tone.md`. */
  readonly origin: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  /** Of text that has moved from one origin to another: the one where it was. */
  readonly from?: string;
  readonly blocks: readonly string[];
  readonly addedLines: readonly string[];
  readonly removedLines: readonly string[];
}

/**
 * The text differences of two prompts, told by where the text comes from: each source once, however many
 * blocks it reaches. A source whose text is the same but stands elsewhere is `moved`.
 */
export function diffOrigins(before: Prompt, after: Prompt): readonly OriginChange[] {
  const old = textByOrigin(before);
  const now = textByOrigin(after);
  const changes: OriginChange[] = [];
  for (const origin of new Set([...old.keys(), ...now.keys()])) {
    const change = compare(origin, old.get(origin), now.get(origin));
    if (change !== undefined) changes.push(change);
  }
  return withMoves(changes, old, now);
}

/**
 * What an origin is called: what it is, where that is known, and else its kind and its file. Positions are left out,
 * so text that merely slid down a file is not a change.
 */
export function originName({ kind, ref, subject }: Origin): string {
  if (subject === undefined) return `${kind} ${ref}`;
  // How it is quoted in its file does not make it something else.
  return kind === 'file' || kind === 'value' ? subject : `${kind} ${subject}`;
}

/** A text that is gone from one origin and stands in another, to the letter, has moved: a file was renamed. */
function withMoves(
  changes: readonly OriginChange[],
  old: ReadonlyMap<string, OriginText>,
  now: ReadonlyMap<string, OriginText>,
): readonly OriginChange[] {
  const gone = new Map<string, OriginChange[]>();
  for (const each of changes) {
    const text = each.change === 'removed' ? old.get(each.origin)?.text : undefined;
    if (text !== undefined && text.trim() !== '') gone.set(text, [...(gone.get(text) ?? []), each]);
  }
  if (gone.size === 0) return changes;
  const moved = new Map<OriginChange, OriginChange>();
  for (const each of changes) {
    if (each.change !== 'added') continue;
    const before = gone.get(now.get(each.origin)?.text ?? '')?.shift();
    if (before !== undefined) moved.set(each, before);
  }
  const left = new Set(moved.values());
  return changes
    .filter((each) => !left.has(each))
    .map((each) => {
      const before = moved.get(each);
      if (before === undefined) return each;
      return { ...each, change: 'moved', from: before.origin, addedLines: [], removedLines: [] };
    });
}

interface OriginText {
  readonly text: string;
  readonly blocks: readonly string[];
  /** Which blocks, in order, with the include chain: what `moved` compares. */
  readonly seat: string;
}

function textByOrigin(prompt: Prompt): ReadonlyMap<string, OriginText> {
  const texts = new Map<string, { text: string; blocks: Set<string>; seat: string; end: string }>();
  const decoder = new TextDecoder();
  for (const block of prompt.blocks) {
    const bytes = new TextEncoder().encode(block.text);
    for (const { start, end, origin } of block.spans) {
      const name = originName(origin);
      const entry = texts.get(name) ?? { text: '', blocks: new Set(), seat: '', end: '' };
      texts.set(name, entry);
      // Text that goes on behind something else is a new line, or two values would read as one word.
      const goesOn = entry.end === `${start} ${block.name}`;
      if (entry.text !== '' && !goesOn && !entry.text.endsWith('\n')) entry.text += '\n';
      entry.text += decoder.decode(bytes.subarray(start, end));
      entry.end = `${end} ${block.name}`;
      entry.blocks.add(block.name);
      // Where a text is known for what it is, the files on the way to it may have any name.
      const via = origin.subject === undefined ? (origin.via ?? []).map(({ ref }) => ref).join('>') : '';
      const seat = `${block.role} ${block.name} ${via}\n`;
      // Lines of one text that follow each other stand in one seat, however it is written in its file.
      if (!goesOn || !entry.seat.endsWith(seat)) entry.seat += seat;
    }
  }
  return new Map(
    [...texts].map(([name, { text, blocks, seat }]) => [name, { text, blocks: [...blocks], seat }]),
  );
}

function compare(
  origin: string,
  old: OriginText | undefined,
  now: OriginText | undefined,
): OriginChange | undefined {
  const blocks = [...new Set([...(old?.blocks ?? []), ...(now?.blocks ?? [])])];
  if (old === undefined)
    return { origin, change: 'added', blocks, addedLines: lines(now?.text), removedLines: [] };
  if (now === undefined)
    return { origin, change: 'removed', blocks, addedLines: [], removedLines: lines(old.text) };
  if (old.text === now.text) {
    if (old.seat === now.seat) return undefined;
    return { origin, change: 'moved', blocks, addedLines: [], removedLines: [] };
  }
  // Past this many edits the exact alignment is of no use to a reader: everything is shown as replaced.
  const parts = diffLines(old.text, now.text, { maxEditLength: 2_000 });
  const pick = (kind: 'added' | 'removed') =>
    parts?.filter((part) => part[kind]).flatMap((part) => lines(part.value));
  return {
    origin,
    change: 'changed',
    blocks,
    addedLines: pick('added') ?? lines(now.text),
    removedLines: pick('removed') ?? lines(old.text),
  };
}

const lines = (text = ''): readonly string[] => text.replace(/\n$/, '').split('\n');
