// @ts-check
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLIC } from './cut.mjs';

/**
 * Files that name the version of Cuebook beside the manifests: `{v}` stands for it.
 *
 * @type {readonly (readonly [file: string, words: string])[]}
 */
export const VERSION_PLACES = [
  ['apps/cli/src/version.ts', "export const VERSION = '{v}';"],
  ['apps/operator/chart/Chart.yaml', 'version: {v}\nappVersion: {v}\n'],
  ['apps/operator/cluster/operator.yaml', 'image: cuebook:{v}\n'],
  ['compose.yaml', 'image: cuebook:{v}\n'],
  ['Containerfile', '-t cuebook:{v} .'],
  ['docs/user/cluster.md', '-t cuebook:{v} .'],
  ['packages/provider/src/codex/settings.ts', "title: 'Cuebook', version: '{v}' }"],
  ['packages/provider/src/acp/session.ts', "const VERSION = '{v}';"],
  ['packages/provider/src/acp/offer.ts', "createTurnTools('{v}')"],
  ['packages/provider/src/server/connect.ts', "name: 'cuebook', version: '{v}' }"],
  ['packages/workflow/src/package/requirements.ts', "export const RUNTIME_VERSION = '{v}';"],
];

/** The words of a place with a version in them. @param {string} words @param {string} version */
export const wordsOf = (words, version) => words.replaceAll('{v}', version);

/**
 * Finishes what `changeset version` began: every file that names the version, the lockfile, and no changelog of a
 * package that is not published. Answers the version.
 *
 * @param {string} root the checkout
 * @returns {string}
 */
export function finishVersion(root) {
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  const json = (/** @type {string} */ path) => JSON.parse(read(path));
  const own = json('package.json');
  const { version } = json('apps/cli/package.json');
  for (const [file, words] of VERSION_PLACES) {
    const [before, after] = [wordsOf(words, own.version), wordsOf(words, version)];
    const text = read(file);
    if (!text.includes(before)) throw new Error(`${file} does not hold ${JSON.stringify(before)}`);
    writeFileSync(join(root, file), text.replaceAll(before, after));
  }
  const lock = json('package-lock.json');
  const isWorkspace = (/** @type {string} */ path) => path !== '' && !path.includes('node_modules');
  for (const folder of Object.keys(lock.packages).filter(isWorkspace)) {
    const manifest = json(join(folder, 'package.json'));
    const entry = lock.packages[folder];
    entry.version = manifest.version;
    for (const kind of DEPENDENCIES) if (manifest[kind] !== undefined) entry[kind] = manifest[kind];
    const isPublished = PUBLIC.some((each) => each.folder === folder);
    const changelog = join(root, folder, 'CHANGELOG.md');
    if (!isPublished && existsSync(changelog)) rmSync(changelog);
  }
  lock.version = version;
  lock.packages[''].version = version;
  writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
  writeFileSync(join(root, 'package.json'), `${JSON.stringify({ ...own, version }, null, 2)}\n`);
  return version;
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
