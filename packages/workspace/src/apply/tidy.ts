import { describeFileError } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { INDEXES, indexName } from '../git/index-file.js';
import { gitFailure, STORE } from '../git/store.js';
import { borrowedBy } from '../place/borrowed.js';
import { hasFolder } from '../place/folder.js';
import { nodeKey, PROJECT_KEY, type WorkspaceGround } from '../place/place.js';
import { isName, listRecords, type NodeRecord, treesOf } from '../place/record.js';

/**
 * Takes away what no workspace needs: contents of the store, indexes, empty folders of runs, and what killed processes
 * left half done. Only for who is alone at the store. What the records name stays, with what a copy borrows; so does
 * what is younger than this call. Killed anywhere it leaves more than is needed, never less.
 */
export async function tidy(ground: WorkspaceGround): Promise<Result<undefined, WorkspaceError>> {
  const { store } = ground;
  const now = Date.now();
  const kept = await readKept(ground);
  if (!kept.ok) return kept;
  const needed = await neededBy(ground, kept.value);
  if (!needed.ok) return needed;
  await ground.at('tidy.known');
  await removeAll(ground, `${STORE}/temporary`, (name) => name !== KEEP);
  const isLast = kept.value.length === 0;
  const keys = new Set(kept.value.map(({ run, record }) => nodeKey(run, record.node)));
  await removeAll(
    ground,
    INDEXES,
    (name) => name !== KEEP && (isLast || (name !== PROJECT_KEY && !keys.has(name))),
  );
  store.memory.clear();
  if (isLast) await removeContents(ground);
  else {
    const graceMs = needed.value.isBorrowed ? BORROWED_MS : YOUNG_MS;
    const expire = `--expire=@${Math.floor((now - graceMs) / 1000)}`;
    const pruned = await store.run(['prune', expire, '--', needed.value.tree]);
    if (pruned.code !== 0) return fail(gitFailure(pruned));
  }
  await ground.at('tidy.pruned');
  return removeEmptyRuns(ground);
}

/** What the contents of all workspaces take on the disk, in bytes. */
export async function contentsUse({ store }: WorkspaceGround): Promise<number> {
  const use = await store.files.diskUse(STORE);
  return use.ok ? use.value.bytes : 0;
}

/** Git tells the age of a file by the second. */
const YOUNG_MS = 2_000;
/** Git in a copy may be about to use contents of the store that nothing else needs: an hour is longer than it takes. */
const BORROWED_MS = 3_600_000;
const KEEP = '.keep';

interface Kept {
  readonly run: string;
  readonly record: NodeRecord;
}

/** All records of all runs. One that cannot be read means that nobody knows what is needed. */
async function readKept({ store }: WorkspaceGround): Promise<Result<readonly Kept[], WorkspaceError>> {
  const runs = await runFolders(store.files);
  if (!runs.ok) return runs;
  const kept: Kept[] = [];
  for (const run of runs.value) {
    const records = await listRecords(store, run);
    if (guard('tidy.unknown', !records.ok) && !records.ok) return records;
    kept.push(...(records.ok ? records.value : []).map((record) => ({ run, record })));
  }
  return ok(kept);
}

interface Needed {
  /** One tree that holds everything. */
  readonly tree: string;
  /** There are copies, in which git works with contents of the store. */
  readonly isBorrowed: boolean;
}

async function neededBy(
  ground: WorkspaceGround,
  kept: readonly Kept[],
): Promise<Result<Needed, WorkspaceError>> {
  const { store } = ground;
  const trees = new Set(kept.flatMap(({ record }) => treesOf(record)));
  const keys = [PROJECT_KEY, ...kept.map(({ run, record }) => nodeKey(run, record.node))];
  for (const key of kept.length === 0 ? [] : keys) {
    const tree = await treeOfIndex(ground, key);
    if (tree !== undefined) trees.add(tree);
  }
  const lines = [...trees].map((id) => `040000 tree ${id}`);
  let isBorrowed = false;
  for (const { run, record } of kept) {
    const isCopy = record.form === 'copy' && (await hasFolder(ground, run, record.node));
    if (!guard('tidy.borrowed', isCopy)) continue;
    isBorrowed = true;
    const borrowed = await borrowedBy(ground, { run, node: record.node });
    if (!borrowed.ok) return borrowed;
    lines.push(
      ...borrowed.value.map(({ id, kind }) => `${kind === 'tree' ? '040000' : '100644'} ${kind} ${id}`),
    );
  }
  const input = [...new Set(lines)].map((line) => `${line}\t${line.slice(-40)}\n`).join('');
  const made = await store.run(['mktree'], { input });
  // A tree that is missing is one that nobody can say the contents of.
  if (made.code !== 0) return fail(gitFailure(made));
  return ok({ tree: made.stdout.toString().trim(), isBorrowed });
}

/** An index names contents that it takes for known. One that is of no use any more is as good as none. */
async function treeOfIndex({ store }: WorkspaceGround, key: string): Promise<string | undefined> {
  const name = indexName(key);
  const there = await store.files.exists(name);
  if (!there.ok || !there.value) return undefined;
  await store.files.remove(`${name}.lock`);
  const written = await store.run(['write-tree'], { index: `${store.folder}/${name}` });
  if (written.code === 0) return written.stdout.toString().trim();
  await store.files.remove(name);
  return undefined;
}

/** Nothing is needed: everything goes, by this process alone, so that nothing goes on when it is killed. */
async function removeContents({ store }: WorkspaceGround): Promise<void> {
  const objects = `${STORE}/objects`;
  const listed = await store.files.list(objects);
  for (const { name } of listed.ok ? listed.value.entries : [])
    if (name !== 'info' && name !== 'pack') await store.files.removeTree(`${objects}/${name}`);
  await removeAll({ store }, `${objects}/pack`, () => true);
}

async function removeAll(
  { store }: Pick<WorkspaceGround, 'store'>,
  folder: string,
  isToGo: (name: string) => boolean,
): Promise<void> {
  const listed = await store.files.list(folder);
  for (const { name } of listed.ok ? listed.value.entries : [])
    if (isToGo(name)) await store.files.remove(`${folder}/${name}`);
}

async function removeEmptyRuns({ store }: WorkspaceGround): Promise<Result<undefined, WorkspaceError>> {
  const runs = await runFolders(store.files);
  if (!runs.ok) return runs;
  for (const run of runs.value) {
    const inside = await store.files.list(run);
    if (inside.ok && inside.value.entries.length === 0) await store.files.removeTree(run);
  }
  return ok(undefined);
}

async function runFolders(
  files: WorkspaceGround['store']['files'],
): Promise<Result<readonly string[], WorkspaceError>> {
  const listed = await files.list('.', { limit: MOST_RUNS });
  if (!listed.ok) return fail({ code: 'E_WORKSPACE_READ', message: describeFileError(listed.error) });
  // What was not looked at may be needed.
  if (listed.value.truncated) return fail({ code: 'E_WORKSPACE_LARGE', message: 'There are too many runs.' });
  const folders = listed.value.entries.filter(
    ({ kind, name }) => kind === 'directory' && !name.startsWith('.'),
  );
  return ok(folders.map(({ name }) => name).filter(isName));
}

const MOST_RUNS = 100_000;
