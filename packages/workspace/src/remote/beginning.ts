import { randomUUID } from 'node:crypto';
import { describeFileError } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { RemoteOptions, WorkspaceError } from '../contract.js';
import type { FolderSnapshot } from '../git/moment.js';
import { gitFailure } from '../git/store.js';
import { snapshotProject, type WorkspaceGround } from '../place/place.js';
import { dropRefs, fetchFrom, NOBODY, sendTo } from './repository.js';

/**
 * Keeps the project's folder as it is when a run begins: on whatever machine its nodes work, and whatever has become of
 * the project there, they begin with these files. The same run again answers the first ones.
 */
export async function keepBeginning(
  ground: WorkspaceGround,
  remote: RemoteOptions,
  run: string,
): Promise<Result<string, WorkspaceError>> {
  const known = await readBeginning(remote, run);
  if (!known.ok || known.value !== undefined) return known.ok ? ok(known.value?.tree ?? '') : known;
  const taken = await snapshotProject(ground);
  if (!taken.ok) return taken;
  const { tree, odd } = taken.value;
  const made = await ground.store.run([...NOBODY, 'commit-tree', '-m', 'The project as it was', tree]);
  if (made.code !== 0) return fail(gitFailure(made));
  // A ref of its own: of two that begin one run, the one that is not first must not take the other's files away.
  const ref = `${refsOf(remote, run)}/beginning-${randomUUID()}`;
  const sent = await sendTo(ground, remote.address, [`${made.stdout.toString().trim()}:${ref}`]);
  if (!sent.ok) return sent;
  const text = JSON.stringify({ version: 1, tree, odd, ref });
  const written = await remote.shared.writeText(fileOf(run), text, { ifMatch: 'absent' });
  if (written.ok) return ok(tree);
  // Two that begin one run at the same moment: the first one counts.
  await sendTo(ground, remote.address, [`:${ref}`]);
  const first = written.error.code === 'E_FILE_CHANGED' ? await readBeginning(remote, run) : undefined;
  if (first?.ok && first.value !== undefined) return ok(first.value.tree);
  return fail({ code: 'E_WORKSPACE_REMOTE', message: describeFileError(written.error) });
}

/** The project's folder as it was when a run began, with its contents; undefined: nobody kept it. */
export async function bringBeginning(
  ground: WorkspaceGround,
  remote: RemoteOptions,
  run: string,
): Promise<Result<FolderSnapshot | undefined, WorkspaceError>> {
  const known = await readBeginning(remote, run);
  if (!known.ok || known.value === undefined) return known;
  const { tree, odd, ref = `${refsOf(remote, run)}/beginning` } = known.value;
  const has = async () => (await ground.store.run(['cat-file', '-e', `${tree}^{tree}`])).code === 0;
  // A tree that is there may lack contents that others took away.
  const fetched = await fetchFrom(ground, remote.address, ref);
  if (!fetched.ok) return fetched;
  return (await has()) ? ok({ tree, odd }) : fail(GONE);
}

/** Nothing of the run is needed any more. */
export async function forgetBeginning(
  ground: WorkspaceGround,
  remote: RemoteOptions,
  run: string,
): Promise<void> {
  await remote.shared.remove(fileOf(run));
  await dropRefs(ground, remote.address, refsOf(remote, run));
}

const beginning = z.strictObject({
  version: z.literal(1),
  tree: z.string().regex(/^[0-9a-f]{40,64}$/),
  odd: z.array(z.string()).readonly(),
  /** What leads to it in the repository; an older Cuebook has one for all. */
  ref: z
    .string()
    .regex(/^refs\/cuebook\/[\w/-]+$/)
    .optional(),
});

async function readBeginning(
  { shared }: RemoteOptions,
  run: string,
): Promise<Result<z.infer<typeof beginning> | undefined, WorkspaceError>> {
  const text = await shared.readText(fileOf(run));
  if (!text.ok)
    return text.error.code === 'E_FILE_NOT_FOUND'
      ? ok(undefined)
      : fail({ code: 'E_WORKSPACE_REMOTE', message: describeFileError(text.error) });
  const parsed = beginning.safeParse(JSON.parse(text.value));
  return parsed.success ? ok(parsed.data) : fail(GONE);
}

const fileOf = (run: string): string => `runs/${run}/beginning.json`;
const refsOf = ({ project }: RemoteOptions, run: string): string => `refs/cuebook/${project}/${run}`;

const GONE: WorkspaceError = {
  code: 'E_WORKSPACE_REMOTE',
  message: 'The files that the run began with are not in the repository any more.',
};
