import type { Objects } from '@cuebook/bundle';
import { sourceProblem, type VersionArchive } from '@cuebook/workspace';

/** Where versions of a project are fetched from beside its clone: a git repository or an archive; or why neither. */
export interface VersionSource {
  readonly source?: string | undefined;
  readonly archive?: VersionArchive | undefined;
  readonly problem?: { readonly code: string; readonly message: string } | undefined;
}

/** What the source of a project names. */
export async function readSource(
  named: string | undefined,
  place: Parameters<typeof import('@cuebook/bundle').openObjects>[1],
): Promise<VersionSource> {
  if (!named) return {};
  const { isObjects, openObjects } = await import('@cuebook/bundle');
  if (!isObjects(named)) return { source: named, problem: sourceProblem(named) };
  const opened = await openObjects(named, place);
  return opened.ok ? { archive: archiveIn(opened.value) } : { problem: opened.error };
}

/** An archive in an object store. What is there is never overwritten. */
const archiveIn = (objects: Objects): VersionArchive => ({
  async get(key, limit) {
    const found = await objects.get(key, { limit });
    return found.ok ? found.value : undefined;
  },
  async has(key) {
    const page = await objects.list(key, { limit: 1 });
    return page.ok && page.value.keys[0] === key;
  },
  async put(key, bytes) {
    const done = await objects.put(key, bytes, { ifAbsent: true });
    return done.ok || done.error.reason === 'exists';
  },
});
