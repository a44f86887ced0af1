/** Lines of unchanged text that are shown around a change. */
const CONTEXT = 2;
/** Past this product of lengths the middle is shown as one change: the table would take too much memory. */
const MAX_CELLS = 4_000_000;

/**
 * What became of a text, line by line: `- ` for lines that went, `+ ` for those that came, two blanks for those
 * around them, and `…` where unchanged lines are left out.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail += 1;
  }
  const changes = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const lines = [
    ...old.slice(0, head).map((line) => `  ${line}`),
    ...changes,
    ...old.slice(old.length - tail).map((line) => `  ${line}`),
  ];
  return withoutDistance(lines);
}

/** The shortest way from one list of lines to the other, by their longest common part. */
function between(old: readonly string[], now: readonly string[]): readonly string[] {
  if (old.length * now.length > MAX_CELLS) {
    return [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)];
  }
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(`  ${old[i]}`);
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${old[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${now[j]}`);
      j += 1;
    }
  }
  return lines;
}

function withoutDistance(lines: readonly string[]): readonly string[] {
  const near = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('  ')) continue;
    for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) near.add(at);
  }
  const shown: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (near.has(index)) shown.push(line);
    else if (shown.at(-1) !== '…') shown.push('…');
  }
  return shown;
}
