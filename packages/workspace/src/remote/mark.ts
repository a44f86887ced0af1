import { createHash } from 'node:crypto';
import { describeFileError, type Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { WorkspaceError } from '../contract.js';
import { isName } from '../place/record.js';

const commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

const mark = z.strictObject({
  version: z.literal(1),
  /** The newest commit that holds the work of the node. */
  commit,
  /** The ref of the remote repository that leads to it. */
  ref: z.string().regex(/^refs\/cuebook\/[\w/-]+$/),
  /** Of the holder of the run who wrote it: they only grow. */
  token: z.number().int().nonnegative(),
  /** The machine whose folder it was taken from. */
  machine: z.string().min(1).max(100),
});

/** Where the newest work of a node is kept. All machines of a project share it; the repository only has the contents. */
export type WorkMark = z.infer<typeof mark>;

/** The mark of a node; undefined: nothing of it is kept. */
export async function readMark(
  shared: Files,
  run: string,
  node: string,
): Promise<Result<WorkMark | undefined, WorkspaceError>> {
  const found = await readText(shared, run, node);
  return found.ok ? ok(found.value?.mark) : found;
}

/** The nodes of a run whose work is kept. */
export async function listMarks(
  shared: Files,
  run: string,
): Promise<Result<readonly string[], WorkspaceError>> {
  const listing = await shared.list(folderOf(run));
  if (!listing.ok)
    return listing.error.code === 'E_FILE_NOT_FOUND' ? ok([]) : fail(unreachable(listing.error));
  const names = listing.value.entries.map(({ name }) => name).filter((name) => name.endsWith(ENDING));
  return ok(names.map((name) => name.slice(0, -ENDING.length)).filter(isName));
}

/** Whether a machine has kept workspaces of a run for others. */
export async function hasKeptWork(shared: Files, run: string): Promise<boolean> {
  const nodes = await listMarks(shared, run);
  return !nodes.ok || nodes.value.length > 0;
}

/** Writes a mark, unless a later holder of the run has written one: then this process has lost the run. */
export async function writeMark(
  shared: Files,
  place: { readonly run: string; readonly node: string },
  next: WorkMark,
): Promise<Result<undefined, WorkspaceError>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = await readText(shared, place.run, place.node);
    if (!before.ok) return before;
    if (guard('mark.token', (before.value?.mark.token ?? 0) > next.token)) return fail(LOST);
    const ifMatch = before.value === undefined ? 'absent' : sha256(before.value.text);
    const written = await shared.writeText(pathOf(place), JSON.stringify(next), { ifMatch });
    if (written.ok) return ok(undefined);
    // Somebody else wrote at the same moment: look who.
    if (written.error.code !== 'E_FILE_CHANGED') return fail(unreachable(written.error));
  }
  return fail(LOST);
}

/** Where the session of the agent of a node is kept for other machines; it goes with the work of the node. */
export const sessionPath = (run: string, node: string): string => `${folderOf(run)}/${node}.session`;

/** Forgets the mark of a node. */
export async function removeMark(shared: Files, run: string, node: string): Promise<void> {
  await shared.remove(pathOf({ run, node }));
  await shared.remove(sessionPath(run, node));
}

async function readText(
  shared: Files,
  run: string,
  node: string,
): Promise<Result<{ readonly mark: WorkMark; readonly text: string } | undefined, WorkspaceError>> {
  const text = await shared.readText(pathOf({ run, node }), { limit: 10_000 });
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : fail(unreachable(text.error));
  const parsed = mark.safeParse(parseJson(text.value));
  if (!parsed.success)
    return fail({
      code: 'E_WORKSPACE_READ',
      message: `What is kept of the workspace of ${node} is damaged.`,
    });
  return ok({ mark: parsed.data, text: text.value });
}

const ATTEMPTS = 5;
const ENDING = '.json';
/** It goes with the other files of the run. */
const folderOf = (run: string): string => `runs/${run}/work`;
const pathOf = ({ run, node }: { readonly run: string; readonly node: string }): string =>
  `${folderOf(run)}/${node}${ENDING}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const LOST: WorkspaceError = {
  code: 'E_WORKSPACE_MOVED',
  message: 'Another machine has gone on with this run.',
};

const unreachable = (error: Parameters<typeof describeFileError>[0]): WorkspaceError => ({
  code: 'E_WORKSPACE_REMOTE',
  message: describeFileError(error),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema says no to that.
  }
}
