import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { mutant } from './test/mutant-plugin.js';

const isSoak = process.env.CUEBOOK_SOAK === '1';

export default defineConfig({
  plugins: [mutant(process.env.CUEBOOK_MUTANT)],
  resolve: { conditions: ['@cuebook/source', 'node'] },
  ssr: { resolve: { conditions: ['@cuebook/source', 'node'] } },
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
    // A soak runs until it is done.
    testTimeout: isSoak ? 0 : 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Many suites wait for other programs: by default two cores would have one worker.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
