import { clockOf } from '@cuebook/engine';
import { openPeople } from '@cuebook/host';
import { ok, type Result } from '@cuebook/prompt';
import { createApp } from '../http/app.js';
import { anyAuth, metricsAuth } from '../http/auth.js';
import { bracketed, ownHosts } from '../http/security.js';
import { createPeopleAuth } from '../people/people-auth.js';
import { cannotStart, orEnd, type StartError } from './error.js';
import { keepProjectSchedules } from './keep-project-schedules.js';
import { type ListeningServer, listen } from './listen.js';
import { openHome, openProject, type ServedProject, type ServedProjectOptions } from './open-project.js';
import { type ProcessWatch, watchProcess } from './watch-process.js';

/** A worker at work. */
export interface RunningWorker {
  /** The project that it works for. */
  readonly project: string;
  /** The name of this process among those of the project. */
  readonly worker: string;
  /** Resolves when somebody asks it, over a server, to end. */
  readonly asked: Promise<void>;
  /** Where it says how it is; undefined where nobody asked for that. */
  readonly probes?: string;
  /** Takes no more runs, lets turns under way end for a while, and leaves the rest to others. */
  drain(): Promise<void>;
}

export interface WorkerStartOptions extends ServedProjectOptions {
  readonly drainMs?: number;
  readonly stallMs?: number;
  /** Where it answers `/healthz`, `/readyz` and `/metrics`. Left out: nowhere. */
  readonly probes?: { readonly host: string; readonly port: number };
}

/** How long turns under way may take to end. */
export const DRAIN_MS = 30_000;

/**
 * Starts a worker: it takes runs of the project from the queue in its database, and does nothing else. The project must
 * be there. Any number of them work side by side, on any number of machines.
 */
export async function startWorker(options: WorkerStartOptions): Promise<Result<RunningWorker, StartError>> {
  if (!options.env.CUEBOOK_DATABASE_URL)
    return cannotStart(
      'E_DATABASE',
      'A worker takes runs from a database: name it with --database or CUEBOOK_DATABASE_URL.',
    );
  const listening = options.probes ? await listen(options.probes.host, [options.probes.port]) : ok(undefined);
  if (!listening.ok) return listening;
  const opened = await openWorker(options);
  if (!opened.ok) {
    await listening.value?.close();
    return opened;
  }
  const project = opened.value;
  const { runs, close, id, worker, log } = project;
  const watch = watchProcess(project, options);
  const leave = listening.value && answerProbes(options, { project, watch, listening: listening.value });
  let askToEnd = () => {};
  const asked = new Promise<void>((resolve) => {
    askToEnd = resolve;
  });
  const book = project.openBook({ isDraining: watch.readiness.isDraining, onDrain: askToEnd });
  const begun = await orEnd(async () => {
    await runs.start();
    await book.start();
  }, [() => book.stop(), () => runs.stop({ running: 'abort' }), async () => leave?.(), watch.close, close]);
  if (!begun.ok) return begun;
  const keeper = keepProjectSchedules(project, options);
  log.info('started');
  const drain = async (): Promise<void> => {
    watch.readiness.drain();
    log.info('draining');
    await book.tell().catch(log.problem);
    await keeper.stop();
    await atMost(runs.stop({ running: 'wait' }), options.drainMs ?? DRAIN_MS);
    await leave?.();
    await book.stop().catch(log.problem);
    await watch.close();
    await close();
    log.info('ended');
  };
  let drained: Promise<void> | undefined;
  return ok({
    ...{ project: id, worker, asked },
    ...(listening.value && {
      probes: `http://${bracketed(options.probes?.host ?? '')}:${listening.value.port}`,
    }),
    drain() {
      drained ??= drain();
      return drained;
    },
  });
}

async function openWorker(options: WorkerStartOptions): Promise<Result<ServedProject, StartError>> {
  const home = await openHome(options.home);
  return home.ok ? openProject(home.value, { ...options, isJoining: true }) : home;
}

interface Probing {
  readonly project: ServedProject;
  readonly watch: ProcessWatch;
  readonly listening: ListeningServer;
}

/** Says how the worker is, from now on. Metrics need a token of the project's people, or the one for metrics. */
function answerProbes(
  { env, probes, redactor }: WorkerStartOptions,
  { project: { store, log }, watch, listening }: Probing,
): () => Promise<void> {
  const onProblem = (error: unknown, about: string) => log.problem(error, { about });
  const people = createPeopleAuth(openPeople(store), (error) => onProblem(error, 'people'), clockOf(store));
  const app = createApp({
    gate: {
      auth: anyAuth([people, metricsAuth(env.CUEBOOK_METRICS_TOKEN)]),
      isOwnHost: ownHosts({ host: probes?.host ?? '', port: listening.port }),
    },
    groups: [],
    ...{ probes: watch.probes, onProblem, redactor },
  });
  listening.serve((request) => app.fetch(request));
  return async () => {
    people.close();
    await listening.close();
  };
}

/** Waits for some work, and no longer than that. What is left others take over when its leases end. */
export async function atMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
