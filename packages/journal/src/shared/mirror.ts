import type { FileResult, Files } from '@cuebook/files';

/**
 * A folder of a run, as the store has it for all machines: what is written goes into the store first, and then into the
 * folder, which is a view of it. A folder that is opened is brought to where the store stands. A folder of before,
 * which the store knows nothing of, is taken up as it is.
 */
export async function mirrorFolder(folder: Files, shared: Files, at: string): Promise<FileResult<Files>> {
  const inStore = (path: string): string => `${at}/${path}`;
  const known = await filesBelow(shared, at);
  if (!known.ok) return known;
  const brought =
    known.value.length > 0
      ? await copyAll(known.value, { from: shared, to: folder, source: inStore, target: (path) => path })
      : await takeUp();
  if (!brought.ok) return brought;

  return {
    ok: true,
    value: {
      ...folder,
      async writeText(path, text, options) {
        return writeBoth(path, Buffer.from(text, 'utf8'), options);
      },
      writeBytes: writeBoth,
      async remove(path, options) {
        if (isPassing(path)) return folder.remove(path, options);
        const gone = await shared.remove(inStore(path));
        if (!gone.ok && gone.error.code !== 'E_FILE_NOT_FOUND') return gone;
        return folder.remove(path, options);
      },
    },
  };

  async function writeBoth(...[path, bytes, options]: Parameters<Files['writeBytes']>) {
    if (isPassing(path)) return folder.writeBytes(path, bytes, options);
    const kept = await shared.writeBytes(inStore(path), bytes, options);
    if (!kept.ok) return kept;
    const { ifMatch: _, ...rest } = options ?? {};
    const made = path.includes('/') ? await folder.makeDirectory(path.slice(0, path.lastIndexOf('/'))) : OK;
    return made.ok ? folder.writeBytes(path, bytes, rest) : made;
  }

  async function takeUp(): Promise<FileResult<void>> {
    const paths: string[] = [];
    for await (const path of folder.walk('.')) if (path.ok && !isPassing(path.value)) paths.push(path.value);
    return copyAll(paths, { from: folder, to: shared, source: (path) => path, target: inStore });
  }
}

/** Locks are of a machine. */
const isPassing = (path: string): boolean => /(^|\/)lock(\/|$)|\.lock(\/|$)/.test(path);

const OK: FileResult<void> = { ok: true, value: undefined };

interface Copying {
  readonly from: Files;
  readonly to: Files;
  source(path: string): string;
  target(path: string): string;
}

async function copyAll(
  paths: readonly string[],
  { from, to, source, target }: Copying,
): Promise<FileResult<void>> {
  for (const path of paths) {
    const bytes = await from.readBytes(source(path));
    const into = target(path);
    if (!bytes.ok && bytes.error.code === 'E_FILE_NOT_FOUND') {
      // Whoever works on it has removed it since it was listed: it is gone here too.
      const gone = await to.remove(into);
      if (gone.ok || gone.error.code === 'E_FILE_NOT_FOUND') continue;
      return gone;
    }
    if (!bytes.ok) return bytes;
    const made = into.includes('/') ? await to.makeDirectory(into.slice(0, into.lastIndexOf('/'))) : OK;
    const written = made.ok ? await to.writeBytes(into, bytes.value, { mode: 0o600 }) : made;
    if (!written.ok) return written;
  }
  return OK;
}

/** The files below a folder of the store, as paths in it. */
async function filesBelow(shared: Files, at: string, inside = ''): Promise<FileResult<readonly string[]>> {
  const listed = await shared.list(inside === '' ? at : `${at}/${inside}`);
  if (!listed.ok) return listed.error.code === 'E_FILE_NOT_FOUND' ? { ok: true, value: [] } : listed;
  const found: string[] = [];
  for (const { name, kind } of listed.value.entries) {
    const path = inside === '' ? name : `${inside}/${name}`;
    if (kind === 'file') found.push(path);
    if (kind !== 'directory') continue;
    const below = await filesBelow(shared, at, path);
    if (!below.ok) return below;
    found.push(...below.value);
  }
  return { ok: true, value: found };
}
