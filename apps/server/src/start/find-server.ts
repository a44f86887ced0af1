import { openFolder } from '@cuebook/files';
import { findPlace } from './place.js';
import { readToken } from './token.js';

/** A server that runs for a home, and what it takes to ask it. */
interface FoundServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** The version of its program; empty: it does not say. */
  readonly version: string;
}

/** The server of a CUEBOOK_HOME, if one runs. What a dead one left behind is not taken for one. */
export async function findServer(home: string): Promise<FoundServer | undefined> {
  const files = await openFolder(home, { access: 'ro' });
  if (!files.ok) return undefined;
  const place = await findPlace(files.value);
  if (place === undefined) return undefined;
  const token = await readToken(files.value);
  return token.ok && token.value !== undefined
    ? { url: place.url, token: token.value, pid: place.pid, version: place.version }
    : undefined;
}
