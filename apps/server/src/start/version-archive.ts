import { isObjects, type Objects, openObjects } from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { VersionArchive } from '@cuebook/workspace';

/** The archive that the source of a project names; undefined: its source is no object store. */
export async function openArchive(
  source: string | undefined,
  place: Parameters<typeof openObjects>[1],
): Promise<Result<VersionArchive, { readonly code: string; readonly message: string }> | undefined> {
  if (source === undefined || !isObjects(source)) return undefined;
  const opened = await openObjects(source, place);
  return opened.ok ? ok(archiveIn(opened.value)) : fail(opened.error);
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
