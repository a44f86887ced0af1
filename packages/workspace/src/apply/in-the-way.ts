import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import type { Taken } from '../git/snapshot.js';
import { type ContentStore, gitFailure } from '../git/store.js';
import { splitZ } from '../git/zero.js';

/**
 * Of files that are to be made in a folder, those at whose place something stands that no snapshot holds because a
 * rule says to ignore it. Git would write over such a file, and it may be the only one of its kind.
 */
export async function findInTheWay(
  store: ContentStore,
  folder: string,
  { index }: Taken,
  paths: readonly string[],
): Promise<Result<readonly string[], WorkspaceError>> {
  const list = (args: readonly string[], asked: readonly string[]) =>
    inParts(asked, async (part) => {
      const listed = await store.run(
        ['--literal-pathspecs', 'ls-files', ...IGNORED, ...args, '--', ...part],
        {
          ...{ tree: folder, index: index.path },
        },
      );
      return listed.code === 0 ? ok(splitZ(listed.stdout).map(String)) : fail(gitFailure(listed));
    });
  const at = await list([], paths);
  if (!at.ok) return at;
  const above = new Set(paths.flatMap(foldersAbove));
  const files = await list(['--directory'], [...above]);
  if (!files.ok) return files;
  const blocking = new Set([...at.value, ...files.value.filter((path) => above.has(path))]);
  const isBlocked = (path: string) =>
    [...blocking].some((each) => each === path || each.startsWith(`${path}/`) || path.startsWith(`${each}/`));
  return ok(paths.filter((path) => guard('apply.ignored', isBlocked(path))));
}

const IGNORED = ['-z', '--others', '--ignored', '--exclude-standard'];
/** As many names as fit into one call. */
const PART = 200;

async function inParts(
  paths: readonly string[],
  ask: (part: readonly string[]) => Promise<Result<readonly string[], WorkspaceError>>,
): Promise<Result<readonly string[], WorkspaceError>> {
  const found: string[] = [];
  for (let start = 0; start < paths.length; start += PART) {
    const answer = await ask(paths.slice(start, start + PART));
    if (!answer.ok) return answer;
    found.push(...answer.value);
  }
  return ok(found);
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, count) => parts.slice(0, count + 1).join('/'));
}
