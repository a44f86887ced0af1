// @ts-check
import '../node-version.mjs';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageOf, ZOD } from '../bundle.mjs';
import { workspaceFolders } from '../install.mjs';
import { ROOT } from '../process.mjs';
import { PARTS, writeCode } from './code.mjs';
import { BUGS, HOMEPAGE, PUBLIC, REPOSITORY } from './cut.mjs';
import { declarationsOf } from './types.mjs';

/** Where the folders are that `npm publish` takes. */
export const PUBLISH = join(ROOT, '.cache', 'publish');

/** The folder of a published package. @param {string} name */
export const publishFolder = (name) => join(PUBLISH, name.replace(/^@/, '').replace('/', '-'));

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} description
 * @property {Record<string, Record<string, string>>} exports
 * @property {Record<string, string>} [bin]
 * @property {readonly string[]} [files]
 * @property {Record<string, string>} [dependencies]
 */

/** Builds the folder of every published package from what `npm run build` made. */
export async function buildPublished() {
  const manifests = Object.fromEntries(
    workspaceFolders().map((folder) => {
      /** @type {Manifest} */
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return [manifest.name, { folder: folder.slice(ROOT.length + 1), manifest }];
    }),
  );
  for (const pack of PUBLIC) await buildOne(pack, manifests);
}

/** @typedef {Readonly<Record<string, { folder: string, manifest: Manifest }>>} Workspaces */

/**
 * @param {import('./cut.mjs').PublicPackage} pack
 * @param {Workspaces} all
 */
async function buildOne(pack, all) {
  const { manifest } = all[pack.name] ?? fail(`no workspace is called ${pack.name}`);
  const out = publishFolder(pack.name);
  rmSync(out, { recursive: true, force: true });
  const dist = join('dist', ...(pack.isCommand ? ['bin'] : []));
  const kept = [...pack.ours, ...pack.dependencies, ...Object.keys(pack.optional)];

  const named = Object.entries(manifest.exports).map(([path, to]) => ({ path, name: nameOf(path), to }));
  const types = declarationsOf({
    entries: Object.fromEntries(named.map(({ name, to }) => [name, join(pack.folder, to.types ?? '')])),
    folders: Object.fromEntries(Object.entries(all).map(([name, { folder }]) => [name, folder])),
    kept: [...kept, ...(pack.platform === 'node' ? ['@types/node'] : [])],
  });
  if (types.missing.length > 0) fail(`the types of ${pack.name} import ${types.missing.join(', ')}`);
  for (const [path, text] of Object.entries(types.files)) write(join(out, 'dist', 'types', path), text);

  const entries = Object.fromEntries(named.map(({ name, to }) => [name, to['@cuebook/source'] ?? '']));
  // The command is JavaScript that the compiler of the library never sees: its chunks may hold code of other makers.
  const keptCode = pack.isCommand
    ? kept.filter((name) => !INLINED_TOO.includes(name) && !pack.ours.includes(name))
    : kept;
  const imported = await writeCode({
    pack,
    entries: { ...entries, ...(pack.isCommand ? { main: 'src/main.ts' } : {}) },
    kept: keptCode,
    folder: join(out, dist),
    depth: dist.split(/[\\/]/).length,
  });
  const outside = imported.filter((id) => /^[\w@]/.test(id) && !isBuiltin(id) && !id.endsWith('.js'));
  const unknown = outside.filter((id) => !keptCode.includes(packageOf(id)));
  if (unknown.length > 0) fail(`the code of ${pack.name} imports ${[...new Set(unknown)].join(', ')}`);

  copyFiles(pack, all, out);
  write(
    join(out, 'package.json'),
    `${JSON.stringify(publishedManifest({ pack, manifest, types, dist, all }), null, 2)}\n`,
  );
}

/** What is imported by types and inlined in the code of the command all the same, because every call loads it. */
const INLINED_TOO = ['zod'];

/**
 * @param {{ pack: import('./cut.mjs').PublicPackage, manifest: Manifest, types: ReturnType<typeof declarationsOf>, dist: string, all: Workspaces }} of
 */
