// @ts-check
import './node-version.mjs';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUNDLES, ensureBundle, sourcesHash } from './bundle.mjs';
import { npmCommand, ROOT, run } from './process.mjs';
import { ensureWeb } from './web.mjs';

/**
 * Brings a checkout to the state in which everything runs: dependencies as the lock file says, packages
 * built. Does nothing slow when that is so already. Ends the process with code 3 when dependencies cannot
 * be had. Answers whether the build is clean; a build with type errors still leaves its output.
 *
 * @returns {Promise<{ built: boolean }>}
 */
export async function ensureInstalled() {
  if (!isInstalled()) await install();
  return { built: await build() };
}

// No package we use needs its install script, and the build is ours to run. The level is named because
// `npm --silent test` would hand its silence on, and with it the reason of a failure.
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=notice'];

async function install() {
  console.log('Installing dependencies (npm ci) …');
  const [npm, ...args] = npmCommand();
  const code = await run(npm, [...args, 'ci', ...QUIET]);
  if (code === 0) return;
  console.error(
    'npm ci did not finish. It needs a network and a folder it may write; its own words are above.',
  );
  process.exit(3);
}

/**
 * Compares the lock file with npm's own record of what it put in place, entry by entry. A stored hash or a
 * file time would be wrong after a branch switch, an interrupted install or a plain `npm install`.
 */
export function isInstalled() {
  const wanted = readPackages(join(ROOT, 'package-lock.json'));
  const present = readPackages(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  const isPlaced = Object.entries(wanted).every(([path, entry]) => {
    const found = present[path];
    if (!found) return path === '' || entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
  return isPlaced && Object.keys(present).every((path) => path in wanted);
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

/** The hash of the sources that were last compiled without an error: to ask the compiler again takes it seconds. */
const BUILT = join(ROOT, '.cache', 'built.sha256');

const compile = () => run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b']);

async function build() {
  const folders = workspaceFolders();
  for (const folder of folders) pruneOutput(join(folder, 'src'), join(folder, 'dist'));
  const hash = sourcesHash();
  const isBuilt =
    folders.every((folder) => builtAt(folder) > 0) &&
    existsSync(BUILT) &&
    readFileSync(BUILT, 'utf8') === hash;
  // A test that was written later makes a package newer than its build too, and the compiler leaves that as it is.
  const stale = isBuilt ? [] : folders.filter((folder) => newest(join(folder, 'src')) > builtAt(folder));
  if (stale.length > 0) {
    const share = stale.length === folders.length ? '' : ` of ${folders.length}`;
    console.log(`Compiling ${stale.length}${share} packages (all of them take about a minute) …`);
  }
  const isClean = isBuilt || (await compile()) === 0;
  mkdirSync(dirname(BUILT), { recursive: true });
  if (isClean) writeFileSync(BUILT, hash);
  await ensureBundle();
  await ensureWeb();
  return isClean;
}

/** When the compiler last finished a package; 0 when it never did. @param {string} folder */
function builtAt(folder) {
  const info = join(folder, 'dist', '.tsbuildinfo');
  return existsSync(info) ? statSync(info).mtimeMs : 0;
}

/** When a file below a folder was last written. @param {string} folder @returns {number} */
function newest(folder) {
  const times = list(folder).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
  });
  return Math.max(0, ...times);
}

/** The folders of all packages and apps that exist. */
export function workspaceFolders() {
  return ['packages', 'apps']
    .flatMap((group) => list(join(ROOT, group)).map((entry) => join(ROOT, group, entry.name)))
    .filter((folder) => existsSync(join(folder, 'package.json')));
}

/**
 * Removes built files whose source is gone: the compiler leaves them, and they would be packed.
 *
 * @param {string} source
 * @param {string} output
 */
function pruneOutput(source, output) {
  for (const entry of list(output)) {
    const path = join(output, entry.name);
    if (BUNDLES.some((bundle) => path === join(ROOT, bundle))) continue;
    if (entry.isDirectory()) pruneOutput(join(source, entry.name), path);
    const stem = entry.name.match(/^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/)?.[1];
    if (stem && !existsSync(join(source, `${stem}.ts`)) && !existsSync(join(source, `${stem}.tsx`)))
      rmSync(path);
  }
}

/** @param {string} folder */
function list(folder) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}
