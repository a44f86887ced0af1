// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './process.mjs';

// The command as users start it is a bundle: Node spends most of a short call on finding and reading modules one by
// one, and the packages have hundreds. `import()` stays a border, so a call reads only the files of what it does.

/** Where the bundle is, from the top of the checkout. */
export const BUNDLE = join('apps', 'cli', 'dist', 'bin');
/** The sources of the command. */
const COMMAND = 'apps/cli/src';
/** zod as one file, for the processes that load definitions: see `packages/define/bin/zod.js`. */
export const ZOD = join('packages', 'define', 'dist', 'zod');
/** What no compiler wrote of what is in the `dist` folders. */
export const BUNDLES = [BUNDLE, ZOD];
/** What the bundle was made from, as a hash. */
const STAMP = 'sources.sha256';
/** The licences of what is inlined, for whoever gets the bundle. */
const LICENCES = 'LICENSES.txt';

/**
 * Packages of other makers that short calls and a starting server load, all without native code or state that another
 * copy could miss. All others stay imports.
 */
export const INLINED = [
  '@babel/parser',
  '@hono/node-server',
  '@tufjs/canonical-json',
  '@tufjs/models',
  'balanced-match',
  'brace-expansion',
  'canonicalize',
  'commander',
  'croner',
  'diff',
  'eventsource-parser',
  'hono',
  'minimatch',
  'smol-toml',
  'tuf-js',
  'vscode-jsonrpc',
  'vscode-languageserver',
  'vscode-languageserver-protocol',
  'vscode-languageserver-types',
  'yaml',
  'zod',
];

/** Bundles the command unless what is there was made from the sources of now. Answers whether it had to. */
export async function ensureBundle() {
  const hash = sourcesHash();
  if (bundledHash() === hash && existsSync(join(ROOT, ZOD))) return false;
  await bundleZod();
  await bundle(hash);
  return true;
}