function publishedManifest({ pack, manifest, types, dist, all }) {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([path]) => [
      path,
      { types: `./dist/types/${types.entries[nameOf(path)]}`, default: `./${dist}/${nameOf(path)}.js` },
    ]),
  );
  const main = exports['.'] ?? fail(`${pack.name} exports nothing`);
  const dependencies = Object.fromEntries(
    [...pack.ours, ...pack.dependencies]
      .sort()
      .map((name) => [name, all[name]?.manifest.version ?? rangeOf(name, all)]),
  );
  const peers = Object.fromEntries(
    Object.entries(pack.optional).map(([name, range]) => [name, range || rangeOf(name, all)]),
  );
  const isEmpty = (/** @type {object} */ value) => Object.keys(value).length === 0;
  return {
    name: pack.name,
    version: manifest.version,
    description: manifest.description,
    keywords: pack.keywords,
    license: 'Apache-2.0',
    homepage: HOMEPAGE,
    bugs: BUGS,
    repository: { ...REPOSITORY, directory: pack.folder },
    type: 'module',
    engines: { node: '>=20.19' },
    sideEffects: pack.isCommand ? [`./${dist}/main.js`] : false,
    ...(manifest.bin ? { bin: manifest.bin } : {}),
    types: main.types,
    exports: { ...exports, './package.json': './package.json' },
    ...(isEmpty(dependencies) ? {} : { dependencies }),
    ...(isEmpty(peers)
      ? {}
      : {
          peerDependencies: peers,
          peerDependenciesMeta: Object.fromEntries(
            Object.keys(peers).map((name) => [name, { optional: true }]),
          ),
        }),
    publishConfig: { access: 'public' },
  };
}

/**
 * Copies what is no code: README, licence, and the files that the code reads, its own and those of inlined packages.
 *
 * @param {import('./cut.mjs').PublicPackage} pack
 * @param {Workspaces} all
 * @param {string} out
 */
function copyFiles(pack, all, out) {
  for (const file of ['README.md', 'LICENSE']) cpSync(join(ROOT, pack.folder, file), join(out, file));
  for (const name of assetsOf(pack.folder)) copyBuilt(join(pack.folder, name), join(out, name));
  if (pack.folder === 'packages/define')
    cpSync(join(ROOT, ZOD), join(out, 'dist', 'zod'), { recursive: true });
  if (!pack.isCommand) return;
  const published = PUBLIC.map(({ folder }) => folder);
  for (const { folder } of Object.values(all)) {
    if (published.includes(folder)) continue;
    for (const name of assetsOf(folder))
      copyBuilt(join(folder, name), join(out, PARTS, folder.split('/')[1] ?? '', name));
  }
}

/** Folders that a package reads at run time. @param {string} folder */
const assetsOf = (folder) => ASSETS.filter((name) => existsSync(join(ROOT, folder, name)));
const ASSETS = ['bin', 'texts', 'page', 'cluster', 'chart'];

/** @param {string} from @param {string} to */
const copyBuilt = (from, to) =>
  cpSync(join(ROOT, from), to, {
    recursive: true,
    filter: (path) => !/\.test\.|\.map$|\.ts$|tsconfig\.json$/.test(path),
  });

/** `.` is `index`, `./diff` is `diff`. @param {string} path */
const nameOf = (path) => (path === '.' ? 'index' : path.slice(2).replaceAll('/', '-'));

/** The range by which our workspaces ask for a package. @param {string} name @param {Workspaces} all */
function rangeOf(name, all) {
  const ranges = new Set(Object.values(all).flatMap(({ manifest }) => manifest.dependencies?.[name] ?? []));
  if (ranges.size !== 1) fail(`${name} is asked for by ${ranges.size} ranges`);
  return [...ranges][0];
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** @param {string} message @returns {never} */
function fail(message) {
  throw new Error(message);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildPublished();
  for (const name of readdirSync(PUBLISH)) console.log(join(PUBLISH, name));
}
