import { DEFAULT_READ_LIMIT, type FileResult, memorySource, type TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { Failure } from '../failure.js';
import { decodeUtf8 } from '../input/stdin.js';
import { git } from './git.js';

/**
 * The project's texts as of a git revision, by the rules of every text source. Only regular files are there:
 * links and submodules are left out, and so are names that no path can spell.
 */
export async function revisionSource(folder: string, revision: string): Promise<TextSource> {
  const commit = await requireCommit(folder, revision);
  const blobs = await listBlobs(folder, commit);
  // The tree in memory holds each file's object id in the place of its text.
  const tree = memorySource(Object.fromEntries([...blobs].map(([path, { id }]) => [path, id])));
  if (!tree.ok) throw new Failure('E_GIT', 'The revision holds paths that cannot be read', { exit: 1 });
  const read = new Map<string, Promise<FileResult<Buffer>>>();
  const readBytes = async (path: string): Promise<FileResult<Buffer>> => {
    const id = await tree.value.readText(path);
    if (!id.ok) return id;
    const clean = tree.value.clean(path);
    if (!clean.ok) return clean;
    const known = read.get(clean.value) ?? readBlob(folder, clean.value, blobs.get(clean.value) as Blob);
    read.set(clean.value, known);
    return known;
  };
  return {
    ...tree.value,
    readBytes,
    async readText(path) {
      const bytes = await readBytes(path);
      return bytes.ok ? decoded(bytes.value, path) : bytes;
    },
  };
}

/** The full id of the commit that a revision names. What starts with a dash would be read as a flag. */
export async function requireCommit(folder: string, revision: string): Promise<string> {
  if (guard('git.revision', revision.startsWith('-'))) {
    throw new Failure('E_REVISION', 'A revision does not start with a dash');
  }
  const inside = await git(folder, ['rev-parse', '--is-inside-work-tree']);
  if (!inside.ok) {
    throw new Failure('E_GIT', 'The project is not in a git checkout, so it has no revisions');
  }
  const answer = await git(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ]);
  const commit = answer.stdout.toString().trim();
  if (answer.ok && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  throw new Failure('E_REVISION', `No commit is called "${revision}"`);
}

interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The regular files below the project's folder, by path relative to it. */
async function listBlobs(folder: string, commit: string): Promise<ReadonlyMap<string, Blob>> {
  // Without --full-tree git lists the current folder, with paths relative to it.
  const answer = await git(folder, ['ls-tree', '-r', '-l', '-z', commit]);
  if (!answer.ok) throw new Failure('E_GIT', 'git could not list the revision', { exit: 1 });
  const blobs = new Map<string, Blob>();
  for (const row of answer.stdout.toString().split('\0')) {
    const [, mode = '', id = '', size = '', path = ''] =
      /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(row) ?? [];
    const isFile = mode === '100644' || mode === '100755';
    if (isFile && !path.startsWith('../') && memorySource({ [path]: '' }).ok) {
      blobs.set(path, { id, size: Number(size) });
    }
  }
  return blobs;
}

async function readBlob(folder: string, path: string, { id, size }: Blob): Promise<FileResult<Buffer>> {
  if (guard('git.blob-limit', size > DEFAULT_READ_LIMIT)) {
    return { ok: false, error: { code: 'E_FILE_TOO_LARGE', path, limit: DEFAULT_READ_LIMIT, unit: 'bytes' } };
  }
  const answer = await git(folder, ['cat-file', 'blob', id]);
  if (!answer.ok) return { ok: false, error: { code: 'E_DISK', path, system: 'EGIT' } };
  return { ok: true, value: answer.stdout };
}

function decoded(bytes: Buffer, path: string): FileResult<string> {
  const text = decodeUtf8(bytes);
  if (guard('git.utf8', text === undefined)) {
    return { ok: false, error: { code: 'E_NOT_UTF8', path, offset: firstBadByte(bytes) } };
  }
  return { ok: true, value: (text ?? '').replace(/^\ufeff/, '') };
}

/** Where decoding and encoding again first differ. */
function firstBadByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString());
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== again[at]) return at;
  return bytes.length;
}
