import { fail, ok, type Result } from '@cuebook/prompt';

/** The snapshots of one file of cases: by case and part, such as `greets > request`. */
export type Snapshots = ReadonlyMap<string, string>;

const HEAD =
  '# Written by `cuebook test --update`. A line of content has two blanks before it, or is JSON.\n';

/** Sorted, so that a change of one snapshot changes nothing else. */
export function printSnapshots(snapshots: Snapshots): string {
  const entries = [...snapshots].sort(([a], [b]) => (a < b ? -1 : 1));
  const bodies = entries.map(([key, text]) => {
    const lines = text.split('\n').map(printLine);
    return `\n=== ${JSON.stringify(key)}\n${lines.join('\n')}\n`;
  });
  return `${HEAD}${bodies.join('')}`;
}

/** A carriage return would not outlive the tools that files go through. */
const printLine = (line: string): string =>
  line === '' ? '' : line.includes('\r') ? JSON.stringify(line) : `  ${line}`;

/** Reads what was printed; a text that was not is refused with the number of its line. */
export function parseSnapshots(text: string): Result<Snapshots, number> {
  const snapshots = new Map<string, string>();
  let key: string | undefined;
  let lines: string[] = [];
  const close = (): void => {
    // The last line before a heading is the one that parts entries, and behind the last entry there is none.
    if (key !== undefined) snapshots.set(key, lines.join('\n'));
    lines = [];
  };
  const all = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  for (const [index, line] of all.entries()) {
    if (line.startsWith('#') && key === undefined) continue;
    if (line.startsWith('=== ')) {
      if (key !== undefined) lines.pop();
      close();
      key = textOf(line.slice(4));
      if (key === undefined) return fail(index + 1);
      continue;
    }
    const content = line === '' || line.startsWith('  ') ? line.slice(2) : textOf(line);
    if (content === undefined) return fail(index + 1);
    lines.push(content);
  }
  close();
  return ok(snapshots);
}

function textOf(text: string): string | undefined {
  try {
    const key: unknown = JSON.parse(text);
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
