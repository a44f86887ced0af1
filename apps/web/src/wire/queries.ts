import { QueryClient, queryOptions } from '@tanstack/react-query';
import { need, Refused, server } from './server.js';

/** A no is final; where nobody answers, the next look comes by itself. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => error instanceof Refused && error.error.status === 0 && count < 3,
      retryDelay: 500,
      networkMode: 'always',
      staleTime: 1_000,
    },
    mutations: { networkMode: 'always' },
  },
});

/** How often lists are looked at again, in milliseconds. */
const LOOK_MS = 2_000;

/** What waits for a person, over all runs. Looked at in the background too: the title says how many. */
export const waitingQuery = queryOptions({
  queryKey: ['waiting'],
  queryFn: () => need(server.listWaiting()),
  select: ({ waiting }) => waiting,
  refetchInterval: LOOK_MS,
  refetchIntervalInBackground: true,
});

/** The newest runs. */
export const runsQuery = queryOptions({
  queryKey: ['runs'],
  queryFn: () => need(server.listRuns({ limit: 200 })),
  select: ({ runs }) => runs,
  refetchInterval: LOOK_MS,
});

/** How a run of any kind stands. */
export const reportQuery = (run: string) =>
  queryOptions({ queryKey: ['run', run, 'report'], queryFn: () => need(server.getReport({ run })) });

/** The nodes, edges and limits of a team. */
export const teamQuery = (run: string) =>
  queryOptions({ queryKey: ['run', run, 'team'], queryFn: () => need(server.getRun({ run })) });

/** What a turn was told. A turn that is on record does not change. */
export const turnQuery = (run: string, turn: string, reveal: boolean) =>
  queryOptions({
    queryKey: ['turn', run, turn, reveal],
    queryFn: () => need(server.getTurn({ run, turn, reveal: reveal ? 'true' : 'false' })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A diff or another kept text, by its hash. */
export const artifactQuery = (run: string, hash: string) =>
  queryOptions({
    queryKey: ['artifact', run, hash],
    queryFn: () => need(server.getArtifact({ run, hash })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Every prompt of the project. */
export const libraryQuery = queryOptions({
  queryKey: ['library'],
  queryFn: () => need(server.listLibrary()),
});

/** What a prompt is made of. */
export const sourceQuery = (target: string) =>
  queryOptions({ queryKey: ['source', target], queryFn: () => need(server.getSource({ target })) });

/** Something was said to a run: what is known of it and of what waits is looked at again. */
export async function lookAgain(run?: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['waiting'] }),
    queries.invalidateQueries({ queryKey: ['runs'] }),
    ...(run === undefined ? [] : [queries.invalidateQueries({ queryKey: ['run', run] })]),
  ]);
}
