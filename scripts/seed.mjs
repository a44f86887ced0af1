// @ts-check
import { execFileSync } from 'node:child_process';
import { ROOT } from './process.mjs';

/** The seed where no commit gives one. */
export const FIXED_SEED = 20_240_229;

/** The seed of the commit that is checked out: another one for each, the same for all who test it. */
export function commitSeed() {
  const hash = commitHash();
  return hash === undefined ? FIXED_SEED : seedOf(hash);
}

/** The hash of the commit that is checked out; undefined without git or a repository, as in an unpacked archive. */
export function commitHash() {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined; // No git, or no repository.
  }
}

/**
 * A seed as fast-check takes them: a whole number of 31 bits.
 *
 * @param {string} hash
 */
export const seedOf = (hash) => Number.parseInt(hash.slice(0, 8), 16) >>> 1;

/**
 * `count` items at even distances, in their order, from a place that the seed chooses: with other seeds each gets its
 * turn.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} count
 * @param {number} seed
 * @returns {readonly Item[]}
 */
export function spread(items, count, seed) {
  if (items.length <= count) return items;
  const chosen = Array.from(
    { length: count },
    (_, index) => (seed + Math.floor((index * items.length) / count)) % items.length,
  );
  return items.filter((_, index) => chosen.includes(index));
}
