// @ts-check
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from './nodes/with-node.mjs';
import { capture, npmCommand, npmEnvironment, ROOT } from './process.mjs';
import { buildPublished, publishFolder } from './publish/build.mjs';
import { PUBLIC } from './publish/cut.mjs';
import { openRegistry } from './registry/registry.mjs';

/** What the last dry run made, for `test/pack.test.ts` and `test/first-value.test.ts`. */
const STATE_FILE = join(ROOT, '.cache', 'pack.json');

/**
 * One published package, installed alone.
 *
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} folder where it is installed: outside the checkout, so nothing resolves by accident
 * @property {string} tarball
 * @property {readonly string[]} files what the tarball holds
 * @property {string} key changes when the tarball changes
 * @property {string} error why the installation failed; empty when it did not
 */

/**
 * Builds the published packages, publishes them to a registry on 127.0.0.1 with npm itself, and installs each from
 * there into an empty folder. It is set-up, not a test, because packages of other makers come over the network; the
 * registry keeps them, so that tests install without it. Answers false when it cannot be published.
 *
 * @param {{ nodes?: readonly string[] }} [options] versions of Node that tests use beside this one
 */
export async function installPacked({ nodes = [] } = {}) {
  const state = readState();
  await buildPublished();
  const upstream = (await npm(['config', 'get', 'registry'])).stdout.trim();
  const folder = join(state.base, 'registry');
  for (const { name } of PUBLIC)
    rmSync(join(folder, name.replace('/', '+')), { recursive: true, force: true });
  const own = PUBLIC.map(({ name }) => name);
  const registry = await openRegistry({ folder, upstream, own });
  try {
    /** @type {Packed[]} */
    const packages = [];
    for (const { name } of PUBLIC) {
      const published = await publish(name, registry.url);
      if (published === undefined) return false;
      packages.push({ name, ...published, folder: '', error: '' });
    }
    const installed = [];
    for (const packed of packages) {
      const known = state.packages.find(({ name }) => name === packed.name);
      const key = packages.map((each) => each.key).join();
      const isSame = known?.key === key && known.error === '' && existsSync(known.folder);
      const place = isSame
        ? known.folder
        : join(state.base, packed.name.replace(/^@/, '').replace(/\W+/g, '-'));
      const error = isSame ? '' : await installInto(place, [packed.name, NODE_TYPES], registry.url);
      installed.push({ ...packed, key, folder: place, error });
    }
    /** @type {Record<string, string>} */
    const programs = {};
    for (const version of nodes) programs[version] = await findNode(version);
    const made = {
      base: state.base,
      registry: folder,
      packages: installed,
      nodes: { ...state.nodes, ...programs },
    };
    writeFileSync(STATE_FILE, `${JSON.stringify(made, null, 2)}\n`);
    return true;
  } finally {
    await registry.close();
  }
}

/**
 * @param {string} name
 * @param {string} url
 */
async function publish(name, url) {
  const args = ['publish', publishFolder(name), '--json', '--ignore-scripts', '--loglevel=error', ...to(url)];
  const { code, stdout, output } = await npm(args);
  if (code !== 0) {
    console.error(output);
    return undefined;
  }
  // npm answers a row, or from its version 12 on a record by package name.
  const told = JSON.parse(stdout);
  const { files, integrity } = told.files ? told : Object.values(told)[0];
  const tarball = `${name.split('/').at(-1)}-${told.version ?? Object.values(told)[0].version}.tgz`;
  return {
    key: integrity,
    tarball,
    files: files.map((/** @type {{ path: string }} */ { path }) => path),
  };
}

/**
 * @param {string} folder
 * @param {readonly string[]} packages
 * @param {string} url
 * @returns {Promise<string>} what went wrong, or an empty string
 */
async function installInto(folder, packages, url) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const cache = ['--cache', `${folder}.npm`];
  const result = await npm(['install', ...options, ...cache, ...to(url), ...packages], folder);
  rmSync(`${folder}.npm`, { recursive: true, force: true });
  return result.code === 0 ? '' : result.output.slice(-2000) || `npm install ended with code ${result.code}`;
}

/** The options by which npm takes a registry of ours for the only one; it takes any token. @param {string} url */
const to = (url) => ['--registry', url, `--${url.replace(/^https?:/, '')}/:_authToken=dry-run`];

/** @param {readonly string[]} args @param {string} [cwd] */
function npm(args, cwd = ROOT) {
  const [program, ...first] = npmCommand();
  return capture(program, [...first, ...args], { cwd, env: npmEnvironment() });
}

/** Node's types: snippets are Node programs. That a package of no platform does without is a test of its own. */
const NODE_TYPES = `@types/node@${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies['@types/node']}`;

/** @returns {{ base: string, packages: Packed[], nodes?: Record<string, string> }} */
function readState() {
  const state = existsSync(STATE_FILE) ? JSON.parse(readFileSync(STATE_FILE, 'utf8')) : undefined;
  if (state?.registry && existsSync(state.base)) return state;
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  return { base: mkdtempSync(join(tmpdir(), 'cuebook-pack-')), packages: [] };
}
