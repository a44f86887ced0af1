import type { CleanPath } from '../path.js';
import { type FileResult, ok } from '../result.js';
import { withLocated } from './locate.js';
import type { Mount } from './mount.js';

/**
 * The names that a path leads to below its root, all links followed. What is missing at its end cannot be a link and
 * is taken as it is spelled. A path that leads out is refused like everywhere else.
 */
export async function leadsTo(mount: Mount, path: CleanPath): Promise<FileResult<readonly string[]>> {
  const found = await withLocated(mount, path, { create: false, follow: true }, async ({ parent, name }) =>
    ok(name === '.' ? parent.names : [...parent.names, name]),
  );
  const last = path.segments.at(-1);
  if (found.ok || found.error.code !== 'E_FILE_NOT_FOUND' || last === undefined) return found;
  const above = await leadsTo(mount, { ...path, segments: path.segments.slice(0, -1) });
  return above.ok ? ok([...above.value, last]) : above;
}
