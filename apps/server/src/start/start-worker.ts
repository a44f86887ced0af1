import { ok, type Result } from '@cuebook/prompt';
import { cannotStart, type StartError } from './error.js';
import { keepProjectSchedules } from './keep-project-schedules.js';
import { openHome, openProject, type ServedProjectOptions } from './open-project.js';

/** A worker at work. */
export interface RunningWorker {
  /** The project that it works for. */
  readonly project: string;
  /** Takes no more runs, lets turns under way end for a while, and leaves the rest to others. */
  drain(): Promise<void>;
}

/** How long turns under way may take to end. */
export const DRAIN_MS = 30_000;

/**
 * Starts a worker: it takes runs of the project from the queue in its database, and does nothing else. The project must
 * be there. Any number of them work side by side, on any number of machines.
 */
export async function startWorker(
  options: ServedProjectOptions & { readonly drainMs?: number },
): Promise<Result<RunningWorker, StartError>> {
  if (!options.env.CUEBOOK_DATABASE_URL)
    return cannotStart(
      'E_DATABASE',
      'A worker takes runs from a database: name it with --database or CUEBOOK_DATABASE_URL.',
    );
  const home = await openHome(options.home);
  if (!home.ok) return home;
  const project = await openProject(home.value, { ...options, isJoining: true });
  if (!project.ok) return project;
  const { runs, close, id } = project.value;
  await runs.start();
  const keeper = keepProjectSchedules(project.value, options);
  let drained: Promise<void> | undefined;
  return ok({
    project: id,
    drain() {
      drained ??= keeper
        .stop()
        .then(() => atMost(runs.stop({ running: 'wait' }), options.drainMs ?? DRAIN_MS))
        .then(close);
      return drained;
    },
  });
}

/** Waits for some work, and no longer than that. What is left others take over when its leases end. */
export async function atMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
