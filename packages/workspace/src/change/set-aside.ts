import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { SetAside, TurnPlace, WorkspaceError } from '../contract.js';
import { makePatch } from '../git/patch.js';
import type { Taken } from '../git/snapshot.js';
import { changeTree, checkout, isSame, readTree, spell, type TreeEntry } from '../git/tree.js';
import { takeNode, type WorkspaceGround } from '../place/place.js';
import { type TurnRecord, writeRecord } from '../place/record.js';
import { patchLines } from './patch-lines.js';
import { requireTurn } from './take.js';

/**
 * Moves changes of a turn out of its folder: how the folder stands is kept in the store and as a patch, then the files
 * get the content they had before the turn. What was changed once more since the turn is kept as well.
 */
export async function setAside(
  ground: WorkspaceGround,
  at: TurnPlace,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<Result<SetAside, WorkspaceError>> {
  for (let attempt = 1; ; attempt += 1) {
    const done = await tryAside(ground, at, files, signal);
    if (done !== 'changed') return done;
    if (attempt === ATTEMPTS)
      return fail({
        code: 'E_WORKSPACE_BUSY',
        message: 'The files are being changed by somebody all the time.',
      });
  }
}

/** What was moved out by this turn's set-aside, once it is done. */
export async function findAside(
  ground: WorkspaceGround,
  at: TurnPlace,
): Promise<Result<SetAside | undefined, WorkspaceError>> {
  const found = await requireTurn(ground, at);
  return found.ok ? ok(found.value.turn.moved) : found;
}

const ATTEMPTS = 5;

async function tryAside(
  ground: WorkspaceGround,
  at: TurnPlace,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<Result<SetAside, WorkspaceError> | 'changed'> {
  const found = await requireTurn(ground, at);
  if (!found.ok) return found;
  const { record, turn } = found.value;
  if (turn.moved) return ok(turn.moved);
  const taken = await takeNode(ground, at.run, at.node, signal);
  if (!taken.ok) return taken;
  const now = taken.value.snapshot.tree;
  const restored = await withFilesOf(ground, { now, before: turn.before.tree }, files);
  if (!restored.ok) return restored;

  // A set-aside that was killed half-way has kept the rest already: what is there now may be less.
  const aside = restored.value === now ? (turn.aside ?? []) : [...(turn.aside ?? []), now];
  const artifact = await keepPatches(ground, at.run, { ...turn, aside }, files);
  if (!artifact.ok) return artifact;
  const kept: TurnRecord = { ...turn, aside };
  const turns = (value: TurnRecord) => ({ ...record.turns, [String(at.turn)]: value });
  const written = await writeRecord(ground.store, at.run, { ...record, turns: turns(kept) });
  if (!written.ok) return written;
  await ground.at('aside.kept');

  const changed = await bring(ground, at, taken.value, restored.value, signal);
  if (changed !== undefined) return changed;
  await ground.at('aside.restored');
  const rest = await keepRest(ground, at.run, turn.before.tree, restored.value);
  if (!rest.ok) return rest;
  const moved = { files: [...files], artifact: artifact.value, ...(rest.value && { rest: rest.value }) };
  const ended = await writeRecord(ground.store, at.run, { ...record, turns: turns({ ...kept, moved }) });
  return ended.ok ? ok(moved) : ended;
}

/** The tree of now, in which some files are as they were before. */
async function withFilesOf(
  { store }: WorkspaceGround,
  trees: { readonly now: string; readonly before: string },
  files: readonly string[],
): Promise<Result<string, WorkspaceError>> {
  const before = await readTree(store, trees.before);
  const now = await readTree(store, trees.now);
  if (!before.ok) return before;
  if (!now.ok) return now;
  const wanted = new Set(files);
  const changes = new Map<string, TreeEntry | undefined>();
  for (const key of new Set([...before.value.keys(), ...now.value.keys()])) {
    const then = before.value.get(key);
    if (wanted.has(spell(key)) && !isSame(then, now.value.get(key))) changes.set(key, then);
  }
  return changes.size === 0 ? ok(trees.now) : changeTree(store, trees.now, changes);
}

/** One patch for each time that something was found to move out: what the turn left first, then later changes. */
async function keepPatches(
  ground: WorkspaceGround,
  run: string,
  { before, after, aside = [] }: TurnRecord,
  files: readonly string[],
): Promise<Result<string, WorkspaceError>> {
  const only = new Set(files);
  const first = after?.tree ?? aside[0] ?? before.tree;
  const texts: string[] = [];
  for (const tree of new Set([first, ...aside])) {
    const patch = await makePatch(ground.store, before.tree, tree, {
      maxBytes: ground.limits.patchBytes,
      only,
    });
    if (!patch.ok) return patch;
    if (texts.length === 0 || guard('aside.late', !texts.includes(patch.value.text)))
      texts.push(patch.value.text);
  }
  return ok(await ground.keep(run, texts.filter((text) => text !== '').join('')));
}

/** What stays of the changes of the turn, as a patch of its own; undefined when nothing does. */
async function keepRest(
  ground: WorkspaceGround,
  run: string,
  before: string,
  restored: string,
): Promise<Result<SetAside['rest'], WorkspaceError>> {
  const patch = await makePatch(ground.store, before, restored, { maxBytes: ground.limits.patchBytes });
  if (!patch.ok) return patch;
  const { text, files } = patch.value;
  if (text === '') return ok(undefined);
  return ok({ files: [...files], artifact: await ground.keep(run, text), lines: patchLines(text) });
}

async function bring(
  ground: WorkspaceGround,
  { run, node }: TurnPlace,
  taken: Taken,
  tree: string,
  signal?: AbortSignal,
): Promise<Result<never, WorkspaceError> | 'changed' | undefined> {
  const folder = ground.folderOf(run, node);
  const moved = await checkout(ground.store, folder, taken, tree, { signal });
  await taken.index.drop();
  if (moved.ok) return undefined;
  if (moved.error.kind === 'failed') return fail(moved.error.error);
  return 'changed';
}
