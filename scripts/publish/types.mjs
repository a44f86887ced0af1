// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { ROOT } from '../process.mjs';

/**
 * The declarations that a published package needs: those of its entries and all that they reach, of our other packages
 * too, as files below one folder. A specifier of a package that is not published becomes a path.
 *
 * @param {{ entries: Readonly<Record<string, string>>, folders: Readonly<Record<string, string>>, kept: readonly string[] }} of
 *   `entries`: declaration files by name, from the top of the checkout; `folders`: the workspace of each package of ours;
 *   `kept`: the packages that may stay imports
 * @returns {{ files: Readonly<Record<string, string>>, entries: Readonly<Record<string, string>>, missing: readonly string[] }}
 *   texts by path below the folder; the path of each entry; what is imported and not kept
 */
export function declarationsOf({ entries, folders, kept }) {
  /** @type {Record<string, string>} */
  const files = {};
  /** @type {Set<string>} */
  const missing = new Set();
  const todo = Object.values(entries).map((file) => resolve(ROOT, file));
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    const from = file;
    const place = placeOf(from);
    if (place in files) continue;
    files[place] = readFileSync(from, 'utf8').replace(SPECIFIER, (whole, before, specifier, after) => {
      const target = targetOf(specifier, from);
      if (target === undefined) return whole;
      todo.push(target);
      if (specifier.startsWith('.')) return whole;
      const path = posix.relative(posix.dirname(place), placeOf(target)).replace(/\.d\.ts$/, '.js');
      return `${before}${path.startsWith('.') ? path : `./${path}`}${after}`;
    });
  }
  return {
    files,
    entries: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, placeOf(resolve(ROOT, file))]),
    ),
    missing: [...missing].sort(),
  };

  /** The declaration file that a specifier means, when it is one of ours that is not kept. @param {string} specifier @param {string} from */
  function targetOf(specifier, from) {
    if (specifier.startsWith('.')) return resolve(dirname(from), specifier.replace(/\.js$/, '.d.ts'));
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    const folder = folders[name];
    if (folder === undefined || kept.includes(name)) {
      if (!kept.includes(name) && !name.startsWith('node:')) missing.add(name);
      return undefined;
    }
    const { exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const found = exports[`.${specifier.slice(name.length)}`]?.types;
    if (found === undefined) throw new Error(`${specifier} has no types`);
    return resolve(ROOT, folder, found);
  }
}

/** `from '…'`, `import('…')`, `import '…'`. */
const SPECIFIER = /((?:\bfrom |\bimport\(|\bimport )['"])([^'"]+)(['"])/g;

/** `packages/prompt/dist/block.d.ts` stands at `prompt/block.d.ts`. @param {string} file */
function placeOf(file) {
  const path = relative(ROOT, file).split(sep).join('/');
  const [, name, rest] = /^(?:packages|apps)\/([^/]+)\/dist\/(.+)$/.exec(path) ?? [];
  if (name === undefined || rest === undefined) throw new Error(`${path} is no declaration of ours`);
  return `${name}/${rest}`;
}
