import { structuredPatch } from 'diff';

/**
 * The difference of two texts as people read it: hunks of lines with three around them, `-` for what goes and `+` for
 * what comes. Null is a file that is not there. Of texts that have little in common everything goes and comes.
 */
export function patchOf(before: string | null, after: string | null): string {
  if (before === null || after === null) return wholly(before, after);
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  if (patch === undefined) return wholly(before, after);
  return patch.hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
      ...lines,
    ])
    .join('\n');
}

/** Of no lines the one before them is named. */
const rangeOf = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;

/** Past this many edits an exact alignment costs much and helps nobody. */
const MAX_EDITS = 500;

const wholly = (before: string | null, after: string | null): string =>
  [...signed('-', before), ...signed('+', after)].join('\n');

const signed = (sign: string, text: string | null): readonly string[] => {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  const open = lines.pop();
  return [...lines.map((line) => sign + line), ...(open === '' ? [] : [sign + open, NO_LINE_END])];
};

/** What stands behind a last line that has no line end. */
export const NO_LINE_END = '\\ No newline at end of file';
