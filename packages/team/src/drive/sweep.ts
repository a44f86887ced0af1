import { DEFAULT_IGNORE, openFolder } from '@cuebook/files';

/**
 * Removes what a killed process of ours left half written in a workspace, so that no diff shows it. Only for a folder
 * that nobody else writes to. Links are not followed.
 */
export async function sweepWorkspace(folder: string): Promise<void> {
  const opened = await openFolder(folder);
  if (!opened.ok) return;
  const files = opened.value;
  const todo = ['.'];
  for (let count = 0; todo.length > 0 && count < MAX_FOLDERS; count += 1) {
    const path = todo.pop() as string;
    await files.sweep(path, { olderThanMs: 0 });
    const listing = await files.list(path);
    if (!listing.ok) continue;
    for (const { name, kind } of listing.value.entries)
      if (kind === 'directory' && !DEFAULT_IGNORE.includes(name))
        todo.push(path === '.' ? name : `${path}/${name}`);
  }
}

/** Of a workspace with more folders a part is swept. */
const MAX_FOLDERS = 20_000;
