import { fail, ok, type Result } from '@cuebook/prompt';
import type {
  Applied,
  AppliedFile,
  ApplyConflict,
  ApplyOptions,
  WorkName,
  WorkspaceError,
} from '../contract.js';
import type { Taken } from '../git/snapshot.js';
import { changeTree, checkout, differing, readTree, spell, type TreeFiles } from '../git/tree.js';
import { takeProject, type WorkspaceGround } from '../place/place.js';
import { writeRecord } from '../place/record.js';
import { commitFiles, uncommitted } from './commit.js';
import { findInTheWay } from './in-the-way.js';
import { merge } from './merge.js';
import { type NodeWork, readWork } from './work.js';

/**
 * Brings work into the project's folder as changes that are not committed. Everything is decided on a snapshot and
 * written in one go, which refuses when a file is no longer as the snapshot saw it: what a person has there is never
 * written over. Killed half-way it can be done again.
 */
export async function apply(
  ground: WorkspaceGround,
  what: WorkName,
  { dryRun = false, commit, files, signal }: ApplyOptions = {},
): Promise<Result<Applied, WorkspaceError>> {
  const all = await readWork(ground, what, signal);
  if (!all.ok) return all;
  const works = files === undefined ? all.value : all.value.map((work) => onlyFiles(work, new Set(files)));
  const taken = await takeProject(ground, signal);
  if (!taken.ok) return taken;
  const plan = await planApply(ground, taken.value, works);
  if (!plan.ok) return plan;
  const answer = await carryOut(ground, { taken: taken.value, plan: plan.value, dryRun, commit, signal });
  await taken.value.index.drop();
  if (!answer.ok || dryRun || answer.value.conflicts.length > 0) return answer;
  for (const { record, now, from, base, theirs } of works) {
    const changes = new Map(differing(base, theirs).map((key) => [key, theirs.get(key)]));
    const tree = files === undefined ? ok(now.tree) : await changeTree(ground.store, from, changes);
    if (!tree.ok) return tree;
    const written = await writeRecord(ground.store, what.run, { ...record, applied: tree.value });
    if (!written.ok) return written;
  }
  return answer;
}

/** The work as if the node had changed nothing but these files. */
function onlyFiles(work: NodeWork, files: ReadonlySet<string>): NodeWork {
  const theirs = new Map(work.base);
  for (const key of differing(work.base, work.theirs)) {
    const entry = work.theirs.get(key);
    if (!files.has(spell(key))) continue;
    if (entry === undefined) theirs.delete(key);
    else theirs.set(key, entry);
  }
  return { ...work, theirs };
}

interface Plan {
  /** The tree that the project is to have. */
  readonly tree: string;
  readonly files: readonly AppliedFile[];
  readonly conflicts: readonly ApplyConflict[];
}

/** The work of several nodes, one after another: what the first changed is the person's for the second. */
async function planApply(
  { store }: WorkspaceGround,
  { snapshot }: Taken,
  works: readonly NodeWork[],
): Promise<Result<Plan, WorkspaceError>> {
  const before = await readTree(store, snapshot.tree);
  if (!before.ok) return before;
  let ours: TreeFiles = before.value;
  const files: AppliedFile[] = [];
  const conflicts: ApplyConflict[] = [];
  for (const { record, base, theirs } of works) {
    const merged = await merge(store, { base, ours, theirs });
    if (!merged.ok) return merged;
    ours = merged.value.result;
    files.push(...merged.value.files.map((file) => ({ ...file, node: record.node })));
    conflicts.push(...merged.value.conflicts.map((conflict) => ({ ...conflict, node: record.node })));
  }
  if (conflicts.length > 0) return ok({ tree: snapshot.tree, files, conflicts });
  const changes = new Map(differing(before.value, ours).map((key) => [key, ours.get(key)]));
  const tree = await changeTree(store, snapshot.tree, changes);
  return tree.ok ? ok({ tree: tree.value, files, conflicts }) : tree;
}

interface Carry extends ApplyOptions {
  readonly taken: Taken;
  readonly plan: Plan;
}

async function carryOut(
  ground: WorkspaceGround,
  { taken, plan, dryRun = false, commit, signal }: Carry,
): Promise<Result<Applied, WorkspaceError>> {
  const { store, project } = ground;
  const { files, conflicts } = plan;
  const answer = (more: readonly ApplyConflict[] = [], committed: string | null = null) =>
    ok({ files, conflicts: [...conflicts, ...more], committed });
  if (conflicts.length > 0 || files.length === 0) {
    return answer();
  }
  const paths = [...new Set(files.map(({ path }) => path))];
  if (commit !== undefined) {
    const dirty = await uncommitted(project, paths);
    if (!dirty.ok) return dirty;
  }
  const made = files.filter(({ change }) => change === 'new').map(({ path }) => path);
  const blocked = await findInTheWay(store, project.folder, taken, made);
  if (!blocked.ok) return blocked;
  const node = (path: string) => files.find((file) => file.path === path)?.node ?? files[0]?.node ?? '';
  const inTheWay = (found: readonly string[]) =>
    answer(found.map((path) => ({ path, node: node(path), why: 'in-the-way' as const })));
  if (blocked.value.length > 0) return inTheWay(blocked.value);
  await ground.at('apply.merged');
  const moved = await checkout(store, project.folder, taken, plan.tree, { dryRun, signal });
  if (!moved.ok) {
    if (moved.error.kind === 'failed') return fail(moved.error.error);
    if (moved.error.kind === 'changed') return fail(CHANGED);
    return inTheWay(moved.error.paths);
  }
  if (dryRun) return answer();
  await ground.at('apply.written');
  if (commit === undefined) return answer();
  const committed = await commitFiles(project, paths, commit);
  return committed.ok ? answer([], committed.value) : committed;
}

const CHANGED: WorkspaceError = {
  code: 'E_WORKSPACE_BUSY',
  message: 'A file of the project was changed at this very moment, so nothing was written. Apply once more.',
};
