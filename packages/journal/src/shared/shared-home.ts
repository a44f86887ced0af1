import { isUtf8 } from 'node:buffer';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { FileResult, Files } from '@cuebook/files';
import { describeJournalError, type JournalError, JournalFailure } from '../error.js';
import { keyFor, type ProjectKey } from '../owner/project-key.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';

/** Below CUEBOOK_HOME: what every machine of a project needs, and only one of them has on its disk. */
const SHARED = [
  // How runs were called, and what their rehearsal says.
  'runs',
  // Words of agents that wait for a person, or that one has allowed.
  'templates',
  // Workflow packages that a person has accepted.
  'packages',
  // The state, the logs and the kept results of workflows: the folder on a machine is a view of them.
  'workflows',
  // What credentials and sources are sealed with.
  'vault',
  'keys/vault.key',
  'keys/threads.key',
  // Which servers and workers are up, and what each has.
  'workers',
  // The token of the project's servers.
  'server.token',
] as const;

/** Keys that every process must have in common: one that lies on the disk is put into the store before another is made. */
const KEYS: readonly string[] = ['keys/vault.key', 'keys/threads.key', 'server.token'];

/**
 * CUEBOOK_HOME where several machines work on a project: what they share lies in the store, sealed with the project's
 * key, and the rest on the disk. A file of before that only the disk has is read from there.
 */
