import type { PatchRow } from './patch-rows.js';

/** What a person says about a line of a diff. */
export interface LineComment {
  readonly file: string;
  readonly row: PatchRow;
  readonly text: string;
}

/** All comments as one message to the agent that wrote the lines: file, line and the line itself, then the words. */
export const commentMessage = (comments: readonly LineComment[]): string =>
  [
    'Comments on your changes:',
    ...comments.map(
      ({ file, row, text }) =>
        `${file}:${row.now ?? row.old ?? 0}${row.now === null ? ' (the line that you removed)' : ''}\n> ${row.text}\n${text}`,
    ),
  ].join('\n\n');
