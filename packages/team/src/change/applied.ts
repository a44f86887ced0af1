import { NO_LINE_END } from './patch.js';

/**
 * The text that a patch of `patchOf` makes of another. Every line that stays or goes has to stand where the patch says;
 * undefined when one does not.
 */
export function applied(before: string | null, patch: string): string | undefined {
  const old = linesOf(before ?? '');
  const made: string[] = [];
  let at = 0;
  for (const { start, lines } of hunksOf(patch)) {
    if (start < at || start > old.length) return undefined;
    made.push(...old.slice(at, start));
    at = start;
    for (const { sign, text } of lines) {
      if (sign !== '+' && old[at++] !== text) return undefined;
      if (sign !== '-') made.push(text);
    }
  }
  return [...made, ...old.slice(at)].join('');
}

interface Hunk {
  /** How many lines stand before it. */
  readonly start: number;
  readonly lines: Line[];
}

/** A line with its line end, if it has one. */
interface Line {
  readonly sign: string;
  text: string;
}

/** A patch without a head is of the whole file. */
function hunksOf(patch: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const line of patch === '' ? [] : patch.split('\n')) {
    const head = /^@@ -(\d+),(\d+) /.exec(line);
    if (head !== null) {
      hunks.push({ start: Number(head[1]) - (head[2] === '0' ? 0 : 1), lines: [] });
      continue;
    }
    if (hunks.length === 0) hunks.push({ start: 0, lines: [] });
    const { lines } = hunks.at(-1) as Hunk;
    const last = lines.at(-1);
    if (line !== NO_LINE_END) lines.push({ sign: line.slice(0, 1), text: `${line.slice(1)}\n` });
    else if (last !== undefined) last.text = last.text.slice(0, -1);
  }
  return hunks;
}

/** Each with its line end. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
