import { WORKER_ROUTES } from '@cuebook/api';
import type { Host } from '@cuebook/host';
import { type Store, timeOf } from '@cuebook/journal';
import { fail, ok } from '@cuebook/prompt';
import { type HttpError, notFound } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { lookAtWork } from '../work/look-at-work.js';
import { labelOf, type WorkerBook } from '../work/worker-book.js';

export interface WorkerRouteParts {
  readonly runs: Pick<Host, 'share'>;
  readonly store: Pick<Store, 'projections' | 'clock'>;
  readonly isShared: boolean;
  /** The id of this process. */
  readonly worker: string;
  readonly book: WorkerBook;
}

/** Who works on the runs of a project, and what is left to do. */
export function workerRoutes({ runs, store, isShared, worker, book }: WorkerRouteParts) {
  return routeGroup(WORKER_ROUTES, {
    getWork: async () => {
      await book.tell();
      const [workers, { queued, ...rest }] = await Promise.all([
        book.list(),
        lookAtWork({ runs, store }, timeOf(store)()),
      ]);
      return ok({
        workers: workers.map((each) => ({ ...each, isAsked: each.id === worker })),
        queued: queued.map(({ kind, label, count, oldestMs }) => ({
          ...{ kind, count, oldestMs: Math.round(oldestMs) },
          label: label === undefined ? null : (labelOf(label)[0] ?? 'its machine'),
        })),
        ...{ ...rest, isShared },
      });
    },
    drainWorker: async ({ params: { worker: id } }) => {
      const asked = await book.drain(id);
      if (asked === 'server') return fail(IS_SERVER);
      return asked ? ok({ done: true }) : fail(NOT_UP);
    },
  });
}

const NOT_UP: HttpError = notFound('E_WORKER_UNKNOWN', 'No worker of that id is up.');

const IS_SERVER: HttpError = {
  status: 409,
  code: 'E_WORKER_SERVER',
  message: 'This is a server, and it is ended where it was started. Only workers are drained from here.',
};
