// @ts-check

/** How many slices the soak is cut into. With each commit another one is run, so that all get their turn. */
export const SLICES = 12;

/**
 * The files of the slice that a commit chooses. Which slice a file belongs to follows from its path alone, so that a
 * new file moves no other.
 *
 * @param {readonly string[]} files
 * @param {string} commit its hash
 * @returns {readonly string[]} in an order that the commit chooses too: who comes last may find no time left
 */
export function sliceOf(files, commit) {
  const slice = numberOf(commit) % SLICES;
  return files
    .filter((file) => numberOf(file) % SLICES === slice)
    .map((file) => ({ file, rank: numberOf(`${commit} ${file}`) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ file }) => file);
}

/**
 * A number of 32 bits that a text gives: FNV-1a, mixed once more so that the last bits depend on all of it.
 *
 * @param {string} text
 */
function numberOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
