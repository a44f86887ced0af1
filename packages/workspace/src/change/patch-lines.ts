import type { Lines } from '../contract.js';

/** The lines that a unified patch adds and removes. Only lines of hunks count, by the numbers that each hunk states. */
export function patchLines(patch: string): Lines {
  let [added, removed, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of patch.split('\n')) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk) [oldLeft, newLeft] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      continue;
    }
    if (line.startsWith('+')) [added, newLeft] = [added + 1, newLeft - 1];
    else if (line.startsWith('-')) [removed, oldLeft] = [removed + 1, oldLeft - 1];
    else if (!line.startsWith('\\')) [oldLeft, newLeft] = [oldLeft - 1, newLeft - 1];
  }
  return { added, removed };
}
