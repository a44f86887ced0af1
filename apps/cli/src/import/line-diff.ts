/** Lines of context around a change. */
const CONTEXT = 2;

/** What changes between two texts: the lines that go with `-`, those that come with `+`, and a little around them. */
export function lineDiff(before: string, after: string): readonly string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  if (start === old.length && start === fresh.length) return [];
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end += 1;
  const from = Math.max(0, start - CONTEXT);
  const oldEnd = old.length - end;
  return [
    `@@ line ${start + 1} @@`,
    ...old.slice(from, start).map((line) => `  ${line}`),
    ...old.slice(start, oldEnd).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
    ...old.slice(oldEnd, oldEnd + CONTEXT).map((line) => `  ${line}`),
  ];
}
