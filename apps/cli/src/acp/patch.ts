/** A file before and after a change, as far as the change shows it. */
export interface ChangedText {
  /** From the folder that is changed. */
  readonly file: string;
  /** Null: the file is new. */
  readonly before: string | null;
  readonly after: string;
}

/** The lines that a patch shows of one file, before and after: context, and what goes and comes. */
export function sidesOf(file: string, patch: string): ChangedText {
  const before: string[] = [];
  const after: string[] = [];
  let isNew = false;
  let isIn = false;
  for (const line of patch.split('\n')) {
    if (line.startsWith('@@')) {
      isNew ||= /^@@ -0,0 /.test(line);
      isIn = true;
    } else if (!isIn || line.startsWith('\\')) continue;
    else if (line.startsWith('-')) before.push(line.slice(1));
    else if (line.startsWith('+')) after.push(line.slice(1));
    else if (line.startsWith(' ')) {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  return { file, before: isNew ? null : lines(before), after: lines(after) };
}

/** The files of a diff of git, each with its sides. A file without lines, such as a picture, is left out. */
export function changesIn(diff: string): readonly ChangedText[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git ') && part.includes('\n@@ '))
    .flatMap((part) => {
      const name =
        /^\+\+\+ (?:"?b\/(.+?)"?)\t?$/m.exec(part)?.[1] ?? /^--- (?:"?a\/(.+?)"?)\t?$/m.exec(part)?.[1];
      return name === undefined ? [] : [sidesOf(name, part)];
    });
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
