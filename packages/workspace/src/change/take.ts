import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { DiffOutcome, TurnPlace, WorkspaceError } from '../contract.js';
import type { FolderSnapshot } from '../git/moment.js';
import { makePatch } from '../git/patch.js';
import { snapshotNode, type WorkspaceGround } from '../place/place.js';
import { type NodeRecord, notFound, readRecord, type TurnRecord, writeRecord } from '../place/record.js';
import { patchLines } from './patch-lines.js';

/** What a turn changed in its folder, as a patch that is kept. How the folder stands is remembered before it is told. */
export async function take(
  ground: WorkspaceGround,
  at: TurnPlace,
  signal?: AbortSignal,
): Promise<Result<DiffOutcome, WorkspaceError>> {
  const found = await requireTurn(ground, at);
  if (!found.ok) return found;
  const { record, turn } = found.value;
  const after = turn.after ? ok(turn.after) : await rememberAfter(ground, at, { record, turn }, signal);
  if (!after.ok) return after;
  await ground.at('take.after');
  const patch = await makePatch(ground.store, turn.before.tree, after.value.tree, {
    maxBytes: ground.limits.patchBytes,
  });
  if (!patch.ok) return patch;
  // Files that git cannot hold are in no patch, and must not go unseen for that.
  const odd = after.value.odd.filter((path) => guard('diff.odd', !turn.before.odd.includes(path)));
  const files = [...new Set([...patch.value.files, ...odd])].sort();
  const text = patch.value.text + odd.map((path) => `# cannot be read: ${JSON.stringify(path)}\n`).join('');
  if (text === '') return ok({ hash: null, files: [] });
  const hash = await ground.keep(at.run, text);
  await ground.at('take.kept');
  return ok({ hash, files, artifact: hash, lines: patchLines(text) });
}

/** The record of a turn that was prepared. */
export async function requireTurn(
  { store }: WorkspaceGround,
  { run, node, turn }: TurnPlace,
): Promise<Result<{ readonly record: NodeRecord; readonly turn: TurnRecord }, WorkspaceError>> {
  const record = await readRecord(store, run, node.id);
  if (!record.ok) return record;
  const key = String(turn);
  const known = record.value && Object.hasOwn(record.value.turns, key) ? record.value.turns[key] : undefined;
  return record.value && known ? ok({ record: record.value, turn: known }) : fail(notFound(node.id));
}

async function rememberAfter(
  ground: WorkspaceGround,
  { run, node, turn: number }: TurnPlace,
  { record, turn }: { readonly record: NodeRecord; readonly turn: TurnRecord },
  signal?: AbortSignal,
): Promise<Result<FolderSnapshot, WorkspaceError>> {
  const after = await snapshotNode(ground, run, node, signal);
  if (!after.ok) return after;
  const turns = { ...record.turns, [String(number)]: { ...turn, after: after.value } };
  const written = await writeRecord(ground.store, run, { ...record, turns });
  return written.ok ? after : written;
}
