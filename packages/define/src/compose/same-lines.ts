/** A part of each of two texts: the same lines, or what stands in the same place between such. */
export interface LinePair {
  readonly left: Range;
  readonly right: Range;
  readonly same: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Beyond so many pairs of lines only the beginning and the end are compared. */
const MAX_PAIRS = 4_000_000;

/** Two texts side by side, line by line: what stayed, and what was changed between it. */
export function sameLines(left: string, right: string): readonly LinePair[] {
  const a = linesOf(left);
  const b = linesOf(right);
  const same = (i: number, j: number): boolean => a[i]?.text === b[j]?.text;
  let head = 0;
  while (head < a.length && head < b.length && same(head, head)) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && same(a.length - 1 - tail, b.length - 1 - tail))
    tail += 1;
  const matches: (readonly [number, number])[] = [];
  for (let i = 0; i < head; i += 1) matches.push([i, i]);
  matches.push(...longest(a, b, { head, aEnd: a.length - tail, bEnd: b.length - tail }));
  for (let i = tail; i > 0; i -= 1) matches.push([a.length - i, b.length - i]);
  return pairsOf(a, b, matches);
}

interface Line extends Range {
  /** With its line break. */
  readonly text: string;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    lines.push({ text: text.slice(start, end), start, end });
    start = end;
  }
  return lines;
}

/** The longest list of lines that both have, in order. */
function longest(
  a: readonly Line[],
  b: readonly Line[],
  { head, aEnd, bEnd }: { readonly head: number; readonly aEnd: number; readonly bEnd: number },
): readonly (readonly [number, number])[] {
  const [rows, columns] = [aEnd - head, bEnd - head];
  if (rows === 0 || columns === 0 || rows * columns > MAX_PAIRS) return [];
  const width = columns + 1;
  const best = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1)
    for (let j = columns - 1; j >= 0; j -= 1)
      best[i * width + j] =
        a[head + i]?.text === b[head + j]?.text
          ? (best[(i + 1) * width + j + 1] as number) + 1
          : Math.max(best[(i + 1) * width + j] as number, best[i * width + j + 1] as number);
  const matches: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[head + i]?.text === b[head + j]?.text) {
      matches.push([head + i, head + j]);
      i += 1;
      j += 1;
    } else if ((best[(i + 1) * width + j] as number) >= (best[i * width + j + 1] as number)) i += 1;
    else j += 1;
  }
  return matches;
}

function pairsOf(
  a: readonly Line[],
  b: readonly Line[],
  matches: readonly (readonly [number, number])[],
): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let [i, j] = [0, 0];
  const between = (aEnd: number, bEnd: number): void => {
    if (i < aEnd && j < bEnd) pairs.push({ left: range(a, i, aEnd), right: range(b, j, bEnd), same: false });
  };
  for (const [left, right] of matches) {
    between(left, right);
    pairs.push({ left: a[left] as Line, right: b[right] as Line, same: true });
    [i, j] = [left + 1, right + 1];
  }
  between(a.length, b.length);
  return pairs;
}

const range = (lines: readonly Line[], from: number, to: number): Range => ({
  start: (lines[from] as Line).start,
  end: (lines[to - 1] as Line).end,
});
