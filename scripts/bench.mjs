// @ts-check
import './node-version.mjs';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { keepFamily } from './family/keep.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT, run } from './process.mjs';

// Runs every `bench/*.bench.ts` in its own process against the built packages, one after the other so that
// none disturbs another. Arguments narrow the files: `npm run bench -- compose`.

const wanted = process.argv.slice(2);
const folder = join(ROOT, 'bench');
const out = join(ROOT, '.cache', 'bench');

const endFamily = keepFamily();
const { built } = await ensureInstalled();
if (!built) console.error('The build has type errors, see above; measuring what it left.');
const { build } = await import('vite');
const names = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort();

if (names.length === 0) {
  console.error(`No file bench/*.bench.ts matches ${wanted.join(' ') || 'at all'}.`);
  process.exit(2);
}

/**
 * The fixtures of tests name sources of their package: they get the built files, beside which its texts are.
 *
 * @type {import('vite').Plugin}
 */
const asBuilt = {
  name: 'as-built',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    const [, folder, file] = /^(.*\/packages\/[^/]+)\/src\/(.*)\.ts$/.exec(found?.id ?? '') ?? [];
    return folder === undefined ? found : { id: `${folder}/dist/${file}.js`, external: 'absolute' };
  },
};

let worst = 0;
for (const name of names) {
  // Only the benchmark itself is bundled; packages are measured as their users get them.
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    ssr: { external: true },
    plugins: [asBuilt],
    build: { ssr: join(folder, name), outDir: out, emptyOutDir: false, minify: false, target: 'node20' },
  });
  console.log(`\n${name}`);
  const code = await run(process.execPath, ['--expose-gc', join(out, name.replace(/\.ts$/, '.js'))]);
  worst = Math.max(worst, code);
}
process.exitCode = worst;
await endFamily();
