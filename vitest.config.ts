import { createHash } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { commitSeed } from './scripts/seed.mjs';
import { HUNG_MS } from './test/hung.js';
import { mutant } from './test/mutant-plugin.js';
import { whyOwnProcess } from './test/suite/own-process.js';
import SlowFirst from './test/suite/slow-first.js';
import { chosenFiles } from './test/suite/test-files.js';
import { workspaces } from './test/workspaces.js';

/** A process that shares its modules among hundreds of test files grows to this. */
const WORKER_BYTES = 2 * 2 ** 30;

// Tests reach no server but those of this machine. Where it is set, each Node below 22 reads all certificates when it
// starts, which takes three times as long as the rest of its start, and tests start thousands.
delete process.env.NODE_EXTRA_CA_CERTS;

const isSoak = process.env.CUEBOOK_SOAK === '1';
const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
const files = chosenFiles();
const own = files.filter((file) => whyOwnProcess(file) !== undefined);
const shared = files.filter((file) => !own.includes(file));

export default defineConfig({
  plugins: [mutant(process.env.CUEBOOK_MUTANT)],
  resolve: { conditions: ['@cuebook/source', 'node'] },
  ssr: { resolve: { conditions: ['@cuebook/source', 'node'] } },
  test: {
    // What a file becomes is kept between runs by what it says and where imports of packages lead.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: `.cache/vitest-modules/${hashOf(workspaces().map(({ manifest }) => manifest))}`,
    },
    // Of a file with nothing but scenarios that take turns there may be none this time.
    passWithNoTests: process.env.CUEBOOK_TURNS === '1',
    globalSetup: ['test/suite/global-setup.ts'],
    runner: 'test/suite/runner.ts',
    env: { CUEBOOK_SEED: process.env.CUEBOOK_SEED ?? String(commitSeed()) },
    // A soak runs until it is done.
    testTimeout: isSoak ? 0 : HUNG_MS,
    hookTimeout: HUNG_MS,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: HUNG_MS } },
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    // Many files wait for other programs, and while they do others can work, as far as memory allows.
    maxWorkers: availableParallelism() + Math.min(4, Math.max(1, Math.floor(totalmem() / WORKER_BYTES) - 2)),
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: shared,
          // A process keeps the modules that it loaded: most files import the same hundreds.
          isolate: false,
          setupFiles: ['test/suite/processor-time.ts', 'test/suite/shared-process.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'own',
          include: own,
          setupFiles: ['test/suite/processor-time.ts'],
        },
      },
    ],
  },
});
