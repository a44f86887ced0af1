// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { workspaceFolders } from './install.mjs';
import { capture, inParallel, npmCommand, npmEnvironment, ROOT } from './process.mjs';
import { spread } from './seed.mjs';

const STATE_FILE = join(ROOT, '.cache', 'pack.json');

/**
 * One published package, packed and installed with only the packages it names.
 *
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} source its folder in the checkout, relative
 * @property {string} folder where it is installed: outside the checkout, so nothing resolves by accident; empty when it
 *   was not chosen
 * @property {readonly string[]} files what the tarball holds
 * @property {string} key changes when the tarball, or one it depends on, changes
 * @property {string} error why the installation failed; empty when it did not
 */

/**
 * Packs every public package and app and installs each in its own empty folder, for `test/pack.test.ts`.
 * It is set-up, not a test, because dependencies of other makers come over the network. Installations
 * whose inputs did not change are kept. Installing takes long: `npm test` installs the command, with which all others
 * come, and some that the commit chooses alone, a soak all of them. Answers false when packing itself failed.
 *
 * @param {{ count?: number, seed?: number }} [sample] how many packages; all by default
 */
export async function installPacked({ count = Number.POSITIVE_INFINITY, seed = 0 } = {}) {
  const state = readState();
  const manifests = workspaceFolders()
    .map(readManifest)
    .filter((manifest) => manifest.private !== true);
  const tarballs = join(state.base, 'tarballs');
  const packed = await pack(manifests, tarballs);
  if (!packed) return false;

  const todo = manifests.map((manifest) => {
    const needed = closure(manifest, manifests);
    const parts = needed.map(({ name }) => packed[name]?.integrity ?? '');
    const key = createHash('sha256')
      .update(JSON.stringify([parts, NODE_TYPES]))
      .digest('hex');
    return { manifest, needed, key };
  });
  const isCommand = (/** @type {Manifest} */ { name }) => name === 'cuebook';
  const chosen = spread(
    manifests.filter((manifest) => !isCommand(manifest)),
    count,
    seed,
  );
  const packages = await inParallel(todo, 2, async ({ manifest, needed, key }) => {
    const source = relative(ROOT, manifest.folder);
    const files = packed[manifest.name]?.files ?? [];
    const known = state.packages.find((entry) => entry.name === manifest.name);
    if (known?.key === key && known.error === '' && existsSync(known.folder))
      return { ...known, source, files };
    if (!isCommand(manifest) && !chosen.includes(manifest))
      return { name: manifest.name, source, folder: '', files, key, error: '' };
    const folder = join(state.base, manifest.name.replace(/^@/, '').replace(/\W+/g, '-'));
    const paths = needed.map(({ name }) => join(tarballs, packed[name]?.filename ?? ''));
    const error = await installInto(folder, [...paths, NODE_TYPES]);
    return { name: manifest.name, source, folder, files, key, error };
  });
  writeFileSync(STATE_FILE, `${JSON.stringify({ base: state.base, packages }, null, 2)}\n`);
  return true;
}

/** @typedef {{ name: string, folder: string, private?: boolean, dependencies?: Record<string, string> }} Manifest */

/**
 * @param {readonly Manifest[]} manifests
 * @param {string} destination
 * @returns {Promise<Record<string, { filename: string, integrity: string, files: string[] }> | undefined>}
 */
async function pack(manifests, destination) {
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const [npm, ...args] = npmCommand();
  const chosen = manifests.flatMap(({ folder }) => ['-w', relative(ROOT, folder)]);
  const options = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--loglevel=error',
    '--pack-destination',
    destination,
    ...chosen,
  ];
  const result = await capture(npm, [...args, ...options]);
  if (result.code !== 0) {
    console.error(result.output);
    return undefined;
  }
  // npm answers a list, or from its version 12 on a record by package name.
  /** @type {Array<{ name: string, filename: string, integrity: string, files: Array<{ path: string }> }>} */
  const rows = Object.values(JSON.parse(result.stdout));
  return Object.fromEntries(
    rows.map(({ name, filename, integrity, files }) => [
      name,
      { filename, integrity, files: files.map(({ path }) => path) },
    ]),
  );
}

/**
 * @param {string} folder
 * @param {readonly string[]} packages
 * @returns {Promise<string>} what went wrong, or an empty string
 */
async function installInto(folder, packages) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const [npm, ...args] = npmCommand();
  const options = [
    'install',
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...packages,
  ];
  const result = await capture(npm, [...args, ...options], { cwd: folder, env: npmEnvironment() });
  return result.code === 0 ? '' : result.output.slice(-2000) || `npm install ended with code ${result.code}`;
}

/**
 * A package and the workspace packages it depends on, however far.
 *
 * @param {Manifest} manifest
 * @param {readonly Manifest[]} all
 * @returns {readonly Manifest[]}
 */
function closure(manifest, all) {
  const found = new Set([manifest]);
  for (const { dependencies = {} } of found) {
    for (const other of all) if (other.name in dependencies) found.add(other);
  }
  return [...found];
}

/** Node's types: snippets are Node programs. That a package of no platform does without is a test of its own. */
const NODE_TYPES = `@types/node@${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies['@types/node']}`;

/** @param {string} folder @returns {Manifest} */
function readManifest(folder) {
  return { ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), folder };
}

/** @returns {{ base: string, packages: Packed[] }} */
function readState() {
  const state = existsSync(STATE_FILE) ? JSON.parse(readFileSync(STATE_FILE, 'utf8')) : undefined;
  if (state && existsSync(state.base)) return state;
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  return { base: mkdtempSync(join(tmpdir(), 'cuebook-pack-')), packages: [] };
}
