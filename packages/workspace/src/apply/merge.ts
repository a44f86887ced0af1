import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { AppliedFile, ApplyConflict, WorkspaceError } from '../contract.js';
import { type ContentStore, gitFailure } from '../git/store.js';
import { differing, isSame, spell, type TreeEntry, type TreeFiles } from '../git/tree.js';

/** The three states that a merge looks at. */
export interface Sides {
  /** Where both began. */
  readonly base: TreeFiles;
  /** What the person has now. */
  readonly ours: TreeFiles;
  /** What the node has now. */
  readonly theirs: TreeFiles;
}

export interface Merged {
  readonly result: TreeFiles;
  readonly files: readonly Omit<AppliedFile, 'node'>[];
  readonly conflicts: readonly Omit<ApplyConflict, 'node'>[];
}

/**
 * Brings what changed from `base` to `theirs` into `ours`, file by file. A file that only the node changed is taken;
 * one that both changed is merged line by line; what cannot be merged without a choice is a conflict. No driver that
 * a repository names is asked.
 */
export async function merge(store: ContentStore, sides: Sides): Promise<Result<Merged, WorkspaceError>> {
  const { base, ours, theirs } = sides;
  const result = new Map(ours);
  const files: Omit<AppliedFile, 'node'>[] = [];
  const conflicts: Omit<ApplyConflict, 'node'>[] = [];
  for (const key of differing(base, theirs)) {
    const [was, mine, wanted] = [base.get(key), ours.get(key), theirs.get(key)];
    if (isSame(mine, wanted)) continue;
    const path = spell(key);
    if (isSame(mine, was)) {
      put(result, key, wanted);
      files.push({ path, change: wanted === undefined ? 'deleted' : was === undefined ? 'new' : 'edited' });
    } else if (guard('apply.deleted', mine === undefined || wanted === undefined)) {
      conflicts.push({ path, why: 'deleted' });
    } else {
      const merged = await mergeFile(store, { was, mine, wanted });
      if (!merged.ok) return merged;
      if (merged.value === undefined) conflicts.push({ path, why: 'both-changed' });
      else if (!isSame(merged.value, mine)) {
        put(result, key, merged.value);
        files.push({ path, change: 'merged' });
      }
    }
  }
  const folders = new Set([...result.keys()].flatMap(foldersAbove));
  const isBlocked = (key: string) => folders.has(key) || foldersAbove(key).some((above) => result.has(above));
  const blocked = files.filter(
    ({ path, change }) => change !== 'deleted' && guard('apply.in-the-way', isBlocked(keyOf(path))),
  );
  return ok({
    result,
    files,
    conflicts: [...conflicts, ...blocked.map(({ path }) => ({ path, why: 'in-the-way' as const }))],
  });
}

const put = (files: Map<string, TreeEntry>, key: string, entry: TreeEntry | undefined): void => {
  if (entry === undefined) files.delete(key);
  else files.set(key, entry);
};

const keyOf = (path: string): string => Buffer.from(path).toString('latin1');

function foldersAbove(key: string): readonly string[] {
  const found: string[] = [];
  for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) found.push(key.slice(0, at));
  return found;
}

interface FileSides {
  readonly was: TreeEntry | undefined;
  readonly mine: TreeEntry | undefined;
  readonly wanted: TreeEntry | undefined;
}

/** Both changed it: the lines of both where they do not touch; undefined where they do. */
async function mergeFile(
  store: ContentStore,
  { was, mine, wanted }: FileSides,
): Promise<Result<TreeEntry | undefined, WorkspaceError>> {
  if (mine === undefined || wanted === undefined) return ok(undefined);
  const mode = mine.mode === was?.mode ? wanted.mode : mine.mode;
  if (mine.id === wanted.id) return ok({ mode, id: mine.id });
  const areFiles = [was, mine, wanted].every((each) => each === undefined || /^100/.test(each.mode));
  if (!areFiles || was === undefined) return ok(undefined);
  if (mine.id === was.id) return ok({ mode, id: wanted.id });
  if (wanted.id === was.id) return ok({ mode, id: mine.id });

  const places = [mine, was, wanted].map((entry) => ({ entry, ...store.temporary() }));
  for (const { entry, name } of places) {
    const blob = await store.run(['cat-file', 'blob', entry.id]);
    if (blob.code !== 0) return fail(gitFailure(blob));
    const written = await store.files.writeBytes(name, blob.stdout);
    if (!written.ok) return fail({ code: 'E_WORKSPACE_READ', message: 'A file could not be merged.' });
  }
  const merged = await store.run(['merge-file', '-p', ...places.map(({ path }) => path)]);
  for (const { name } of places) await store.files.remove(name);
  // The code counts the places that both changed; a file that is no text is more than 127 of them.
  if (guard('apply.overlap', merged.code !== 0)) return ok(undefined);
  const id = await store.run(['hash-object', '-w', '--stdin', '--no-filters'], { input: merged.stdout });
  return id.code === 0 ? ok({ mode, id: id.stdout.toString().trim() }) : fail(gitFailure(id));
}
