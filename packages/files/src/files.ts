import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { guard } from '@cuebook/guard';
import type { Files } from './contract.js';
import { listDirectory, statPath } from './disk/list.js';
import { type Mount, type MountSpec, openMount } from './disk/mount.js';
import { decodeDocument, readBytes } from './disk/read.js';
import { readTexts, type WantedFile } from './disk/read-many.js';
import { removeTree } from './disk/remove-tree.js';
import { withRoom } from './disk/room.js';
import { searchDirectory } from './disk/search.js';
import { sweepDirectory } from './disk/sweep.js';
import { diskUse } from './disk/usage.js';
import { watchMounts } from './disk/watch.js';
import { leadsTo } from './disk/where.js';
import { makeDirectory, removeFile, writeBytes } from './disk/write.js';
import { type CleanFile, writeAll } from './disk/write-all.js';
import { type Fault, noFault } from './fault.js';
import { type CleanPath, cleanPath, type PathRules, parsePath, privatePlaces } from './path.js';
import { type FileResult, fail, ok } from './result.js';
import { walkSource } from './source/walk.js';
import { withheldBelow } from './withhold/withhold.js';

export interface OpenOptions {
  /** For tests: called at the named moments of each operation. */
  readonly fault?: Fault;
  /** For tests: works as on systems where a directory's descriptor cannot name its children. */
  readonly portable?: boolean;
}

export type FolderOptions = OpenOptions &
  Partial<Pick<MountSpec, 'access' | 'protect' | 'withhold' | 'create'>>;

/** Opens several roots; paths are `@alias/relative/path`. Of two mounts with one alias the second is refused. */
export async function openMounts(
  specs: readonly MountSpec[],
  options: OpenOptions = {},
): Promise<FileResult<Files>> {
  const mounts = new Map<string, Mount>();
  for (const spec of specs) {
    const mount = await openMount(spec, { portable: options.portable ?? false });
    if (!mount.ok) return mount;
    if (mounts.has(spec.alias) || spec.alias === '') {
      return fail({ code: 'E_SANDBOX_VIOLATION', path: spec.alias || '(path)', reason: 'unknown-mount' });
    }
    mounts.set(spec.alias, mount.value);
  }
  return ok(filesOf(mounts, new Set(mounts.keys()), options));
}

/** Opens one root; paths are relative to it, and `.` is the root itself. */
export async function openFolder(root: string, options: FolderOptions = {}): Promise<FileResult<Files>> {
  const { access = 'rw', protect = [], withhold, create = false, portable = false } = options;
  const mount = await openMount(
    { alias: '', root, access, protect, create, ...(withhold && { withhold }) },
    { portable },
  );
  return mount.ok ? ok(filesOf(new Map([['', mount.value]]), null, options)) : mount;
}

