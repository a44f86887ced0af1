// @ts-check
import './node-version.mjs';
import { randomInt } from 'node:crypto';
import { keepFamily } from './family/keep.mjs';
import { installPacked } from './pack.mjs';
import { prepareParts } from './parts/prepare.mjs';
import { commitHash, commitSeed } from './seed.mjs';
import { soakFiles } from './soak/files.mjs';
import { soakWithin } from './soak/run-slice.mjs';
import { SLICES, sliceOf } from './soak/slice.mjs';
import { OTHER_NODES, PACKED, runSuite, tellCounts } from './suite.mjs';

// Everything a change must pass: `npm test`, then the slice of the soak that the commit chooses, within
// CUEBOOK_SOAK_MINUTES (10 by default, at most 25). The last line counts both.

const MOST_MINUTES = 25;
const DEFAULT_MINUTES = 10;

const endFamily = keepFamily();
const suite = await runSuite([]);
const commit = commitHash() ?? String(randomInt(2 ** 31));
const files = sliceOf(soakFiles(), commit);
const minutes = budgetOf(process.env.CUEBOOK_SOAK_MINUTES);
// The commit gives the seed too: what was tried before a change lands is what is tried when it lands.
const seed = Number(process.env.CUEBOOK_SEED ?? commitSeed());
console.log(
  `\nThe soak: ${files.length} files, one of ${SLICES} slices, within ${minutes} minutes, with seed ${seed}.`,
);
// What only a soak uses is brought when the slice has it.
await prepareParts((part) => part.inSoak === true && part.usedBy.some((file) => files.includes(file)));
if (PACKED.some((file) => files.includes(file))) await installPacked({ nodes: OTHER_NODES });
const soak = await soakWithin(files, { budgetMs: minutes * 60_000, seed });
for (const file of soak.cut) console.log(`cut by time, neither passed nor failed: ${file}`);
process.exitCode = tellCounts({
  passed: suite.passed + soak.passed,
  failed: [...suite.failed, ...soak.failed],
  skipped: [...suite.skipped, ...soak.skipped],
});
await endFamily();

/** @param {string | undefined} text */
function budgetOf(text) {
  const given = Number(text ?? DEFAULT_MINUTES);
  return Number.isFinite(given) && given >= 0 ? Math.min(given, MOST_MINUTES) : DEFAULT_MINUTES;
}
