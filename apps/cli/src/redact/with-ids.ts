import type { Io } from '../io.js';
import { toldWithIds } from './told-json.js';
import { credentialsAway } from './typed-credentials.js';

/** Prints a text that holds JSON, in which these ids stay as they are unless one is a credential by itself. */
export async function printWithIds(
  { out, exact }: Pick<Io, 'out' | 'exact'>,
  text: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return out(text);
  await exact(toldWithIds(await credentialsAway(), text, ids));
}
