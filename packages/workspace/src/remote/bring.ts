import { fail, ok, type Result } from '@cuebook/prompt';
import type { NodePlace, RemoteOptions, WorkspaceError } from '../contract.js';
import { indexName } from '../git/index-file.js';
import { gitFailure } from '../git/store.js';
import { hasFolder, makeFolder, removeFolder } from '../place/folder.js';
import { nodeKey, type WorkspaceGround } from '../place/place.js';
import { setUp } from '../place/prepare.js';
import { lastTree, type NodeRecord, parseRecord, readRecord, writeRecord } from '../place/record.js';
import { RECORD_FILE } from './keep.js';
import { readMark, type WorkMark } from './mark.js';
import { fetchFrom } from './repository.js';

export interface BringOptions {
  readonly setup?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The folder of a node as the last machine kept it, unless that was this one. Again: nothing changes. */
export async function bringWork(
  ground: WorkspaceGround,
  remote: RemoteOptions,
  { run, node }: NodePlace,
  { setup, signal }: BringOptions = {},
): Promise<Result<undefined, WorkspaceError>> {
  if (node.workspace === 'shared') return ok(undefined);
  const known = await bringRecord(ground, remote, run, node.id);
  if (!known.ok) return known;
  const record = known.value;
  const tree = record && lastTree(record);
  const isMade = record?.unmade !== true && (await hasFolder(ground, run, node.id));
  if (record?.start === undefined || tree === undefined || isMade) return ok(undefined);
  const removed = await removeFolder(ground, { run, node: node.id, form: record.form ?? 'copy' });
  if (!removed.ok) return removed;
  const form = (await ground.project.hasCommit()) ? (record.form ?? 'copy') : 'copy';
  const head =
    form === 'worktree' ? await headHere(ground, remote, record, { run, node: node.id }) : undefined;
  const made = await makeFolder(ground, { run, node: node.id, form, tree, ...(head && { head }) });
  if (!made.ok) return made;
  const set = await setUp(ground, ground.folderOf(run, node), setup, signal);
  if (!set.ok) return set;
  const { unmade: _unmade, ...whole } = record;
  const written = await writeRecord(ground.store, run, { ...whole, form });
  return written.ok ? ok(undefined) : written;
}

/** The newest record of a node, with its contents; its folder is made later. Undefined: nobody has worked in it. */
export async function bringRecord(
  ground: WorkspaceGround,
  remote: RemoteOptions,
  run: string,
  node: string,
): Promise<Result<NodeRecord | undefined, WorkspaceError>> {
  const own = await readRecord(ground.store, run, node);
  const mark = own.ok ? await readMark(remote.shared, run, node) : own;
  if (!own.ok) return own;
  if (!mark.ok) return mark;
  if (mark.value === undefined) return own;
  const isNewest = mark.value.machine === (await remote.machine()) || own.value?.kept === mark.value.commit;
  if (own.value !== undefined && isNewest) return own;
  const told = await fetchRecord(ground, remote, mark.value, node);
  if (!told.ok) return told;
  await ground.at('bring.fetched');
  if (own.value !== undefined) {
    const gone = await removeFolder(ground, { run, node, form: own.value.form ?? 'copy' });
    if (!gone.ok) return gone;
  }
  await ground.store.files.remove(indexName(nodeKey(run, node)));
  const applied = own.value?.applied;
  const written = await writeRecord(ground.store, run, {
    ...told.value,
    kept: mark.value.commit,
    unmade: true,
    ...(applied === undefined ? {} : { applied }),
  });
  await ground.at('bring.noted');
  return written;
}

/** What a kept commit says; its hash stands in the mark, so nobody has changed it. */
async function fetchRecord(
  ground: WorkspaceGround,
  { address }: RemoteOptions,
  { commit, ref }: WorkMark,
  node: string,
): Promise<Result<NodeRecord, WorkspaceError>> {
  const { store } = ground;
  const fetched = await fetchFrom(ground, address, ref);
  if (!fetched.ok) return fetched;
  const found = await store.run(['cat-file', 'blob', `${commit}:${RECORD_FILE}`]);
  if (found.code !== 0) return fail(found.missing ? gitFailure(found) : GONE);
  const record = parseRecord(found.stdout.toString());
  return record?.node === node ? ok(record) : fail(GONE);
}

/** The commit that was checked out, where this machine has it or can have it; undefined: that of the project. */
async function headHere(
  { project }: WorkspaceGround,
  remote: RemoteOptions,
  { head }: NodeRecord,
  { run, node }: { readonly run: string; readonly node: string },
): Promise<string | undefined> {
  if (head === undefined) return undefined;
  const has = async () => (await project.git(['cat-file', '-e', `${head}^{commit}`])).code === 0;
  if (await has()) return head;
  const mark = await readMark(remote.shared, run, node);
  const ref = mark.ok ? mark.value?.ref : undefined;
  if (ref === undefined) return undefined;
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', remote.address];
  await project.git([...args, `${ref}-head`], { reaches: true });
  return (await has()) ? head : undefined;
}

const GONE: WorkspaceError = {
  code: 'E_WORKSPACE_REMOTE',
  message: 'What was kept of a workspace is not in the repository any more.',
};
