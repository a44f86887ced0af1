import { describeFileError } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { WorkspaceError } from '../contract.js';
import type { ContentStore } from '../git/store.js';

const tree = z.string().regex(/^[0-9a-f]{40,64}$/);
const snapshot = z.strictObject({ tree, odd: z.array(z.string()).readonly() });

const record = z.strictObject({
  version: z.literal(1),
  node: z.string(),
  kind: z.enum(['own', 'shared']),
  /** Its place among the workspaces of the run. */
  order: z.number().int(),
  /** `worktree` of the project's repository, or a `copy`. */
  form: z.enum(['worktree', 'copy']).optional(),
  /** What the project's folder held when the workspace was made. */
  base: snapshot.optional(),
  /** What it held when the first turn could begin, after the set-up: from here on changes are the node's. */
  start: snapshot.optional(),
  /** What of it was brought into the project last. */
  applied: tree.optional(),
  /** How the folder stood when it was kept for other machines, and after which turn. */
  now: z.strictObject({ ...snapshot.shape, turn: z.number().int() }).optional(),
  /** The commit that it was kept as, or made from. */
  kept: tree.optional(),
  /** The commit of the project that was checked out in the folder. */
  head: tree.optional(),
  /** The folder is not made from `now` yet, or not whole. */
  unmade: z.literal(true).optional(),
  turns: z.record(
    z.string(),
    z.strictObject({
      before: snapshot,
      after: snapshot.optional(),
      /** How the folder stood whenever something was moved out of it. */
      aside: z.array(tree).readonly().optional(),
      /** The files, and the artifact that has them. */
      moved: z
        .strictObject({
          files: z.array(z.string()).readonly(),
          artifact: z.string(),
          /** What stays of the changes of the turn. */
          rest: z
            .strictObject({
              files: z.array(z.string()).readonly(),
              artifact: z.string(),
              lines: z.strictObject({ added: z.number(), removed: z.number() }),
            })
            .optional(),
        })
        .optional(),
    }),
  ),
});

/** What is known of a node's workspace. It is written whole, and nothing else says which trees count. */
export type NodeRecord = z.infer<typeof record>;
/** One turn in it. */
export type TurnRecord = NodeRecord['turns'][string];

/** The record of a node; undefined when it has none. */
export async function readRecord(
  store: ContentStore,
  run: string,
  node: string,
): Promise<Result<NodeRecord | undefined, WorkspaceError>> {
  const path = recordName(run, node);
  if (!path.ok) return path;
  const text = await store.files.readText(path.value);
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : fail(unreadable(text.error));
  const parsed = parseRecord(text.value);
  if (parsed === undefined)
    return fail({ code: 'E_WORKSPACE_READ', message: `The record of the workspace of ${node} is damaged.` });
  return ok(parsed);
}

/** A record from its text; undefined: it is none. */
export function parseRecord(text: string): NodeRecord | undefined {
  const parsed = record.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** The text of a record: one for the same record, however it was put together. */
export const printRecord = (value: NodeRecord): string => `${JSON.stringify(record.parse(value))}\n`;

/** The number of the last turn that was begun in the folder. */
export function lastTurn({ turns }: NodeRecord): number | undefined {
  const numbers = Object.keys(turns).map(Number);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

/** The last tree of the folder that is known. */
export function lastTree(record: NodeRecord): string | undefined {
  const { turns, start, now } = record;
  const last = lastTurn(record);
  const turn = last === undefined ? undefined : turns[String(last)];
  if (now !== undefined && now.turn === (last ?? 0)) return now.tree;
  return turn?.after?.tree ?? turn?.before.tree ?? start?.tree;
}

/** The trees that a record names. */
export const treesOf = ({ base, start, applied, now, turns }: NodeRecord): readonly string[] =>
  [
    ...[base?.tree, start?.tree, applied, now?.tree],
    ...Object.values(turns).flatMap((turn) => [turn.before.tree, turn.after?.tree, ...(turn.aside ?? [])]),
  ].filter((tree) => tree !== undefined);

/** Writes a record, durably. */
export async function writeRecord(
  store: ContentStore,
  run: string,
  value: NodeRecord,
): Promise<Result<NodeRecord, WorkspaceError>> {
  const path = recordName(run, value.node);
  if (!path.ok) return path;
  const written = await store.files.writeText(path.value, printRecord(value));
  return written.ok ? ok(value) : fail(unreadable(written.error));
}

/** All records of a run, in the order in which the workspaces were made. */
export async function listRecords(
  store: ContentStore,
  run: string,
): Promise<Result<readonly NodeRecord[], WorkspaceError>> {
  if (!isName(run)) return fail(notFound(run));
  const listing = await store.files.list(run);
  if (!listing.ok)
    return listing.error.code === 'E_FILE_NOT_FOUND' ? ok([]) : fail(unreadable(listing.error));
  const records: NodeRecord[] = [];
  for (const { name, kind } of listing.value.entries) {
    if (kind !== 'file' || !name.endsWith(ENDING)) continue;
    const found = await readRecord(store, run, name.slice(0, -ENDING.length));
    if (!found.ok) return found;
    if (found.value) records.push(found.value);
  }
  return ok(records.sort((a, b) => a.order - b.order || (a.node < b.node ? -1 : 1)));
}

/** Removes a record, after everything that it speaks of. */
export async function removeRecord(store: ContentStore, run: string, node: string): Promise<void> {
  const path = recordName(run, node);
  if (path.ok) await store.files.remove(path.value);
}

/** Names of runs and nodes become names of folders: nothing else may. */
export const isName = (name: string): boolean =>
  !guard('workspace.name', !/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(name));

/** There is no such thing here. */
export const notFound = (name: string): WorkspaceError => ({
  code: 'E_WORKSPACE_UNKNOWN',
  message: `There is no workspace of ${JSON.stringify(name.slice(0, 80))}.`,
});

function recordName(run: string, node: string): Result<string, WorkspaceError> {
  if (!isName(run)) return fail(notFound(run));
  return isName(node) ? ok(`${run}/${node}${ENDING}`) : fail(notFound(node));
}

const ENDING = '.json';

const unreadable = (error: Parameters<typeof describeFileError>[0]): WorkspaceError => ({
  code: 'E_WORKSPACE_READ',
  message: describeFileError(error),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema says no to that.
  }
}