export function sharedHome(disk: Files, driver: SqlDriver, key: ProjectKey, now: () => number): Files {
  const seal = sealer(key);
  const find = async (path: string): Promise<Buffer | undefined> => {
    const [row] = await driver.rows(SELECT, [path]);
    return row === undefined ? undefined : (row[0] as Buffer);
  };
  const isThere = async (path: string): Promise<boolean> => (await find(path)) !== undefined;
  /** The path as the store has it; undefined: it lies on the disk. */
  const sharedPath = (path: string): string | undefined => {
    const clean = disk.clean(path);
    if (!clean.ok) return undefined;
    return SHARED.some((each) => clean.value === each || clean.value.startsWith(`${each}/`))
      ? clean.value
      : undefined;
  };
  /** What lies on the disk of before. Folders of workflows are taken up when they are opened. */
  const before = <Value>(path: string, look: () => Promise<FileResult<Value>>): Promise<FileResult<Value>> =>
    path.startsWith('workflows/')
      ? Promise.resolve({ ok: false, error: { code: 'E_FILE_NOT_FOUND', path } })
      : look();
  const sealedOpen = async (path: string) => {
    const sealed = await find(path);
    if (sealed === undefined) return undefined;
    const bytes = seal.open(path, sealed);
    return bytes === undefined ? ({ ok: false, error: { code: 'E_FILE_DENIED', path } } as const) : bytes;
  };

  const readBytes: Files['readBytes'] = async (path, options) => {
    const shared = sharedPath(path);
    if (shared === undefined) return disk.readBytes(path, options);
    const found = await orAway(shared, () => sealedOpen(shared));
    if (found === undefined) return before(shared, () => disk.readBytes(path, options));
    if (!(found instanceof Uint8Array)) return found;
    const { limit } = options ?? {};
    if (limit !== undefined && found.length > limit)
      return { ok: false, error: { code: 'E_FILE_TOO_LARGE', path: shared, limit, unit: 'bytes' } };
    return { ok: true, value: found };
  };
  const readDocument: Files['readDocument'] = async (path, options) => {
    const shared = sharedPath(path);
    if (shared === undefined) return disk.readDocument(path, options);
    const bytes = await readBytes(path, options);
    if (!bytes.ok) return bytes;
    const whole = Buffer.from(bytes.value);
    if (!isUtf8(whole)) return { ok: false, error: { code: 'E_NOT_UTF8', path: shared, offset: 0 } };
    const decoded = whole.toString('utf8');
    const hasByteOrderMark = decoded.startsWith('\uFEFF');
    const text = hasByteOrderMark ? decoded.slice(1) : decoded;
    const value = { path: shared, text, hasByteOrderMark, sha256: hashOf(whole), size: whole.length };
    return { ok: true, value };
  };
  const writeBytes: Files['writeBytes'] = async (path, bytes, options = {}) => {
    const shared = sharedPath(path);
    if (shared === undefined) return disk.writeBytes(path, bytes, options);
    return orAway(shared, async () => {
      const { ifMatch } = options;
      const sealed = seal.close(shared, bytes);
      const values = [shared, sealed, Math.trunc(now())];
      const known = ifMatch === undefined || ifMatch === 'absent' ? undefined : await find(shared);
      const isStale = known !== undefined && hashOf(seal.open(shared, known) ?? NOTHING) !== ifMatch;
      const isWritten =
        ifMatch === undefined
          ? (await driver.rows(UPSERT, values)).length > 0
          : ifMatch === 'absent'
            ? (await driver.rows(INSERT, values)).length > 0
            : !isStale &&
              known !== undefined &&
              (await driver.rows(REPLACE, [sealed, shared, known])).length > 0;
      if (!isWritten) return { ok: false, error: { code: 'E_FILE_CHANGED', path: shared } } as const;
      return { ok: true, value: { path: shared, sha256: hashOf(bytes), size: bytes.length } } as const;
    });
  };

  return {
    ...disk,
    readBytes,
    writeBytes,
    readDocument,
    async readText(path, options) {
      if (sharedPath(path) === undefined) return disk.readText(path, options);
      const found = await readDocument(path, options);
      return found.ok ? { ok: true, value: found.value.text } : found;
    },
    async writeText(path, text, options) {
      const shared = sharedPath(path);
      if (shared === undefined) return disk.writeText(path, text, options);
      if (!text.isWellFormed()) return { ok: false, error: { code: 'E_NOT_UTF8', path: shared, offset: 0 } };
      return writeBytes(path, Buffer.from(text, 'utf8'), options);
    },
    async stat(path) {
      const shared = sharedPath(path);
      const found = shared === undefined ? undefined : await orAway(shared, () => sealedOpen(shared));
      if (shared === undefined) return disk.stat(path);
      if (found === undefined) return before(shared, () => disk.stat(path));
      if (!(found instanceof Uint8Array)) return found;
      const size = found.length;
      const stat = {
        path: shared,
        kind: 'file',
        size,
        mode: 0o600,
        modifiedMs: 0,
        identity: shared,
      } as const;
      return { ok: true, value: stat };
    },
    async exists(path) {
      const shared = sharedPath(path);
      if (shared === undefined) return disk.exists(path);
      const found = await orAway(shared, async () => ({ ok: true, value: await isThere(shared) }) as const);
      return found.ok && !found.value ? before(shared, () => disk.exists(path)) : found;
    },
    async list(path = '.', options) {
      const shared = sharedPath(path);
      if (shared === undefined) return disk.list(path, options);
      const onDisk = await before(shared, () => disk.list(path, options));
      if (!onDisk.ok && onDisk.error.code !== 'E_FILE_NOT_FOUND') return onDisk;
      const { limit = DEFAULT_LIMIT } = options ?? {};
      return orAway(shared, async () => {
        const rows = await driver.rows(LIST, [`${shared}/`, `${shared}0`]);
        const names = new Map(onDisk.ok ? onDisk.value.entries.map((entry) => [entry.name, entry]) : []);
        for (const [row] of rows) {
          const [name = '', ...below] = String(row)
            .slice(shared.length + 1)
            .split('/');
          names.set(name, { name, kind: below.length > 0 ? 'directory' : 'file' });
        }
        if (names.size === 0 && !onDisk.ok) return onDisk;
        const entries = [...names.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
        const truncated = entries.length > limit || (onDisk.ok && onDisk.value.truncated);
        return {
          ok: true,
          value: { path: shared, entries: entries.slice(0, limit), truncated, unaddressable: 0 },
        } as const;
      });
    },
    async makeDirectory(path) {
      // `keys` lies on the disk with what is not shared.
      return sharedPath(path) === undefined ? disk.makeDirectory(path) : { ok: true, value: undefined };
    },
    async remove(path, options) {
      const shared = sharedPath(path);
      if (shared === undefined) return disk.remove(path, options);
      const inStore = await orAway(shared, async () => {
        const removed = await driver.rows(DELETE, [shared]);
        return { ok: true, value: removed.length > 0 } as const;
      });
      if (!inStore.ok) return inStore;
      const onDisk = await before(shared, () => disk.remove(path, options));
      const isGone = inStore.value && !onDisk.ok && onDisk.error.code === 'E_FILE_NOT_FOUND';
      return isGone ? { ok: true, value: undefined } : onDisk;
    },
    async removeTree(path) {
      const shared = sharedPath(path);
      if (shared === undefined) return disk.removeTree(path);
      const inStore = await orAway(shared, async () => {
        await driver.rows(DELETE_TREE, [shared, `${shared}/`, `${shared}0`]);
        return { ok: true, value: undefined } as const;
      });
      return inStore.ok ? disk.removeTree(path) : inStore;
    },
  };

  /** A store that does not answer is told as a disk that does not. */
  async function orAway<Value>(path: string, use: () => Promise<Value>) {
    try {
      return await use();
    } catch (thrown) {
      const error = thrown instanceof JournalFailure ? thrown.error : driver.explain(thrown);
      const why = describeJournalError(error);
      return { ok: false, error: { code: 'E_DISK', path, system: systemOf(error), why } } as const;
    }
  }
}

/** The code of whoever keeps the store, as far as there is one. */
const systemOf = (error: JournalError): string =>
  ('system' in error ? error.system : undefined) ?? ('reason' in error ? String(error.reason) : error.code);

/** Takes away what the store has of the files of a run. */
export async function removeSharedFiles(session: SqlSession, run: string): Promise<void> {
  for (const folder of ['runs', 'workflows', 'vault']) {
    await session.rows(DELETE_TREE, [`${folder}/${run}`, `${folder}/${run}/`, `${folder}/${run}0`]);
    await session.rows(DELETE_TREE, [`${folder}/${run}`, `${folder}/${run}.`, `${folder}/${run}/`]);
  }
}

/** Puts the keys that one machine has on its disk where all machines find them, unless they are there. */
export async function shareKeys(disk: Files, shared: Files): Promise<void> {
  for (const path of KEYS) {
    const own = await disk.readText(path, { limit: 10_000 });
    if (own.ok) await shared.writeText(path, own.value, { mode: 0o600, ifMatch: 'absent' });
  }
}

const NOTHING = new Uint8Array();

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Seals bytes for their path: under another path, or with another key, they do not open. */
function sealer(key: ProjectKey) {
  const secret = keyFor(key, 'home');
  return {
    close(path: string, bytes: Uint8Array): Uint8Array {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(path));
      const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(path: string, sealed: Uint8Array): Uint8Array | undefined {
      try {
        const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, NONCE));
        decipher.setAAD(Buffer.from(path)).setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
        return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]);
      } catch {
        return undefined; // Another key, another path, or changed bytes.
      }
    },
  };
}

const NONCE = 12;
const TAG = 16;
const DEFAULT_LIMIT = 10_000;

export const FILE_COLUMNS = 'path, data, written_at';
const SELECT = 'SELECT data FROM cuebook_files WHERE path = ?';
const INSERT = `INSERT INTO cuebook_files (${FILE_COLUMNS}) VALUES (?, ?, ?) ON CONFLICT (path) DO NOTHING RETURNING path`;
const UPSERT = `INSERT INTO cuebook_files (${FILE_COLUMNS}) VALUES (?, ?, ?)
  ON CONFLICT (path) DO UPDATE SET data = excluded.data, written_at = excluded.written_at RETURNING path`;
const REPLACE = 'UPDATE cuebook_files SET data = ? WHERE path = ? AND data = ? RETURNING path';
// `0` is the character behind `/`: all that begins with the folder's name and a slash, by the index.
const LIST = 'SELECT path FROM cuebook_files WHERE path > ? AND path < ? ORDER BY path';
const DELETE = 'DELETE FROM cuebook_files WHERE path = ? RETURNING path';
const DELETE_TREE = 'DELETE FROM cuebook_files WHERE path = ? OR (path > ? AND path < ?)';
