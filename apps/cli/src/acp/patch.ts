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
  const sides = { before: '', after: '' };
  // A patch without a head is of a file that comes or goes as a whole.
  const isWhole = !/^@@/m.test(patch);
  let isNew = isWhole && /^\+/m.test(patch) && !/^-/m.test(patch);
  let isIn = isWhole;
  let last: readonly (keyof typeof sides)[] = [];
  for (const line of patch === '' ? [] : patch.split('\n')) {
    if (line.startsWith('@@')) {
      isNew ||= /^@@ -0,0 /.test(line);
      isIn = true;
    } else if (isIn && line.startsWith('\\')) {
      for (const side of last) sides[side] = sides[side].slice(0, -1);
    } else if (isIn && SIDES[line.slice(0, 1)] !== undefined) {
      last = SIDES[line.slice(0, 1)] ?? [];
      for (const side of last) sides[side] += `${line.slice(1)}\n`;
    }
  }
  return { file, before: isNew ? null : sides.before, after: sides.after };
}

/** By the sign of a line: the sides that have it. */
const SIDES: Readonly<Record<string, readonly ('before' | 'after')[]>> = {
  '-': ['before'],
  '+': ['after'],
  ' ': ['before', 'after'],
};

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
