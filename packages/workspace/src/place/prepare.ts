import { fail, ok, type Result } from '@cuebook/prompt';
import { runCommand } from '../command/run-command.js';
import type { Prepared, TurnPlace, WorkspaceError } from '../contract.js';
import { bringBeginning } from '../remote/beginning.js';
import { hasFolder, makeFolder } from './folder.js';
import { snapshotNode, snapshotProject, type WorkspaceGround } from './place.js';
import { lastTree, listRecords, type NodeRecord, readRecord, writeRecord } from './record.js';

export interface PrepareOptions {
  readonly setup?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Makes a node's folder ready for a turn and remembers how it stands before it. Again: nothing changes. */
export async function prepare(
  ground: WorkspaceGround,
  at: TurnPlace,
  options: PrepareOptions = {},
): Promise<Result<Prepared, WorkspaceError>> {
  const found = await readRecord(ground.store, at.run, at.node.id);
  if (!found.ok) return found;
  const begun = found.value ? ok(found.value) : await begin(ground, at);
  if (!begun.ok) return begun;
  const isFresh = at.node.workspace === 'own' && begun.value.start === undefined;
  const ready = at.node.workspace === 'own' ? await makeReady(ground, at, begun.value, options) : begun;
  if (!ready.ok) return ready;
  const before = await rememberBefore(ground, at, ready.value, options.signal);
  if (!before.ok) return before;
  const folder = ground.folderOf(at.run, at.node);
  return ok({ folder, kind: at.node.workspace, fresh: isFresh });
}

async function begin(
  ground: WorkspaceGround,
  { run, node }: TurnPlace,
): Promise<Result<NodeRecord, WorkspaceError>> {
  const others = await listRecords(ground.store, run);
  if (!others.ok) return others;
  const order = 1 + Math.max(0, ...others.value.map((other) => other.order));
  return writeRecord(ground.store, run, {
    version: 1,
    node: node.id,
    kind: node.workspace,
    order,
    turns: {},
  });
}

/** The project as it is now, in a folder of its own, set up. */
async function makeReady(
  ground: WorkspaceGround,
  { run, node }: TurnPlace,
  record: NodeRecord,
  { setup, signal }: PrepareOptions,
): Promise<Result<NodeRecord, WorkspaceError>> {
  const { store } = ground;
  if (record.start !== undefined && (await hasFolder(ground, run, node.id))) return ok(record);
  const based = record.base ? ok(record) : await base(ground, run, record, signal);
  if (!based.ok) return based;
  const { base: from, form = 'copy' } = based.value;
  if (from === undefined) return ok(record);
  await ground.at('prepare.snapshot');
  // A folder that somebody has removed is made again with the last that is known of it.
  const tree = lastTree(based.value) ?? from.tree;
  const made = await makeFolder(ground, { run, node: node.id, form, tree });
  if (!made.ok) return made;
  const set = await setUp(ground, ground.folderOf(run, node), setup, signal);
  if (!set.ok) return set;
  await ground.at('prepare.setup');
  if (based.value.start !== undefined) return based;
  const start = setup === undefined ? ok(from) : await snapshotNode(ground, run, node, signal);
  return start.ok ? writeRecord(store, run, { ...based.value, start: start.value }) : start;
}

async function base(
  ground: WorkspaceGround,
  run: string,
  record: NodeRecord,
  signal?: AbortSignal,
): Promise<Result<NodeRecord, WorkspaceError>> {
  // On every machine a node begins with the project as it was when its run did.
  const begun =
    ground.remote === undefined ? ok(undefined) : await bringBeginning(ground, ground.remote, run);
  if (!begun.ok) return begun;
  const taken = begun.value === undefined ? await snapshotProject(ground, signal) : ok(begun.value);
  if (!taken.ok) return taken;
  const form = (await ground.project.hasCommit()) ? 'worktree' : 'copy';
  return writeRecord(ground.store, run, { ...record, form, base: taken.value });
}

/** Runs the set-up command of a team in a folder. */
export async function setUp(
  ground: WorkspaceGround,
  folder: string,
  setup: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Result<undefined, WorkspaceError>> {
  if (setup === undefined) return ok(undefined);
  const done = await runCommand(ground, {
    folder,
    command: setup,
    timeoutMs: ground.limits.verifyMs,
    signal,
  });
  if (done.ok) return ok(undefined);
  return fail({ code: 'E_WORKSPACE_SETUP', message: `The set-up command of the team failed. ${done.text}` });
}

async function rememberBefore(
  ground: WorkspaceGround,
  { run, node, turn }: TurnPlace,
  record: NodeRecord,
  signal?: AbortSignal,
): Promise<Result<NodeRecord, WorkspaceError>> {
  if (Object.hasOwn(record.turns, String(turn))) return ok(record);
  const before = await snapshotNode(ground, run, node, signal);
  if (!before.ok) return before;
  await ground.at('prepare.before');
  return writeRecord(ground.store, run, {
    ...record,
    turns: { ...record.turns, [String(turn)]: { before: before.value } },
  });
}
