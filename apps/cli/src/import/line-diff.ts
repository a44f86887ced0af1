/** Lines of context around a change. */
const CONTEXT = 2;
/** Past this many pairs of lines the whole stretch counts as changed: finding what stayed would take too long. */
const MAX_PAIRS = 4_000_000;

type Line = { readonly mark: ' ' | '-' | '+'; readonly text: string };

/** What changes between two texts: the lines that go with `-`, those that come with `+`, and a little around them. */
export function lineDiff(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const lines = alignedLines(before.split('\n'), after.split('\n'));
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  );
  const shown: string[] = [];
  let old = 0;
  for (const [index, { mark, text }] of lines.entries()) {
    if (mark !== '+') old += 1;
    if (near[index] !== true) continue;
    if (near[index - 1] !== true) shown.push(`@@ line ${Math.max(1, mark === '+' ? old + 1 : old)} @@`);
    shown.push(`${mark} ${text}`);
  }
  return shown;
}

/** Both texts as one list, by the longest lines that they share. */
function alignedLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const kept = (text: string): Line => ({ mark: ' ', text });
  return [
    ...before.slice(0, start).map(kept),
    ...changedLines(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ];
}

function changedLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > MAX_PAIRS)
    return [
      ...before.map((text): Line => ({ mark: '-', text })),
      ...after.map((text): Line => ({ mark: '+', text })),
    ];
  // How many lines the rest of both texts share, from each pair of places on.
  const shared = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const at = (row: number, column: number): number => shared[row]?.[column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const here =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      (shared[row] as Uint32Array)[column] = here;
    }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && before[row] === after[column]) {
      lines.push({ mark: ' ', text: before[row] ?? '' });
      row += 1;
      column += 1;
    } else if (row < rows && (column >= columns || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: before[row] ?? '' });
      row += 1;
    } else {
      lines.push({ mark: '+', text: after[column] ?? '' });
      column += 1;
    }
  }
  return lines;
}
