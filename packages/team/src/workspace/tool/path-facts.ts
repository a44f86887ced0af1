import { openFolder } from '@cuebook/files';
import { lexicalPath, type PathFacts } from '../../capability/path.js';
import { guard } from '../../guard.js';
import type { WorkspaceNode } from '../contract.js';
import { pathInside } from '../git/inside.js';
import { type Ground, HOME_NAME } from '../place/place.js';

/**
 * What the disk says of paths in a node's folder, links followed. A path that leads out of it, or to the state of
 * Cuebook, is outside; so is one that cannot be looked at.
 */
export async function pathFacts(
  ground: Ground,
  run: string,
  node: WorkspaceNode,
  paths: readonly string[],
): Promise<readonly PathFacts[]> {
  const folder = ground.folderOf(run, node);
  const opened = await openFolder(folder, { access: 'ro' });
  if (!opened.ok) return paths.map(() => OUTSIDE);
  const home = pathInside(folder, ground.home);
  const isState = (path: string): boolean =>
    [HOME_NAME, ...(home === undefined ? [] : [home])].some((place) => isAt(path, place));
  return Promise.all(
    paths.map(async (path): Promise<PathFacts> => {
      const said = lexicalPath(path.startsWith('/') ? below(folder, path) : path);
      if (said.kind === 'outside') return OUTSIDE;
      const found = await opened.value.leadsTo(said.path);
      if (guard('tool.place', !found.ok)) return OUTSIDE;
      const place = found.ok ? lexicalPath(found.value) : said;
      const isHidden = place.kind !== 'outside' && (isState(place.path) || isState(said.path));
      return guard('workspace.home', isHidden) ? OUTSIDE : place;
    }),
  );
}

const OUTSIDE: PathFacts = { kind: 'outside' };

/** An absolute path as a relative one; empty, which is no path, when it is not below the folder. */
const below = (folder: string, path: string): string =>
  path.replace(/\/+$/, '') === folder ? '.' : (pathInside(folder, path) ?? '');

/** On a disk that ignores letter case another spelling is the same place. */
const isAt = (path: string, place: string): boolean =>
  `${path.toLowerCase()}/`.startsWith(`${place.toLowerCase()}/`);
