import {
  DEFAULT_READ_LIMIT,
  type FileResult,
  kindByContent,
  kindByName,
  memorySource,
  type TextSource,
} from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { AskGit } from './ask-git.js';

/** Why a revision cannot be read. `by`: the call names none that there is, or git failed. */
export interface RevisionError {
  readonly code: 'E_REVISION' | 'E_GIT';
  readonly message: string;
  readonly by: 'call' | 'git';
}

/** The texts of a commit. */
export interface RevisionTexts {
  readonly source: TextSource;
  /** Its full id. */
  readonly commit: string;
}

/**
 * The texts of a project as of a git revision, by the rules of every text source. `git` is asked in the project's folder.
 * Only regular files are there: links and submodules are left out, and so are names that no path can spell and files
 * that are withheld by their name, such as keys and environment files. What is withheld by its words is not read.
 */
export async function revisionSource(
  git: AskGit,
  revision: string,
): Promise<Result<RevisionTexts, RevisionError>> {
  const commit = await findCommit(git, revision);
  if (!commit.ok) return commit;
  const blobs = await listBlobs(git, commit.value);
  if (blobs === undefined)
    return fail({ code: 'E_GIT', by: 'git', message: 'git could not list the revision' });
  // The tree in memory holds each file's object id in the place of its text.
  const tree = memorySource(Object.fromEntries([...blobs].map(([path, { id }]) => [path, id])));
  if (!tree.ok)
    return fail({ code: 'E_GIT', by: 'git', message: 'The revision holds paths that cannot be read' });
  const read = new Map<string, Promise<FileResult<Buffer>>>();
  const readBytes = async (path: string): Promise<FileResult<Buffer>> => {
    const id = await tree.value.readText(path);
    if (!id.ok) return id;
    const clean = tree.value.clean(path);
    if (!clean.ok) return clean;
    const known = read.get(clean.value) ?? readBlob(git, clean.value, blobs.get(clean.value) as Blob);
    read.set(clean.value, known);
    return known;
  };
  const source: TextSource = {
    ...tree.value,
    readBytes,
    async readText(path) {
      const bytes = await readBytes(path);
      return bytes.ok ? decoded(bytes.value, path) : bytes;
    },
  };
  return ok({ source, commit: commit.value });
}

/** The full id of the commit that a revision names. What starts with a dash would be read as a flag. */
export async function findCommit(git: AskGit, revision: string): Promise<Result<string, RevisionError>> {
  if (guard('git.revision', revision.startsWith('-')))
    return fail({ code: 'E_REVISION', by: 'call', message: 'A revision does not start with a dash' });
  const inside = await git(['rev-parse', '--is-inside-work-tree']);
  if (!inside.ok) {
    const message = 'The project is not in a git checkout, so it has no revisions';
    return fail({ code: 'E_GIT', by: 'call', message });
  }
  const answer = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  const commit = answer.stdout.toString().trim();
  if (answer.ok && /^[0-9a-f]{40,64}$/.test(commit)) return ok(commit);
  const message =
    revision === 'HEAD'
      ? 'The repository has no commit yet: commit first, then run this again'
      : `No commit is called "${revision}"`;
  return fail({ code: 'E_REVISION', by: 'call', message });
}

interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The regular files below the project's folder, by path relative to it. */
async function listBlobs(git: AskGit, commit: string): Promise<ReadonlyMap<string, Blob> | undefined> {
  // Without --full-tree git lists the current folder, with paths relative to it.
  const answer = await git(['ls-tree', '-r', '-l', '-z', commit]);
  if (!answer.ok) return undefined;
  const blobs = new Map<string, Blob>();
  for (const row of answer.stdout.toString().split('\0')) {
    const [, mode = '', id = '', size = '', path = ''] =
      /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(row) ?? [];
    const isFile = mode === '100644' || mode === '100755';
    if (isFile && !path.startsWith('../') && !isWithheld(path) && memorySource({ [path]: '' }).ok) {
      blobs.set(path, { id, size: Number(size) });
    }
  }
  return blobs;
}

function isWithheld(path: string): boolean {
  const names = path.split('/');
  return guard(
    'git.withheld',
    names.some((name, at) => kindByName(name, names[at - 1]) !== undefined),
  );
}

async function readBlob(git: AskGit, path: string, { id, size }: Blob): Promise<FileResult<Buffer>> {
  if (guard('git.blob-limit', size > DEFAULT_READ_LIMIT)) {
    return { ok: false, error: { code: 'E_FILE_TOO_LARGE', path, limit: DEFAULT_READ_LIMIT, unit: 'bytes' } };
  }
  const answer = await git(['cat-file', 'blob', id]);
  if (!answer.ok) return { ok: false, error: { code: 'E_DISK', path, system: 'EGIT' } };
  if (guard('git.withheld-content', kindByContent(path, answer.stdout) !== undefined)) {
    return { ok: false, error: { code: 'E_SANDBOX_VIOLATION', path, reason: 'withheld' } };
  }
  return { ok: true, value: answer.stdout };
}

function decoded(bytes: Buffer, path: string): FileResult<string> {
  const text = bytes.toString();
  // Decoding replaces what is not UTF-8, so text that encodes to other bytes was not.
  const isLossy = text.includes('\ufffd') && Buffer.compare(Buffer.from(text), bytes) !== 0;
  if (guard('git.utf8', isLossy)) {
    return { ok: false, error: { code: 'E_NOT_UTF8', path, offset: firstBadByte(bytes) } };
  }
  return { ok: true, value: text.replace(/^\ufeff/, '') };
}

/** Where decoding and encoding again first differ. */
function firstBadByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString());
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== again[at]) return at;
  return bytes.length;
}
