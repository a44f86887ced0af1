/** The change of a file as a patch that `git apply` and `patch` take; empty where nothing changes. */
export function patchOf(file: string, before: string, after: string): string {
  if (before === after) return '';
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const room = Math.min(old.length, now.length) - head;
  while (tail < room && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const from = Math.max(0, head - CONTEXT);
  const [oldEnd, nowEnd] = [old.length - tail, now.length - tail];
  const [oldTo, nowTo] = [Math.min(old.length, oldEnd + CONTEXT), Math.min(now.length, nowEnd + CONTEXT)];
  const marked = (mark: string, lines: readonly string[]): string =>
    lines.map((line) => mark + ended(line)).join('');
  return [
    `--- a/${file}\n+++ b/${file}\n`,
    `@@ -${range(from, oldTo)} +${range(from, nowTo)} @@\n`,
    marked(' ', old.slice(from, head)),
    marked('-', old.slice(head, oldEnd)),
    marked('+', now.slice(head, nowEnd)),
    marked(' ', old.slice(oldEnd, oldTo)),
  ].join('');
}

const CONTEXT = 3;

/** Lines with their ends: the last may have none. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];

const ended = (line: string): string =>
  line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;

const range = (from: number, to: number): string => (to === from ? `${from},0` : `${from + 1},${to - from}`);
