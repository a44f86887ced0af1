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
  let starts: number[] | undefined;
  // Places are mostly asked for in the order of the text: on one line counting goes on from the last one.
  let last = { line: -1, offset: 0, column: 1 };
  return (offset) => {
    starts ??= lineStarts(text);
    const line = lastAtMost(starts, offset);
    const isOn = line === last.line && offset >= last.offset;
    const from = isOn ? last : { offset: starts[line] ?? 0, column: 1 };
    last = { line, offset, column: from.column + codePoints(text, from.offset, offset) };
    return { line: line + 1, column: last.column };
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
  return {
    text,
    at: (offset) => {
      const index = lastAtMost(starts, offset);
      const run = runs[index];
      if (run === undefined) return { line: 1, column: 1 };
      return { line: run.place.line, column: run.place.column + codePoints(text, run.start, offset) };
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

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair && at + 1 < to) at += 1;
    count += 1;
  }
  return count;
}
