import { codePointCounter } from '@cuebook/yaml';

/** A place in a file, from 1; columns count code points. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** A text that knows where each of its characters stands in its file. Offsets are UTF-16 units of `text`. */
export interface MappedText {
  readonly text: string;
  readonly at: (offset: number) => LineColumn;
}

/** Finds lines and columns of offsets in a text. Built on first use. */
export function lineIndex(text: string): (offset: number) => LineColumn {
  let starts: readonly number[] | undefined;
  const codePoints = codePointCounter(text);
  return (offset) => {
    starts ??= lineStarts(text);
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: 1 + codePoints(starts[line] ?? 0, offset) };
  };
}

/** A file's own text. */
export const mappedFile = (text: string): MappedText => ({ text, at: lineIndex(text) });

/** A part of a mapped text. */
export const mappedSlice = (whole: MappedText, start: number, end: number): MappedText => ({
  text: whole.text.slice(start, end),
  at: (offset) => whole.at(start + offset),
});

/** A text made of runs, each on one line of its file: where it begins in the text, and where in the file. */
export function mappedRuns(
  text: string,
  runs: readonly { readonly start: number; readonly place: LineColumn }[],
): MappedText {
  const starts = runs.map(({ start }) => start);
  const codePoints = codePointCounter(text);
  return {
    text,
    at: (offset) => {
      const index = lastAtMost(starts, offset);
      const run = runs[index];
      if (run === undefined) return { line: 1, column: 1 };
      const { line, column } = run.place;
      return { line, column: column + codePoints(run.start, offset) };
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The index of the last number that is at most `value`, in a sorted list. */
export function lastAtMost(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
