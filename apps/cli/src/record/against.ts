import { isObjects, type Objects, openObjects as openAt } from '@cuebook/bundle';
import type { NamedAnchor } from '@cuebook/journal';
import { Failure, usage } from '../failure.js';
import { git } from '../git/git.js';
import type { Io } from '../io.js';
import { readNamedFile } from '../project/named-file.js';

/** The notes in the project's repository that hold anchors. They stay local unless somebody pushes them. */
const NOTES = ['notes', '--ref=cuebook-anchor'];

/** Anchors that were exported: a file, `git` for the notes of the repository, an object store. */
export async function readExported(
  where: string,
  { io, folder, project }: { readonly io: Io; readonly folder: string; readonly project: string },
): Promise<readonly NamedAnchor[]> {
  if (where === 'git') return readNotes(folder);
  if (!isObjects(where)) return [{ name: where, text: await readNamedFile(io.cwd, where) }];
  const objects = await openObjects(where, io);
  const prefix = keyPrefix(project);
  let newest: string | undefined;
  for (let after: string | undefined; ; ) {
    const page = await objects.list(prefix, after === undefined ? {} : { after });
    if (!page.ok) throw objectFailure(page.error.reason);
    newest = page.value.keys.at(-1) ?? newest;
    after = page.value.next;
    if (after === undefined) break;
  }
  if (newest === undefined) return [{ name: `the anchor in ${where}`, text: undefined }];
  const bytes = await objects.get(newest, { limit: LIMIT });
  if (!bytes.ok) throw objectFailure(bytes.error.reason);
  return [{ name: `the anchor in ${where}`, text: Buffer.from(bytes.value).toString('latin1') }];
}

/** Puts an anchor into a note on the commit that is checked out. Answers the commit. */
export async function writeNote(folder: string, file: string): Promise<string> {
  const head = await git(folder, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (!head.ok)
    throw new Failure('E_GIT', 'The project is in no git repository that has a commit.', { exit: 1 });
  const commit = head.stdout.toString().trim();
  const who = ['-c', 'user.name=cuebook', '-c', 'user.email=cuebook@localhost'];
  const added = await git(folder, [...who, ...NOTES, 'add', '-f', '-F', file, commit]);
  if (!added.ok) throw new Failure('E_GIT', 'git did not take the note.', { exit: 1 });
  return commit;
}

/** Puts an anchor into an object store, under a key of its own: what is there is never overwritten. Answers the key. */
export async function writeObject(
  where: string,
  text: string,
  { io, project, now }: { readonly io: Io; readonly project: string; readonly now: number },
): Promise<string> {
  const key = `${keyPrefix(project)}${String(now).padStart(15, '0')}.jsonl`;
  const put = await (await openObjects(where, io)).put(key, Buffer.from(text, 'latin1'), { ifAbsent: true });
  if (!put.ok) throw objectFailure(put.error.reason);
  return key;
}

const LIMIT = 256 * 1024 * 1024;
const keyPrefix = (project: string): string => `anchors/${project}/`;

async function readNotes(folder: string): Promise<readonly NamedAnchor[]> {
  const listed = await git(folder, [...NOTES, 'list']);
  const rows = listed.ok ? listed.stdout.toString().trim().split('\n').filter(Boolean) : [];
  if (rows.length === 0) return [{ name: 'the anchor in the notes of git', text: undefined }];
  const found: NamedAnchor[] = [];
  for (const row of rows) {
    const [note = '', commit = ''] = row.split(' ');
    const { ok, stdout } = await git(folder, ['cat-file', 'blob', note]);
    const name = `the anchor in the note of ${commit.slice(0, 12)}`;
    found.push({ name, text: ok ? stdout.toString('latin1') : undefined });
  }
  return found;
}

async function openObjects(where: string, io: Io): Promise<Objects> {
  const opened = await openAt(where, io);
  if (opened.ok) return opened.value;
  const { message, by } = opened.error;
  throw by === 'address' ? usage(message) : new Failure('E_OBJECT', message, { exit: 3 });
}

const objectFailure = (reason: string): Failure =>
  new Failure('E_OBJECT', `The object store did not do it: ${reason}.`, {
    exit: reason === 'unavailable' ? 3 : 1,
  });