/** The hash that the bundle says it was made from; undefined when there is none. */
export function bundledHash() {
  const file = join(ROOT, BUNDLE, STAMP);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** A hash of all that a build depends on: sources, manifests, settings, the versions of what is inlined, this script. */
export function sourcesHash() {
  const files = ['packages', 'apps'].flatMap((group) =>
    namesIn(join(ROOT, group)).flatMap((name) => [
      join(ROOT, group, name, 'package.json'),
      join(ROOT, group, name, 'tsconfig.json'),
      ...sourcesUnder(join(ROOT, group, name, 'src')),
    ]),
  );
  const hash = createHash('sha256');
  const shared = ['tsconfig.base.json', 'tsconfig.json', 'package-lock.json', 'scripts/bundle.mjs'];
  for (const file of [...files, ...shared.map((name) => join(ROOT, name))]) {
    if (!existsSync(file)) continue;
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} hash */
async function bundle(hash) {
  const { rolldown } = await import('rolldown');
  const work = await rolldown({
    cwd: ROOT,
    input: { main: `${COMMAND}/main.ts` },
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    resolve: { conditionNames: ['@cuebook/source', 'node', 'import', 'default'] },
    external: (id) => /^[\w@]/.test(id) && !/^@cuebook\//.test(id) && !INLINED.includes(packageOf(id)),
    plugins: [
      { name: 'place-of-package', transform: { filter: { code: 'import.meta.url' }, handler: inPackage } },
    ],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await writeWhole(work, BUNDLE, {
    options: { sourcemap: true, codeSplitting: commandSplitting() },
    files: { [STAMP]: `${hash}\n` },
  });
}

/**
 * Which modules of the command share a file. A package that is imported as a whole has its codes; `help` has all of
 * them. Each asks for no more than it has.
 *
 * @returns {NonNullable<import('rolldown').OutputOptions['codeSplitting']>}
 */
export function commandSplitting() {
  return {
    groups: [
      { debugName: 'codes', name: codesOf, priority: 1 },
      { debugName: 'together', name: readTogether() },
    ],
    includeDependenciesRecursively: false,
  };
}

async function bundleZod() {
  const { rolldown } = await import('rolldown');
  const work = await rolldown({
    cwd: join(ROOT, 'packages', 'define'),
    input: { zod: 'zod' },
    platform: 'node',
  });
  await writeWhole(work, ZOD, { options: {}, files: {} });
}

/**
 * Writes a bundle with the licences of what is in it. It is whole when it appears under its name, whoever else builds
 * at the same time.
 *
 * @param {import('rolldown').RolldownBuild} work
 * @param {string} folder
 * @param {{ options: import('rolldown').OutputOptions, files: Readonly<Record<string, string>> }} more
 */
async function writeWhole(work, folder, { options, files }) {
  const target = join(ROOT, folder);
  const unfinished = `${target}.${process.pid}`;
  removeLeft(target);
  mkdirSync(unfinished, { recursive: true });
  const { output } = await work.write({ dir: unfinished, format: 'esm', ...options });
  await work.close();
  const texts = { [LICENCES]: licencesOf(output), ...files };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(unfinished, name), text);
  rmSync(target, { recursive: true, force: true });
  renameSync(unfinished, target);
}

/**
 * Removes what builds that were ended have left: their process is there no more, or its number is this one's.
 *
 * @param {string} target
 */
function removeLeft(target) {
  if (!existsSync(dirname(target))) return;
  for (const name of readdirSync(dirname(target))) {
    const [, by] = name.startsWith(`${basename(target)}.`) ? (/\.(\d+)$/.exec(name) ?? []) : [];
    if (by === undefined || (Number(by) !== process.pid && isThere(Number(by)))) continue;
    rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return Object(error).code === 'EPERM';
  }
}

/**
 * `import.meta.url` of a module in the bundle is the place of the module in its own package, where the files stand that
 * it looks for: programs that it starts, pages that it serves.
 *
 * @param {string} code
 * @param {string} id
 */
function inPackage(code, id) {
  const [, folder, path] =
    /^((?:packages|apps)\/[^/]+)\/src\/(.+)\.ts$/.exec(relative(ROOT, id).split(sep).join('/')) ?? [];
  if (folder === undefined) return undefined;
  const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const built = JSON.stringify(`./${path}.js`);
  const place = `new URL(${built}, import.meta.resolve(${JSON.stringify(name)})).href`;
  // Lines stay, which is what a stack trace tells.
  return { code: code.replaceAll('import.meta.url', place), map: null };
}

/**
 * The licences of the packages in built chunks; empty when they hold code of nobody else. Packages with the same words
 * share them.
 *
 * @param {ReadonlyArray<{ type: string, moduleIds?: string[] }>} output
 */
export function licencesOf(output) {
  const ids = output.flatMap((chunk) => chunk.moduleIds ?? []);
  const folders = ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []);
  /** @type {Map<string, Set<string>>} */
  const owners = new Map();
  for (const folder of [...new Set(folders)].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const words = licenceIn(folder, license);
    if (words === undefined) throw new Error(`${name} has no licence to ship`);
    owners.set(words, (owners.get(words) ?? new Set()).add(`${name} ${version}`));
  }
  if (owners.size === 0) return '';
  const texts = [...owners].map(([words, names]) => `${[...names].join('\n')}\n\n${words}\n`);
  return `The files beside this one hold code of these packages.\n\n${texts.join(`\n${'-'.repeat(40)}\n\n`)}`;
}

/** A package that names Apache-2.0 and ships no copy has the words of our own. @param {string} folder @param {unknown} license */
function licenceIn(folder, license) {
  const file = namesIn(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim();
  return license === 'Apache-2.0' ? readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim() : undefined;
}

/** The file of the bundle that holds the codes of one package. @param {string} id */
function codesOf(id) {
  const found = /\/(?:packages|apps)\/([a-z]+)\/src\/(?:conversation\/)?codes\.ts$/.exec(
    id.split(sep).join('/'),
  );
  return found && `codes-${found[1]}`;
}

/**
 * Finding one file is quicker than finding fifty: what every call reads is one file, and so is what `explain` and
 * `render` read beside it.
 *
 * @returns {(id: string, context: import('rolldown').ChunkingContext) => string | null}
 */
function readTogether() {
  /** @type {ReadonlyMap<string, string> | undefined} */
  let names;
  return (id, context) => {
    names ??= namesOf(context);
    return names.get(id) ?? null;
  };
}

/** @param {import('rolldown').ChunkingContext} context */
function namesOf(context) {
  const start = join(ROOT, COMMAND, 'main.ts');
  const explained = reachedFrom(context, join(ROOT, COMMAND, 'commands', 'explain.ts'));
  const rendered = reachedFrom(context, join(ROOT, COMMAND, 'commands', 'render.ts'));
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const id of explained) if (rendered.has(id)) names.set(id, 'common');
  for (const id of reachedFrom(context, start)) if (id !== start) names.set(id, 'start');
  return names;
}

/**
 * What a module reads before it runs, itself included.
 *
 * @param {import('rolldown').ChunkingContext} context
 * @param {string} file
 */
function reachedFrom(context, file) {
  /** @type {Set<string>} */
  const reached = new Set();
  const todo = [file];
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    todo.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

/** @param {string} id */
export const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/');

/** @param {string} folder @returns {readonly string[]} */
const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []);

/**
 * The sources below a folder, tests left out, in a fixed order.
 *
 * @param {string} folder
 * @param {RegExp} names
 * @returns {readonly string[]}
 */
export function sourcesUnder(folder, names = /\.tsx?$/) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sourcesUnder(path, names);
      return names.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await ensureBundle();
