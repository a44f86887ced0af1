/** One command of a documented terminal session and what it must answer. */
export interface Step {
  readonly command: string;
  /** The lines shown below the command; undefined when the document shows none. */
  readonly expected: readonly string[] | undefined;
  /** 0 unless the command ends in `# exit N`. */
  readonly exit: number;
}

/**
 * Reads a `sh` block. With `$ ` lines, those are the commands, `> ` lines go on with one, and other lines are
 * its output. Without any, every line is a command. A `\` at the end of a command joins the next line, and a here-document
 * reaches to the line that ends it, with or without `> ` before its lines.
 */
export function readSteps(code: string): readonly Step[] {
  const lines = code.replace(/\n+$/, '').split('\n');
  const isSession = lines.some((line) => line.startsWith('$ '));
  const drafts: Array<{ command: string; output: string[] }> = [];
  for (const line of lines) {
    const last = drafts.at(-1);
    const goesOn = last !== undefined && last.output.length === 0 && last.command.endsWith('\\');
    if (last && isInHereDocument(last.command))
      last.command += `\n${isSession ? line.replace(/^> ?/, '') : line}`;
    else if (last && goesOn) last.command += `\n${line.replace(/^> /, '')}`;
    else if (last && isSession && line.startsWith('> ') && last.output.length === 0)
      last.command += `\n${line.slice(2)}`;
    else if (isSession && !line.startsWith('$ ')) last?.output.push(line);
    else if (line.trim() !== '' && !line.startsWith('#'))
      drafts.push({ command: line.replace(/^\$ /, ''), output: [] });
  }
  return drafts.map(({ command, output }) => ({
    command,
    expected: output.some((line) => line.trim() !== '') ? trimEnds(output) : undefined,
    exit: Number(/# exit (\d+)\s*$/.exec(command)?.[1] ?? 0),
  }));
}

/** Whether a command reads the lines below it and the line that ends them has not come. */
function isInHereDocument(command: string): boolean {
  const [first = '', ...rest] = command.split('\n');
  const end = /<<'([A-Z]+)'/.exec(first)?.[1];
  return end !== undefined && !rest.includes(end);
}

/** True when the output is as shown: `…` stands for any text in its line, alone for any number of lines. */
export function matchesShown(expected: readonly string[], output: string): boolean {
  const actual = trimEnds(output.split('\n'));
  // Row by row, the positions in the output that the lines shown so far can reach.
  let reached = new Set([0]);
  for (const line of expected) {
    const next = new Set<number>();
    for (const at of reached) {
      if (line.trim() === '…') for (let to = at; to <= actual.length; to++) next.add(to);
      else if (at < actual.length && matchesLine(line.trimEnd(), actual[at] ?? '')) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(actual.length);
}

function matchesLine(shown: string, actual: string): boolean {
  const [head = '', ...rest] = shown.split('…');
  const tail = rest.pop();
  if (tail === undefined) return shown === actual;
  if (!actual.startsWith(head) || !actual.endsWith(tail)) return false;
  let at = head.length;
  for (const part of rest) {
    const found = actual.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= actual.length - tail.length;
}

function trimEnds(lines: readonly string[]): readonly string[] {
  const trimmed = lines.map((line) => line.trimEnd());
  const first = trimmed.findIndex((line) => line !== '');
  const last = trimmed.findLastIndex((line) => line !== '');
  return first < 0 ? [] : trimmed.slice(first, last + 1);
}
