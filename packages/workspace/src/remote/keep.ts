import { fail, ok, type Result } from '@cuebook/prompt';
import type { HeldPlace, RemoteOptions, WorkspaceError } from '../contract.js';
import { gitFailure } from '../git/store.js';
import { gitIn } from '../place/folder.js';
import { snapshotNode, type WorkspaceGround } from '../place/place.js';
import { lastTurn, type NodeRecord, printRecord, readRecord, treesOf, writeRecord } from '../place/record.js';
import { forgetBeginning } from './beginning.js';
import { listMarks, readMark, removeMark, writeMark } from './mark.js';
import { dropRefs, fetchFrom, NOBODY, sendTo } from './repository.js';

/**
 * Keeps the work of a node where all machines find it: first the contents, in a commit on the one before, then the mark
 * that makes it the newest. Killed in between, the mark still names the one before, and the next keep goes on from there.
 * Each holder of a run has a ref of its own, so that a late one writes over nobody.
 */
export async function keepWork(
  ground: WorkspaceGround,
  remote: RemoteOptions,
  { run, node, token }: HeldPlace,
): Promise<Result<undefined, WorkspaceError>> {
  const found = await readRecord(ground.store, run, node.id);
  if (!found.ok) return found;
  const record = found.value;
  if (record?.start === undefined || record.kind === 'shared' || record.unmade) return ok(undefined);
  const now = await snapshotNode(ground, run, node);
  if (!now.ok) return now;
  const head = await headOf(ground, run, record);
  const next: NodeRecord = {
    ...record,
    now: { ...now.value, turn: lastTurn(record) ?? 0 },
    ...(head === undefined ? {} : { head }),
  };
  const before = await parentOf(ground, remote, { run, node: node.id, kept: record.kept });
  const commit = await commitOf(ground, next, before);
  if (!commit.ok) return commit;
  if (commit.value === record.kept) return ok(undefined);

  const prefix = refPrefix(remote, run, node.id);
  const ref = `${prefix}/${token}`;
  const sent = await sendTo(ground, remote.address, [`+${commit.value}:${ref}`]);
  if (!sent.ok) return sent;
  const isNewHead = head !== undefined && head !== record.head;
  const history = isNewHead ? await sendHead(ground, remote, head, `${prefix}/${token}-head`) : ok(undefined);
  if (!history.ok) return history;
  await ground.at('keep.sent');
  const machine = await remote.machine();
  const mark = { version: 1, commit: commit.value, ref, token, machine } as const;
  const marked = await writeMark(remote.shared, { run, node: node.id }, mark);
  if (!marked.ok) return marked;
  await ground.at('keep.marked');
  const written = await writeRecord(ground.store, run, { ...next, kept: commit.value });
  return written.ok ? ok(undefined) : written;
}

/** Where the work of a node lies in the remote repository; each holder of the run has a ref below it. */
const refPrefix = ({ project }: Pick<RemoteOptions, 'project'>, run: string, node: string): string =>
  `refs/cuebook/${project}/${run}/${node}`;

/** Nothing of these nodes is needed any more. Refs that cannot be removed now do no harm: no mark names them. */
export async function forgetWork(
  ground: WorkspaceGround,
  remote: RemoteOptions,
  run: string,
  nodes: readonly string[],
): Promise<void> {
  for (const node of nodes) {
    await removeMark(remote.shared, run, node);
    await dropRefs(ground, remote.address, refPrefix(remote, run, node));
  }
  const left = await listMarks(remote.shared, run);
  if (left.ok && left.value.length === 0) await forgetBeginning(ground, remote, run);
}

/** The file of a kept commit that says what its trees are. */
export const RECORD_FILE = 'record.json';

/** The commit of a record and all trees that it names; the same again where nothing has changed. */
async function commitOf(
  { store }: WorkspaceGround,
  record: NodeRecord,
  kept: string | undefined,
): Promise<Result<string, WorkspaceError>> {
  // What is in the project of this machine is no other machine's affair.
  const { applied: _applied, kept: _kept, ...told } = record;
  const hashed = await store.run(['hash-object', '-w', '--stdin'], { input: printRecord(told) });
  if (hashed.code !== 0) return fail(gitFailure(hashed));
  const trees = [...new Set(treesOf({ ...told, applied: undefined }))];
  const lines = [
    `100644 blob ${hashed.stdout.toString().trim()}\t${RECORD_FILE}`,
    ...trees.map((id) => `040000 tree ${id}\t${id}`),
  ];
  const made = await store.run(['mktree'], { input: `${lines.join('\n')}\n` });
  if (made.code !== 0) return fail(gitFailure(made));
  const tree = made.stdout.toString().trim();
  if (kept !== undefined) {
    const before = await store.run(['rev-parse', '--verify', '--quiet', `${kept}^{tree}`]);
    if (before.code === 0 && before.stdout.toString().trim() === tree) return ok(kept);
  }
  const parent = kept === undefined ? [] : ['-p', kept];
  const commit = await store.run([...NOBODY, 'commit-tree', ...parent, '-m', 'Kept by cuebook', tree]);
  return commit.code === 0 ? ok(commit.stdout.toString().trim()) : fail(gitFailure(commit));
}

/** The commit before, with its contents: who takes away what the workspaces do not need takes it, too. */
async function parentOf(
  ground: WorkspaceGround,
  { address, shared }: RemoteOptions,
  { run, node, kept }: { readonly run: string; readonly node: string; readonly kept: string | undefined },
): Promise<string | undefined> {
  if (kept === undefined) return undefined;
  const has = async () => (await ground.store.run(['cat-file', '-e', `${kept}^{tree}`])).code === 0;
  if (await has()) return kept;
  const mark = await readMark(shared, run, node);
  if (mark.ok && mark.value !== undefined) await fetchFrom(ground, address, mark.value.ref);
  return (await has()) ? kept : undefined;
}

/** The commit that is checked out in the folder, where agents may have made some of their own. */
async function headOf(
  ground: WorkspaceGround,
  run: string,
  { node, form }: NodeRecord,
): Promise<string | undefined> {
  if (form !== 'worktree') return undefined;
  const found = await gitIn(ground, { run, node }, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return found.code === 0 ? found.stdout.toString().trim() : undefined;
}

/** Sends a commit of the project's repository, where the other machines do not have it from elsewhere. */
async function sendHead(
  { project }: WorkspaceGround,
  { address }: RemoteOptions,
  head: string,
  ref: string,
): Promise<Result<undefined, WorkspaceError>> {
  const elsewhere = await project.git(['for-each-ref', '--count=1', `--contains=${head}`]);
  if (elsewhere.code === 0 && elsewhere.stdout.length > 0) return ok(undefined);
  const args = ['push', '--quiet', '--no-verify', '--', address, `+${head}:${ref}`];
  const sent = await project.git(args, { reaches: true });
  return sent.code === 0
    ? ok(undefined)
    : fail({ code: 'E_WORKSPACE_REMOTE', message: 'Commits of an agent could not be kept.' });
}
