import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkName, WorkspaceError } from '../contract.js';
import type { FolderSnapshot } from '../git/moment.js';
import { differing, isSame, readTree, type TreeFiles } from '../git/tree.js';
import { hasFolder } from '../place/folder.js';
import { snapshotNode, type WorkspaceGround } from '../place/place.js';
import { listRecords, type NodeRecord, notFound } from '../place/record.js';

/** The work of one node: from where it began, or was last brought into the project, to now. */
export interface NodeWork {
  readonly record: NodeRecord;
  /** The tree of `base`. */
  readonly from: string;
  readonly base: TreeFiles;
  readonly now: FolderSnapshot;
  readonly theirs: TreeFiles;
}

/** The nodes of a run that have a folder of their own, with what is in it. */
export async function readWork(
  ground: WorkspaceGround,
  { run, node }: WorkName,
  signal?: AbortSignal,
): Promise<Result<readonly NodeWork[], WorkspaceError>> {
  const records = await listRecords(ground.store, run);
  if (!records.ok) return records;
  const wanted = records.value.filter((record) => node === undefined || record.node === node);
  if (wanted.length === 0) return fail(notFound(node ?? run));
  const works: NodeWork[] = [];
  for (const record of wanted) {
    const work = await workOf(ground, run, record, signal);
    if (!work.ok) return work;
    if (work.value) works.push(work.value);
  }
  return ok(works);
}

/** The files of a node's work that are not in the project as they are in its folder. */
export const unapplied = ({ base, theirs }: NodeWork, project: TreeFiles): readonly string[] =>
  differing(base, theirs).filter((key) => !isSame(theirs.get(key), project.get(key)));

async function workOf(
  ground: WorkspaceGround,
  run: string,
  record: NodeRecord,
  signal?: AbortSignal,
): Promise<Result<NodeWork | undefined, WorkspaceError>> {
  const from = record.applied ?? record.start?.tree;
  if (record.kind === 'shared' || from === undefined) return ok(undefined);
  const isMade = record.unmade !== true && (await hasFolder(ground, run, record.node));
  // What another machine kept counts, also where its folder was never made.
  if (!isMade && (record.unmade !== true || record.now === undefined)) return ok(undefined);
  const now =
    isMade || record.now === undefined
      ? await snapshotNode(ground, run, { id: record.node, workspace: 'own' }, signal)
      : ok({ tree: record.now.tree, odd: record.now.odd });
  if (!now.ok) return now;
  const base = await readTree(ground.store, from);
  const theirs = await readTree(ground.store, now.value.tree);
  if (!base.ok) return base;
  return theirs.ok ? ok({ record, from, base: base.value, now: now.value, theirs: theirs.value }) : theirs;
}
