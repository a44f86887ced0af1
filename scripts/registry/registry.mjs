// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

// A registry on 127.0.0.1 that speaks what npm speaks: publish, packuments, dist-tags, tarballs. What nobody published
// to it comes from an upstream registry once and is kept, so that later installations need no network.

/**
 * @param {{ folder: string, upstream?: string, own?: readonly string[] }} options where everything is kept; without an
 *   upstream nothing is fetched, and what is not kept is 404; names in `own` are never asked for upstream
 * @returns {Promise<{ url: string, missing: readonly string[], close: () => Promise<void> }>}
 */
export async function openRegistry({ folder, upstream, own = [] }) {
  mkdirSync(folder, { recursive: true });
  /** @type {string[]} */
  const missing = [];
  const server = createServer((request, response) => {
    answer(request)
      .then(({ status, body, type = 'application/json' }) => {
        response.writeHead(status, { 'content-type': type }).end(body);
      })
      .catch((error) => {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: error instanceof Error ? error.message : 'failed' }));
      });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    missing,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  /**
   * @param {import('node:http').IncomingMessage} request
   * @returns {Promise<{ status: number, body: string | Buffer, type?: string }>}
   */
  async function answer(request) {
    const path = decodeURIComponent(new URL(request.url ?? '/', url).pathname).slice(1);
    if (request.method === 'PUT') return publish(path, await bodyOf(request));
    if (request.method !== 'GET' && request.method !== 'HEAD') return no(405, 'method');
    if (path.startsWith('-/')) return { status: 200, body: '{}' };
    const [, name = path, file] = /^(.+)\/-\/(.+\.tgz)$/.exec(path) ?? [];
    if (!NAME.test(name)) return no(400, 'name');
    return file === undefined ? packument(name) : tarball(name, file);
  }

  /** @param {string} name @param {Buffer} body */
  function publish(name, body) {
    if (!NAME.test(name)) return no(400, 'name');
    const sent = JSON.parse(body.toString('utf8'));
    const place = placeOf(name);
    const known = existsSync(join(place, DOCUMENT))
      ? JSON.parse(readFileSync(join(place, DOCUMENT), 'utf8'))
      : { name, versions: {}, 'dist-tags': {} };
    for (const [version, manifest] of Object.entries(sent.versions)) {
      if (version in known.versions) return no(409, `${name}@${version} is published`);
      const [attachment] = Object.values(sent._attachments);
      const bytes = Buffer.from(attachment.data, 'base64');
      const { integrity } = manifest.dist;
      const actual = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      if (integrity !== actual)
        return no(400, `${name}@${version} does not have the integrity that it names`);
      const file = `${name.split('/').at(-1)}-${version}.tgz`;
      save(join(place, file), bytes);
      known.versions[version] = { ...manifest, dist: { ...manifest.dist, tarball: `${name}/-/${file}` } };
    }
    Object.assign(known['dist-tags'], sent['dist-tags']);
    save(join(place, DOCUMENT), JSON.stringify(known));
    return { status: 201, body: '{"ok":true}' };
  }

  /** @param {string} name */
  async function packument(name) {
    const place = join(placeOf(name), DOCUMENT);
    if (!existsSync(place)) {
      const found = own.includes(name) ? undefined : await fetched(name);
      if (found === undefined) return no(404, name);
      save(place, slim(JSON.parse(found.toString('utf8'))));
    }
    const document = JSON.parse(readFileSync(place, 'utf8'));
    for (const manifest of Object.values(document.versions))
      manifest.dist.tarball = `${url}/${manifest.dist.tarball}`;
    return { status: 200, body: JSON.stringify(document) };
  }

  /** @param {string} name @param {string} file */
  async function tarball(name, file) {
    const place = join(placeOf(name), file);
    if (!existsSync(place)) {
      const found = await fetched(`${name}/-/${file}`);
      if (found === undefined) return no(404, file);
      save(place, found);
    }
    return { status: 200, body: readFileSync(place), type: 'application/octet-stream' };
  }

  /** @param {string} path */
  async function fetched(path) {
    const got = upstream === undefined ? undefined : await fetch(`${upstream.replace(/\/$/, '')}/${path}`);
    if (got?.ok) return Buffer.from(await got.arrayBuffer());
    missing.push(path);
    return undefined;
  }

  /** @param {string} name */
  function placeOf(name) {
    return join(folder, name.replace('/', '+'));
  }
}

const DOCUMENT = 'document.json';
const NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9_][\w.-]*$/;

/**
 * What an installation reads of a packument, with addresses below this registry.
 *
 * @param {{ name: string, versions: Record<string, Record<string, any>>, 'dist-tags': unknown }} document
 */
function slim({ name, versions, 'dist-tags': tags }) {
  const short = name.split('/').at(-1);
  const rows = Object.entries(versions).map(([version, manifest]) => [
    version,
    {
      ...Object.fromEntries(FIELDS.flatMap((field) => (field in manifest ? [[field, manifest[field]]] : []))),
      dist: {
        integrity: manifest.dist.integrity,
        shasum: manifest.dist.shasum,
        tarball: `${name}/-/${short}-${version}.tgz`,
      },
    },
  ]);
  return JSON.stringify({ name, 'dist-tags': tags, versions: Object.fromEntries(rows) });
}

const FIELDS = [
  'name',
  'version',
  'bin',
  'cpu',
  'os',
  'libc',
  'engines',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'hasInstallScript',
  'deprecated',
];

/** Whole or not at all, whoever else keeps it at the same time. @param {string} path @param {string | Buffer} content */
function save(path, content) {
  mkdirSync(join(path, '..'), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<Buffer>} */
async function bodyOf(request) {
  /** @type {Buffer[]} */
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** @param {number} status @param {string} error */
const no = (status, error) => ({ status, body: JSON.stringify({ error }) });
