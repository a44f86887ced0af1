// @ts-check
import './node-version.mjs';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { keepFamily } from './family/keep.mjs';
import { ensureInstalled } from './install.mjs';
import { installPacked } from './pack.mjs';
import { prepareParts } from './parts/prepare.mjs';
import { ROOT, run } from './process.mjs';
import { soakFiles } from './soak/files.mjs';
import { OTHER_NODES, PACKED } from './suite.mjs';

// Every test with its full counts, and the tests that `npm test` has no time for. Soaks every test file that takes
// its counts from `test/runs.ts`; arguments narrow the files: `npm run soak -- packages/prompt/src/shell`.

const endFamily = keepFamily();
const seed = process.env.CUEBOOK_SEED ?? String(randomInt(0, 2 ** 31));
const wanted = process.argv.slice(2);
const files = soakFiles(wanted);

if (files.length === 0) {
  console.error(`No test file to soak matches ${wanted.join(' ') || 'at all'}.`);
  process.exit(2);
}

await ensureInstalled();
await prepareParts((part) => part.usedBy.some((file) => files.includes(file)));
if (PACKED.some((file) => files.includes(file))) await installPacked({ nodes: OTHER_NODES });
console.log(`Soaking ${files.length} files with seed ${seed}:`);
for (const file of files) console.log(`  ${file}`);
const env = { ...process.env, CUEBOOK_SOAK: '1', CUEBOOK_SEED: seed };
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const code = await run(process.execPath, [vitest, 'run', '--reporter=verbose', ...files], { env });
console.log(
  `${code === 0 ? 'Passed' : 'Failed'} with seed ${seed}. Again: CUEBOOK_SEED=${seed} npm run soak`,
);
process.exitCode = code;
await endFamily();
