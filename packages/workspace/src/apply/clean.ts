import { guard } from '@cuebook/guard';
import { ok, type Result } from '@cuebook/prompt';
import type { Cleaned, CleanOptions, WorkName, WorkspaceError } from '../contract.js';
import { indexName } from '../git/index-file.js';
import { readTree } from '../git/tree.js';
import { removeFolder } from '../place/folder.js';
import { nodeKey, snapshotProject, type WorkspaceGround } from '../place/place.js';
import { listRecords, type NodeRecord, removeRecord } from '../place/record.js';
import { readWork, unapplied } from './work.js';

/**
 * Removes folders of nodes. One whose work is not in the project stays, unless it is to be discarded. The record goes
 * last, so that a killed removal can be done again.
 */
export async function clean(
  ground: WorkspaceGround,
  what: WorkName,
  { discard = false, signal }: CleanOptions = {},
): Promise<Result<Omit<Cleaned, 'contents' | 'left'>, WorkspaceError>> {
  const works = await readWork(ground, what, signal);
  if (!works.ok) return works;
  const taken = await snapshotProject(ground, signal);
  if (!taken.ok) return taken;
  const project = await readTree(ground.store, taken.value.tree);
  if (!project.ok) return project;
  const records = await listRecords(ground.store, what.run);
  if (!records.ok) return records;

  const removed: string[] = [];
  const kept: string[] = [];
  let bytes = 0;
  for (const record of records.value.filter(({ node }) => what.node === undefined || node === what.node)) {
    const work = works.value.find((each) => each.record.node === record.node);
    const open = work ? unapplied(work, project.value).length + work.now.odd.length : 0;
    if (guard('clean.unapplied', open > 0 && !discard)) {
      kept.push(record.node);
      continue;
    }
    const freed = await removeOne(ground, what.run, record);
    if (!freed.ok) return freed;
    bytes += freed.value;
    removed.push(record.node);
  }
  return ok({ removed, kept, bytes });
}

async function removeOne(
  ground: WorkspaceGround,
  run: string,
  { node, kind, form = 'copy' }: NodeRecord,
): Promise<Result<number, WorkspaceError>> {
  const { files } = ground.store;
  if (kind === 'own') {
    const use = await files.diskUse(`${run}/${node}`);
    const gone = await removeFolder(ground, { run, node, form });
    if (!gone.ok) return gone;
    await ground.at('clean.folder');
    await files.remove(indexName(nodeKey(run, node)));
    await removeRecord(ground.store, run, node);
    return ok(use.ok ? use.value.bytes : 0);
  }
  await removeRecord(ground.store, run, node);
  return ok(0);
}
