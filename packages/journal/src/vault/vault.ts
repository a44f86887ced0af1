import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { FileError, Files } from '@cuebook/files';
import { guard, guarded } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { RunId, Vault, VaultEntry } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { decrypt, encrypt, KEY_BYTES } from './cipher.js';

type VaultError = Extract<JournalError, { readonly code: 'E_JOURNAL_VAULT' }>;

export interface VaultParts {
  /** CUEBOOK_HOME. It is asked for when something is sealed or opened, not before. */
  readonly home: () => Promise<Result<Files, FileError>>;
  readonly getBlob: (name: string) => Promise<Uint8Array | 'deleted' | undefined>;
}

/** Below CUEBOOK_HOME: the key that entries are named with, and a folder of entries for each run. */
export const VAULT_KEY_FILE = 'keys/vault.key';
export const VAULT_FOLDER = 'vault';

export function createVault({ home, getBlob }: VaultParts): Vault {
  return {
    async seal(run, text) {
      const files = await home();
      if (!files.ok) return broken(files.error);
      const naming = await keep(files.value, VAULT_KEY_FILE, () => [freshKey()]);
      if (!naming.ok) return naming;
      const id = nameOf(naming.value, run, text);
      const entry = await keep(files.value, entryFile(run, id), () => {
        const key = freshKey();
        return [key, blobName(encrypt(key, text, place(run, id)))];
      });
      if (!entry.ok) return entry;
      return ok({ id, blob: encrypt(entry.value.key, text, place(run, id)) });
    },
    async open(run, id) {
      const files = await home();
      if (!files.ok || !ENTRY_ID.test(id)) return undefined;
      const entry = await readEntry(files.value, entryFile(run, id));
      // A store or a disk that does not answer says nothing of whether it is there.
      if (!entry.ok && entry.error.reason === 'E_DISK')
        throw new JournalFailure({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'connection' });
      const sealed = entry.ok && entry.value ? await getBlob(entry.value.blob) : undefined;
      if (!entry.ok || !(sealed instanceof Uint8Array)) return undefined;
      return decrypt(entry.value?.key ?? new Uint8Array(), sealed, place(run, id));
    },
    async entries(run) {
      const files = await home();
      const listed = files.ok ? await files.value.list(folderOf(run)) : files;
      if (!files.ok || !listed.ok) return [];
      const found: VaultEntry[] = [];
      for (const { name } of listed.value.entries) {
        const entry = ENTRY_ID.test(name) ? await readEntry(files.value, entryFile(run, name)) : undefined;
        if (entry?.ok && entry.value) found.push({ id: name, blob: entry.value.blob });
      }
      return found;
    },
    async erase(run, ids) {
      const files = await home();
      if (!files.ok) return broken(files.error);
      for (const id of ids) {
        if (!guard('vault.erase', ENTRY_ID.test(id))) continue;
        const removed = await files.value.remove(entryFile(run, id));
        if (!removed.ok && removed.error.code !== 'E_FILE_NOT_FOUND') return broken(removed.error);
      }
      return ok(undefined);
    },
    async eraseRun(run) {
      const files = await home();
      if (!files.ok) return broken(files.error);
      const removed = await guarded('vault.run', () => files.value.removeTree(folderOf(run)), ok(undefined));
      return removed.ok ? ok(undefined) : broken(removed.error);
    },
  };
}

interface Entry {
  readonly key: Uint8Array;
  readonly blob: string;
}

/** A name that tells nothing about the text to whoever has no key of this home. */
const nameOf = ({ key }: Entry, run: RunId, text: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([run, text]))
    .digest('hex')
    .slice(0, 32);

const ENTRY_ID = /^[0-9a-f]{32}$/;

const folderOf = (run: RunId): string => `${VAULT_FOLDER}/${run}`;
const entryFile = (run: RunId, id: string): string => `${folderOf(run)}/${id}`;
/** What the sealed bytes are bound to: an entry of another run, or under another name, does not open. */
const place = (run: RunId, id: string): string => `${run}/${id}`;

const freshKey = (): Uint8Array => randomBytes(KEY_BYTES);
/** The name that a store keeps bytes under. */
export const blobName = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The entry of a file, made on first use. Of two processes that make one at once, one wins. */
async function keep(
  files: Files,
  path: string,
  make: () => readonly [Uint8Array, string?],
): Promise<Result<Entry, VaultError>> {
  const found = await readEntry(files, path);
  if (!found.ok) return found;
  if (found.value) return ok(found.value);
  const made = await files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
  if (!made.ok) return broken(made.error);
  const [key, blob = ''] = make();
  const text = `${Buffer.from(key).toString('base64url')} ${blob}\n`;
  const written = await files.writeText(path, text, { mode: 0o600, ifMatch: 'absent' });
  if (!written.ok && written.error.code !== 'E_FILE_CHANGED') return broken(written.error);
  const entry = await readEntry(files, path);
  if (!entry.ok) return entry;
  return entry.value ? ok(entry.value) : fail({ code: 'E_JOURNAL_VAULT', reason: 'E_FILE_NOT_FOUND' });
}

/** Undefined: there is none. */
async function readEntry(files: Files, path: string): Promise<Result<Entry | undefined, VaultError>> {
  const text = await files.readText(path, { limit: 1_024 });
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : broken(text.error);
  const [encoded = '', blob = ''] = text.value.trim().split(' ');
  const key = Buffer.from(encoded, 'base64url');
  return key.length === KEY_BYTES
    ? ok({ key, blob })
    : fail({ code: 'E_JOURNAL_VAULT', reason: 'not-a-key' });
}

const broken = (error: FileError) => fail<VaultError>({ code: 'E_JOURNAL_VAULT', reason: error.code });