function filesOf(
  mounts: ReadonlyMap<string, Mount>,
  aliases: PathRules['aliases'],
  options: OpenOptions,
): Files {
  const fault = options.fault ?? noFault;
  const rules: PathRules = {
    aliases,
    windows: process.platform === 'win32',
    hidden: privatePlaces([
      ...[...mounts.values()].flatMap(({ real, given }) => [real, given]),
      resolve(homedir()),
    ]),
  };

  type Use<Value> = (mount: Mount, path: CleanPath) => Promise<FileResult<Value>>;
  const at = async <Value>(
    path: string,
    intent: 'read' | 'write',
    use: Use<Value>,
  ): Promise<FileResult<Value>> => {
    const parsed = parsePath(path, rules, intent);
    if (!parsed.ok) return parsed;
    const mount = mounts.get(parsed.value.alias);
    if (mount !== undefined) return withRoom(() => use(mount, parsed.value));
    return fail({ code: 'E_FILE_NOT_FOUND', path: parsed.value.shown });
  };

  const readDocument: Files['readDocument'] = (path, read) =>
    at(path, 'read', async (mount, clean) => {
      const bytes = await readBytes(mount, clean, fault, read);
      return bytes.ok ? decodeDocument(clean, bytes.value) : bytes;
    });
  const stat: Files['stat'] = (path) => at(path, 'read', statPath);
  const list: Files['list'] = (path = '.', listing) =>
    at(path, 'read', (mount, clean) => listDirectory(mount, clean, fault, listing));

  return {
    withhold(withholding) {
      const guarded = [...mounts].map(([alias, mount]) => {
        const withheld = withheldBelow(mount.real, withholding);
        return [alias, { ...mount, withheld }] as const;
      });
      return filesOf(new Map(guarded), aliases, options);
    },
    clean(path) {
      const parsed = parsePath(path, rules, 'read');
      return parsed.ok ? ok(parsed.value.text) : parsed;
    },
    readDocument,
    async readText(path, read) {
      const document = await readDocument(path, read);
      return document.ok ? ok(document.value.text) : document;
    },
    async readTexts(paths) {
      const wanted = paths.map((path): WantedFile | FileResult<never> => {
        const parsed = parsePath(path, rules, 'read');
        if (!parsed.ok) return parsed;
        const mount = mounts.get(parsed.value.alias);
        if (mount !== undefined) return { mount, path: parsed.value };
        return fail({ code: 'E_FILE_NOT_FOUND', path: parsed.value.shown });
      });
      const found = wanted.filter((each): each is WantedFile => 'mount' in each);
      const texts = (await readTexts(found, rules, fault)).values();
      return wanted.map((each) => ('mount' in each ? (texts.next().value as FileResult<string>) : each));
    },
    readBytes: (path, read) => at(path, 'read', (mount, clean) => readBytes(mount, clean, fault, read)),
    stat,
    leadsTo: (path) =>
      at(path, 'read', async (mount, clean) => {
        const names = await leadsTo(mount, clean);
        return names.ok ? ok(cleanPath(clean.alias, names.value, rules).text) : names;
      }),
    async exists(path) {
      const found = await stat(path);
      if (found.ok) return ok(true);
      const absent = found.error.code === 'E_FILE_NOT_FOUND' || found.error.code === 'E_NOT_A_DIRECTORY';
      return absent ? ok(false) : found;
    },
    list,
    walk: (path = '.', walking) => walkSource(list, path, walking),
    search: (path, query) => at(path, 'read', (mount, clean) => searchDirectory(mount, clean, query)),
    writeText: (path, text, write) =>
      at(path, 'write', async (mount, clean) => {
        const offset = text.search(/\p{Surrogate}/u);
        if (guard('write.well-formed', offset !== -1)) {
          return fail({ code: 'E_NOT_UTF8', path: clean.shown, offset });
        }
        return writeBytes(mount, clean, new TextEncoder().encode(text), fault, write);
      }),
    writeBytes: (path, bytes, write) =>
      at(path, 'write', (mount, clean) => writeBytes(mount, clean, bytes, fault, write)),
    async writeAll(files) {
      const byMount = new Map<Mount, CleanFile[]>();
      for (const { path, bytes } of files) {
        const parsed = parsePath(path, rules, 'write');
        if (!parsed.ok) return parsed;
        const mount = mounts.get(parsed.value.alias);
        if (mount === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: parsed.value.shown });
        const known = byMount.get(mount) ?? [];
        byMount.set(mount, known);
        known.push({ path: parsed.value, bytes });
      }
      for (const [mount, inside] of byMount) {
        const written = await writeAll(mount, inside, fault);
        if (!written.ok) return written;
      }
      return ok(undefined);
    },
    makeDirectory: (path) => at(path, 'write', makeDirectory),
    remove: (path, precondition) =>
      at(path, 'write', (mount, clean) => removeFile(mount, clean, fault, precondition)),
    removeTree: (path) => at(path, 'write', removeTree),
    diskUse: (path = '.') => at(path, 'read', diskUse),
    sweep: (path = '.', sweeping) =>
      at(path, 'write', (mount, clean) => sweepDirectory(mount, clean, sweeping)),
    watch: (onChange, watching) => watchMounts([...mounts.values()], rules, onChange, watching),
  };
}
