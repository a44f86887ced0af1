import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { indexName, indexOf } from './index-file.js';
import type { Taken } from './snapshot.js';
import { type ContentStore, gitFailure } from './store.js';
import { joinZ, splitZ } from './zero.js';

/** A file of a tree: what it is and which content it has. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/** The files of a tree by their paths. A key has one character for each byte of the path: `spell` shows it. */
export type TreeFiles = ReadonlyMap<string, TreeEntry>;

/** A path as people read it. */
export const spell = (key: string): string => Buffer.from(key, 'latin1').toString('utf8');

/** Reads all files of a tree. */
export async function readTree(
  store: ContentStore,
  tree: string,
): Promise<Result<TreeFiles, WorkspaceError>> {
  const answer = await store.run(['ls-tree', '-r', '-z', '--full-tree', tree]);
  if (answer.code !== 0) return fail(gitFailure(answer));
  const entries = splitZ(answer.stdout).map((line): [string, TreeEntry] => {
    const text = line.toString('latin1');
    const tab = text.indexOf('\t');
    const [mode = '', , id = ''] = text.slice(0, tab).split(' ');
    return [text.slice(tab + 1), { mode, id }];
  });
  return ok(new Map(entries));
}

/** The paths in which two sets of files differ, sorted. */
export function differing(before: TreeFiles, after: TreeFiles): readonly string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => !isSame(before.get(key), after.get(key))).sort();
}

/** Whether two entries are one content in one form; both missing is the same, too. */
export const isSame = (a: TreeEntry | undefined, b: TreeEntry | undefined): boolean =>
  a?.id === b?.id && a?.mode === b?.mode;

/** A tree with some files put in another state; `undefined` takes one out. */
export async function changeTree(
  store: ContentStore,
  tree: string,
  changes: ReadonlyMap<string, TreeEntry | undefined>,
): Promise<Result<string, WorkspaceError>> {
  const { name, path: index } = store.temporary();
  const read = await store.run(['read-tree', tree], { index });
  const lines = [...changes].map(([key, entry]) =>
    Buffer.from(`${entry?.mode ?? '0'} ${entry?.id ?? NO_ID}\t${key}`, 'latin1'),
  );
  // What goes comes before what is put there: a file may stand where a folder was.
  lines.sort((a, b) => Number(a[0] !== ZERO_DIGIT) - Number(b[0] !== ZERO_DIGIT));
  const put =
    read.code === 0
      ? await store.run(['update-index', '-z', '--index-info'], { index, input: joinZ(lines) })
      : read;
  const written = put.code === 0 ? await store.run(['write-tree'], { index }) : put;
  await store.files.remove(name);
  return written.code === 0 ? ok(written.stdout.toString().trim()) : fail(gitFailure(written));
}

/** What stands against bringing a folder from one tree to another. */
export type CheckoutProblem =
  | { readonly kind: 'in-the-way'; readonly paths: readonly string[] }
  /** A file is no longer as the snapshot saw it. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly error: WorkspaceError };

/**
 * Brings a folder from the tree of its snapshot to another: files that differ are written or removed, all others are
 * left alone. Nothing is changed when a file is not as the snapshot saw it, or when something that no snapshot holds
 * is in the way.
 */
export async function checkout(
  store: ContentStore,
  folder: string,
  { snapshot, index }: Taken,
  to: string,
  options: { readonly dryRun?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<Result<undefined, CheckoutProblem>> {
  const dry = options.dryRun === true ? ['-n'] : [];
  const answer = await store.run(['read-tree', '-m', '-u', ...dry, snapshot.tree, to], {
    tree: folder,
    index: index.path,
    signal: options.signal,
  });
  if (answer.code === 0) {
    await index.remember(options.dryRun === true ? snapshot : { tree: to, odd: snapshot.odd });
    return ok(undefined);
  }
  const paths = [...answer.complaint.matchAll(/Untracked working tree file '(.*)' would be/g)].map(
    ([, path = '']) => path,
  );
  const folders = [...answer.complaint.matchAll(/Updating '(.*)' would lose untracked files/g)].map(
    ([, path = '']) => path,
  );
  if (paths.length + folders.length > 0) return fail({ kind: 'in-the-way', paths: [...paths, ...folders] });
  if (/not uptodate|would be overwritten/.test(answer.complaint)) return fail({ kind: 'changed' });
  return fail({ kind: 'failed', error: gitFailure(answer) });
}

/** Fills a folder of ours with a tree, whatever a killed filling left in it; its index stands for that tree. */
export async function fill(
  store: ContentStore,
  folder: string,
  { tree, key }: { readonly tree: string; readonly key: string },
): Promise<Result<undefined, WorkspaceError>> {
  // A lock that a killed process left would be in the way, and nobody else works on a folder that is not filled.
  await store.files.remove(`${indexName(key)}.lock`);
  const index = await indexOf(store, key);
  const answer = await store.run(['read-tree', '--reset', '-u', tree], { tree: folder, index: index.path });
  if (answer.code !== 0) return fail(gitFailure(answer));
  await index.remember({ tree, odd: [] });
  return ok(undefined);
}

const NO_ID = '0'.repeat(40);
const ZERO_DIGIT = 0x30;
