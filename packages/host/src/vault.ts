import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { FileError, Files } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';

/** Keeps secrets out of logs and files: what is written there is sealed with a key of this home. */
export interface VariableVault {
  seal(value: string): string;
  /** Undefined: it was sealed with another key, or changed. */
  open(sealed: string): string | undefined;
}

/** Where the key lies below CUEBOOK_HOME, readable by its owner alone. */
const VAULT_KEY_FILE = 'keys/threads.key';

export function createVault(key: Uint8Array): VariableVault {
  return {
    seal(value) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return `${VERSION}${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed) {
      if (!sealed.startsWith(VERSION)) return undefined;
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (bytes.length < NONCE + TAG) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE));
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        return undefined; // Another key, or changed bytes: the value is not there.
      }
    },
  };
}

/**
 * The vault of a home, its key made on first use: by default that of the variables of threads. Of two processes that
 * make one at once, one wins.
 */
export async function openVault(
  home: Files,
  file: string = VAULT_KEY_FILE,
): Promise<Result<VariableVault, FileError | { readonly code: 'E_SECRET_SEAL' }>> {
  const found = await home.readText(file, { limit: 1_024 });
  if (!found.ok && found.error.code === 'E_FILE_NOT_FOUND') {
    const made = await home.makeDirectory('keys');
    if (!made.ok) return made;
    const text = `${randomBytes(KEY).toString('base64url')}\n`;
    const written = await home.writeText(file, text, { mode: 0o600, ifMatch: 'absent' });
    if (!written.ok && written.error.code !== 'E_FILE_CHANGED') return written;
  }
  const text = found.ok ? found : await home.readText(file, { limit: 1_024 });
  if (!text.ok) return text;
  const key = Buffer.from(text.value.trim(), 'base64url');
  return key.length === KEY ? ok(createVault(key)) : fail({ code: 'E_SECRET_SEAL' });
}

const VERSION = 'v1.';
const KEY = 32;
const NONCE = 12;
const TAG = 16;
