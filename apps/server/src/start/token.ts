import { randomBytes } from 'node:crypto';
import { describeFileError, type Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { ok, type Result } from '@cuebook/prompt';
import { cannotStart, type StartError } from './error.js';

/** Where the token lies below CUEBOOK_HOME, readable by its owner alone. */
export const TOKEN_FILE = 'server.token';

/** The token of this home, made at the first start. It stays the same, so that whoever knows it is not locked out. */
export async function keepToken(home: Files): Promise<Result<string, StartError>> {
  const found = await readToken(home);
  if (found.ok && found.value !== undefined) return ok(found.value);
  if (!found.ok) return found;
  const made = randomBytes(32).toString('base64url');
  const written = await home.writeText(TOKEN_FILE, `${made}\n`, { mode: 0o600, ifMatch: 'absent' });
  if (!written.ok && written.error.code !== 'E_FILE_CHANGED')
    return cannotStart('E_HOME', describeFileError(written.error));
  const kept = await readToken(home);
  if (!kept.ok) return kept;
  return kept.value === undefined
    ? cannotStart('E_HOME', `${TOKEN_FILE} is not there after writing`)
    : ok(kept.value);
}

/** The token, if there is one. A file that others can read is no secret any more, and is refused. */
export async function readToken(home: Files): Promise<Result<string | undefined, StartError>> {
  const stat = await home.stat(TOKEN_FILE);
  if (!stat.ok)
    return stat.error.code === 'E_FILE_NOT_FOUND'
      ? ok(undefined)
      : cannotStart('E_HOME', describeFileError(stat.error));
  if (guard('start.token', (stat.value.mode & 0o077) !== 0))
    return cannotStart('E_HOME_OPEN', `${TOKEN_FILE} can be read by other users of this machine`);
  const text = await home.readText(TOKEN_FILE, { limit: 1_000 });
  if (!text.ok) return cannotStart('E_HOME', describeFileError(text.error));
  const token = text.value.trim();
  return /^[\w-]{32,200}$/.test(token)
    ? ok(token)
    : cannotStart('E_HOME', `${TOKEN_FILE} does not hold a token`);
}
