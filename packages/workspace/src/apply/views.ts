import { ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError, WorkspaceState } from '../contract.js';
import { readTree } from '../git/tree.js';
import { snapshotProject, type WorkspaceGround } from '../place/place.js';
import { listRecords } from '../place/record.js';
import { readWork, unapplied } from './work.js';

/** The workspaces of a run: what they take on the disk, and how much of their work is not in the project. */
export async function views(
  ground: WorkspaceGround,
  run: string,
): Promise<Result<readonly WorkspaceState[], WorkspaceError>> {
  const records = await listRecords(ground.store, run);
  if (!records.ok || records.value.length === 0) return records.ok ? ok([]) : records;
  const works = await readWork(ground, { run });
  if (!works.ok) return works;
  const taken = await snapshotProject(ground);
  if (!taken.ok) return taken;
  const project = await readTree(ground.store, taken.value.tree);
  if (!project.ok) return project;
  const found: WorkspaceState[] = [];
  for (const { node, kind } of records.value) {
    const work = works.value.find(({ record }) => record.node === node);
    const use = kind === 'own' ? await ground.store.files.diskUse(`${run}/${node}`) : undefined;
    const bytes = use?.ok === true ? use.value.bytes : 0;
    const open = work ? unapplied(work, project.value).length + work.now.odd.length : 0;
    found.push({ node, kind, bytes, unapplied: open });
  }
  return ok(found);
}
