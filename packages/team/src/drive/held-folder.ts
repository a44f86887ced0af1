import { setTimeout as wait } from 'node:timers/promises';
import type { ObserveContext, Outcome, PerformContext, ProblemPlace } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import type { HeldPlace, WorkspaceError, Workspaces } from '@cuebook/workspace';
import type { TeamNode } from '../graph/node.js';
import { inFolder } from '../graph/workspace.js';

/** What work in folders that come from other machines needs. */
export interface HeldParts {
  readonly workspaces: Pick<Workspaces, 'bring' | 'keep'>;
  /** The command that makes a fresh folder ready. */
  readonly setupOf: (run: RunId) => Promise<string | undefined>;
  readonly onProblem: (error: unknown, about: ProblemPlace) => void;
}

/** Whose folder it is, and who holds the run. */
export interface HeldNode {
  readonly run: RunId;
  readonly node: TeamNode;
  readonly context: Pick<ObserveContext, 'fence' | 'signal'>;
}

/**
 * Does something in the folder of a node: as the machine left it that was there last, and kept for the next one before
 * anybody is told what came of it. While the repository of the workspaces does not answer, it waits.
 */
export async function inHeldFolder(
  parts: HeldParts,
  at: HeldNode & { readonly context: PerformContext },
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const ready = await bringFolder(parts, at);
  if (!ready.ok) return { ok: false, error: { code: ready.error.code, message: ready.error.message } };
  const outcome = await work();
  const kept = await patiently(parts, at, () => parts.workspaces.keep(placeOf(at)));
  // Whoever has the run now refuses the outcome too.
  if (!kept.ok) parts.onProblem(`${kept.error.code} ${kept.error.message}`, { run: at.run });
  return outcome;
}

/** The folder of a node, as the machine left it that was there last. */
export const bringFolder = (parts: HeldParts, at: HeldNode): Promise<Result<undefined, WorkspaceError>> =>
  patiently(parts, at, async () => {
    const setup = await parts.setupOf(at.run);
    return parts.workspaces.bring(placeOf(at), { setup, signal: at.context.signal });
  });

const placeOf = ({ run, node, context }: HeldNode): HeldPlace => ({
  run,
  node: inFolder(node),
  token: context.fence.token,
});

/** Until it is done, or cannot be, or this process is told to leave: then it is tried once. */
async function patiently(
  { onProblem }: HeldParts,
  { run, context: { signal } }: HeldNode,
  attempt: () => Promise<Result<undefined, WorkspaceError>>,
): Promise<Result<undefined, WorkspaceError>> {
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_MS)) {
    const done = await attempt();
    if (done.ok || !PASSING.has(done.error.code) || signal.aborted) return done;
    if (pauseMs === FIRST_MS) onProblem(`It waits: ${done.error.code} ${done.error.message}`, { run });
    await wait(pauseMs, undefined, { signal }).catch(() => ok(undefined));
  }
}

/** What goes by: others mean that it cannot be done at all. */
const PASSING: ReadonlySet<string> = new Set(['E_WORKSPACE_REMOTE', 'E_WORKSPACE_BUSY', 'E_WORKSPACE_READ']);
const FIRST_MS = 100;
const LONGEST_MS = 5_000;
