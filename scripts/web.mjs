// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { licencesOf, sourcesUnder } from './bundle.mjs';
import { ROOT } from './process.mjs';

// The browser app is built into the folder that the server serves. What is built is not committed.

/** Where the built app is, from the top of the checkout. */
export const PAGE = join('apps', 'server', 'page');
/** What the app was built from, as a hash. */
const STAMP = join(ROOT, '.cache', 'page.sha256');
const SOURCES = ['apps/web/src', 'packages/api/src', 'packages/prompt/src'];
const SINGLE = ['apps/web/index.html', 'apps/web/vite.config.ts', 'package-lock.json', 'scripts/web.mjs'];

/** Builds the app unless what is there was made from the sources of now. Answers whether it had to. */
export async function ensureWeb() {
  const hash = sourcesHash();
  const isThere = existsSync(join(ROOT, PAGE, 'index.html')) && existsSync(STAMP);
  if (isThere && readFileSync(STAMP, 'utf8') === hash) return false;
  const { build } = await import('vite');
  await build({
    configFile: join(ROOT, 'apps/web/vite.config.ts'),
    plugins: [
      {
        name: 'licences',
        generateBundle(_options, output) {
          const source = licencesOf(Object.values(output));
          this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source });
        },
      },
    ],
  });
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, hash);
  return true;
}

function sourcesHash() {
  const all = SOURCES.flatMap((folder) => sourcesUnder(join(ROOT, folder), /\.(?:tsx?|css|svg)$/));
  const hash = createHash('sha256');
  for (const file of [...all, ...SINGLE.map((name) => join(ROOT, name))])
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await ensureWeb();
