/** Where Markdown shows code: fences and spans, as offsets in the text, sorted. */
export function codeRanges(text: string): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  let fence: { readonly mark: string; readonly start: number } | undefined;
  let prose = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const open = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const end = at + line.length + 1;
    if (fence === undefined && open !== undefined) {
      spans(text, prose, at, ranges);
      fence = { mark: open, start: at };
    } else if (fence !== undefined && open?.startsWith(fence.mark) && line.trim() === open) {
      ranges.push([fence.start, end]);
      fence = undefined;
      prose = end;
    }
    at = end;
  }
  if (fence === undefined) spans(text, prose, text.length, ranges);
  else ranges.push([fence.start, text.length]);
  return ranges.sort((a, b) => a[0] - b[0]);
}

/**
 * Whether an offset stands in a code span, and in one line of it, whoever pairs the back quotes: a line at a time or all of
 * the text. Fences are no spans.
 */
export function insideCodeSpan(text: string): (offset: number) => boolean {
  const whole: [number, number][] = [];
  const lines: [number, number][] = [];
  spans(text, 0, text.length, whole);
  let at = 0;
  for (const line of text.split('\n')) {
    spans(text, at, at + line.length, lines);
    at += line.length + 1;
  }
  return (offset) => isWithin(whole, offset) && isWithin(lines, offset);
}

/** Code spans of a stretch of prose: a run of backticks up to the next run of the same length. */
function spans(text: string, from: number, to: number, ranges: [number, number][]): void {
  const runs = [...text.slice(from, to).matchAll(/`+/g)].map(
    (match) => [from + match.index, match[0].length] as const,
  );
  // From the end: where the next run of the same length is.
  const next: (number | undefined)[] = [];
  const last = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const [, length] = runs[index] as readonly [number, number];
    next[index] = last.get(length);
    last.set(length, index);
  }
  for (let index = 0; index < runs.length; index += 1) {
    const [start, length] = runs[index] as readonly [number, number];
    const close = next[index];
    if (close === undefined) continue;
    const [end] = runs[close] as readonly [number, number];
    ranges.push([start, end + length]);
    index = close;
  }
}

/** Whether an offset lies in one of the ranges. */
export function isWithin(ranges: readonly (readonly [number, number])[], offset: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [start, end] = ranges[middle] as readonly [number, number];
    if (offset < start) high = middle - 1;
    else if (offset >= end) low = middle + 1;
    else return true;
  }
  return false;
}
