// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { commandSplitting, licencesOf, packageOf } from '../bundle.mjs';
import { ROOT } from '../process.mjs';
import { PAGES } from './cut.mjs';

/** Where the files of packages of ours stand that are inlined: texts, pages, manifests. */
export const PARTS = 'parts';

/**
 * Writes the code of a published package, our other packages inlined, and the licences of what is inlined of others.
 *
 * @param {object} of
 * @param {import('./cut.mjs').PublicPackage} of.pack
 * @param {Readonly<Record<string, string>>} of.entries sources by name, from the folder of the package
 * @param {readonly string[]} of.kept packages that stay imports
 * @param {string} of.folder where to write
 * @param {number} of.depth how many folders `folder` is below the top of the published package
 */
export async function writeCode({ pack, entries, kept, folder, depth }) {
  const { rolldown } = await import('rolldown');
  const work = await rolldown({
    cwd: join(ROOT, pack.folder),
    input: { ...entries },
    platform: pack.platform === 'node' ? 'node' : 'neutral',
    preserveEntrySignatures: 'allow-extension',
    resolve: {
      conditionNames: ['@cuebook/source', ...(pack.platform === 'node' ? ['node'] : []), 'import', 'default'],
    },
    external: (id) => id.startsWith('node:') || (/^[\w@]/.test(id) && kept.includes(packageOf(id))),
    plugins: [
      {
        name: 'place-of-package',
        transform: {
          filter: { code: 'import.meta.url' },
          handler: (code, id) => placed(code, id, { pack, kept, depth }),
        },
      },
      {
        // Messages name pages by their path in the repository, which whoever installed the package does not have.
        name: 'address-of-pages',
        transform: {
          filter: { code: 'docs/user/' },
          handler: (code) => ({ code: code.replaceAll('docs/user/', `${PAGES}docs/user/`), map: null }),
        },
      },
    ],
    onLog(level, log) {
      if (level === 'warn' && !IGNORED.includes(log.code ?? ''))
        throw new Error(`${log.code} ${log.message}`);
    },
  });
  const { output } = await work.write({
    dir: folder,
    format: 'esm',
    ...(pack.isCommand ? { codeSplitting: commandSplitting() } : {}),
  });
  await work.close();
  const licences = licencesOf(output);
  if (licences !== '') writeFileSync(join(folder, 'LICENSES.txt'), licences);
  return output.flatMap((chunk) =>
    chunk.type === 'chunk' ? chunk.imports.concat(chunk.dynamicImports) : [],
  );
}

/** What packages of other makers do and bundling them does not change. */
const IGNORED = ['EVAL', 'COMMONJS_VARIABLE_IN_ESM', 'UNRESOLVED_IMPORT', 'INVALID_ANNOTATION'];

/**
 * `import.meta.url` of a module of ours is the place where its files are looked for: in the package itself, in the
 * published package that it belongs to, or below `parts`.
 *
 * @param {string} code
 * @param {string} id
 * @param {{ pack: import('./cut.mjs').PublicPackage, kept: readonly string[], depth: number }} of
 */
function placed(code, id, { pack, kept, depth }) {
  const path = relative(ROOT, id).split(sep).join('/');
  const [, folder = '', module] = /^((?:packages|apps)\/[^/]+)\/src\/(.+)\.ts$/.exec(path) ?? [];
  if (module === undefined) return undefined;
  const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const up = '../'.repeat(depth);
  const place = () => {
    if (folder === pack.folder)
      return `new URL(${JSON.stringify(`${up}dist/${module}.js`)}, import.meta.url).href`;
    if (kept.includes(name) || pack.ours.includes(name))
      return `new URL(${JSON.stringify(`./${module}.js`)}, import.meta.resolve(${JSON.stringify(name)})).href`;
    const short = folder.split('/')[1];
    return `new URL(${JSON.stringify(`${up}${PARTS}/${short}/dist/${module}.js`)}, import.meta.url).href`;
  };
  // Lines stay, which is what a stack trace tells.
  return { code: code.replaceAll('import.meta.url', place()), map: null };
}
