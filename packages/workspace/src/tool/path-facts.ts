import { resolve } from 'node:path';
import { type FileResult, kindByName, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { WorkspaceNode } from '../contract.js';
import { pathInside } from '../git/inside.js';
import { lexicalPath, type PathFacts } from '../path.js';
import type { WorkspaceGround } from '../place/place.js';

/**
 * What the disk says of paths in a node's folder, links followed. A path that leads out of it, or to a file that is
 * withheld from agents, is outside; so is one that cannot be looked at.
 */
export async function pathFacts(
  ground: WorkspaceGround,
  run: string,
  node: WorkspaceNode,
  paths: readonly string[],
): Promise<readonly PathFacts[]> {
  const folder = ground.folderOf(run, node);
  const opened = await openFolder(folder, { access: 'ro', withhold: { from: 'agent', home: ground.home } });
  if (!opened.ok) return paths.map(() => OUTSIDE);
  return Promise.all(
    paths.map(async (path): Promise<PathFacts> => {
      const said = lexicalPath(path.startsWith('/') ? below(folder, path) : path);
      if (said.kind === 'outside') return isPrivate(ground.home, path) ? WITHHELD : OUTSIDE;
      const found = await opened.value.leadsTo(said.path);
      if (guard('tool.place', !found.ok)) return isWithheld(found) ? WITHHELD : OUTSIDE;
      return found.ok ? lexicalPath(found.value) : said;
    }),
  );
}

const OUTSIDE: PathFacts = { kind: 'outside' };
const WITHHELD: PathFacts = { kind: 'outside', withheld: true };

const isWithheld = (found: FileResult<unknown>): boolean =>
  !found.ok && found.error.code === 'E_SANDBOX_VIOLATION' && found.error.reason === 'withheld';

/** A path outside of the folder that is withheld by what it says of itself. */
function isPrivate(home: string, path: string): boolean {
  const names = path.split(/[/\\]+/);
  return (
    isAt(resolve('/', path), home) ||
    names.some((name, at) => name !== '' && kindByName(name, names[at - 1]) !== undefined)
  );
}

/** An absolute path as a relative one; empty, which is no path, when it is not below the folder. */
const below = (folder: string, path: string): string =>
  path.replace(/\/+$/, '') === folder ? '.' : (pathInside(folder, path) ?? '');

/** On a disk that ignores letter case another spelling is the same place. */
const isAt = (path: string, place: string): boolean =>
  `${path.toLowerCase()}/`.startsWith(`${place.toLowerCase()}/`);
