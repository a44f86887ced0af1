import { timeOf } from '@cuebook/journal';
import { createReadiness, DRAINING, type Readiness } from '../health/readiness.js';
import type { Probes } from '../http/app.js';
import type { HttpError } from '../http/error.js';
import { openMetrics } from '../metrics/open-metrics.js';
import { lookAtWork } from '../work/look-at-work.js';
import type { ServedProject } from './open-project.js';

/** How a server or worker is, for those who keep it running. */
export interface ProcessWatch {
  readonly readiness: Readiness;
  readonly probes: Probes;
  /** Why nothing can be changed here now; undefined: something can. */
  refusal(): HttpError | undefined;
  close(): Promise<void>;
}

/** Watches the process that has a project open. */
export function watchProcess(
  project: Pick<ServedProject, 'store' | 'runs' | 'library' | 'log'>,
  { stallMs }: { readonly stallMs?: number } = {},
): ProcessWatch {
  const { store, runs, library, log } = project;
  const { home, redactor } = library;
  const now = timeOf(store);
  const readiness = createReadiness({ store, runs, home, ...(stallMs === undefined ? {} : { stallMs }) });
  const metrics = openMetrics({
    redactor,
    look: () => lookAtWork({ runs, store }, now()),
    slots: () => {
      const share = runs.share();
      return share && { slots: share.slots, used: share.runs.length };
    },
    isReady: async () => (await readiness.findCause()) === undefined,
    onProblem: (error) => log.problem(error, { about: 'metrics' }),
  });
  return {
    readiness,
    probes: {
      health: async () => (await readiness.findCause()) ?? (await readiness.findTrouble()),
      ready: () => readiness.findCause(),
      metrics: metrics.text,
    },
    refusal: () => (readiness.isDraining() ? { status: 503, ...DRAINING } : undefined),
    close: metrics.close,
  };
}
