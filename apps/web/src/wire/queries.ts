import { unpackTurn } from '@cuebook/api';
import { QueryClient, queryOptions } from '@tanstack/react-query';
import { mayPass, need, RefusedRequest, server } from './server.js';

/** A no is final; where nobody answers, or a server says that it cannot now, the next look comes by itself. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => error instanceof RefusedRequest && error.error.status === 0 && count < 3,
      retryDelay: 500,
      refetchInterval: ({ state }) => (state.status === 'error' && mayPass(state.error) ? AGAIN_MS : false),
      networkMode: 'always',
      staleTime: 1_000,
    },
    mutations: { networkMode: 'always' },
  },
});

/** How long after a look that failed the next one comes, in milliseconds. */
const AGAIN_MS = 3_000;

/** News tell when to look again. What only time changes, such as a process that is gone, is seen so often, in milliseconds. */
const LOOK_MS = 30_000;
/** How often the machines of a project are looked at while somebody does. */
const WORK_MS = 3_000;

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

/** What a turn was told. A turn that is on record does not change. `head`: what the first screen shows of it. */
export const turnQuery = (run: string, turn: string, reveal: boolean, part: 'head' | 'whole' = 'whole') =>
  queryOptions({
    queryKey: ['turn', run, turn, reveal, part],
    queryFn: async () => {
      const asked = { run, turn, reveal: reveal ? 'true' : 'false', part } as const;
      const packed = await need(server.getPackedTurn(asked));
      // Long prompts take their time, and a person may be pointing at the words that are there.
      await new Promise((resolve) => setTimeout(resolve));
      const unpacked = unpackTurn(packed);
      if (unpacked === undefined) throw new Error('The response of the server cannot be read.');
      return unpacked;
    },
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** How many tokens its blocks take. */
export const tokensQuery = (run: string, turn: string) =>
  queryOptions({
    queryKey: ['tokens', run, turn],
    queryFn: () => need(server.countTurn({ run, turn })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The body that was sent. */
export const wireQuery = (run: string, turn: string, reveal: boolean) =>
  queryOptions({
    queryKey: ['wire', run, turn, reveal],
    queryFn: () => need(server.getWire({ run, turn, reveal: reveal ? 'true' : 'false' })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The commit of a line that a turn was told. */
export const blameQuery = (of: {
  readonly run: string;
  readonly turn: string;
  readonly ref: string;
  readonly line: number;
  readonly words: string;
}) => queryOptions({ queryKey: ['blame', of], queryFn: () => need(server.blameTurn(of)), retry: false });

/** The turns on record of a run. */
export const recordedQuery = (run: string) =>
  queryOptions({ queryKey: ['run', run, 'recorded'], queryFn: () => need(server.listRecorded({ run })) });

/** What an eval or a comparison has come to. */
export const comparisonQuery = (run: string) =>
  queryOptions({ queryKey: ['run', run, 'comparison'], queryFn: () => need(server.getComparison({ run })) });

/** The answers to a case. */
export const answersQuery = (run: string, id: string) =>
  queryOptions({
    queryKey: ['run', run, 'answers', id],
    queryFn: () => need(server.listAnswers({ run, case: id })),
  });

/** The next answer of a run to mark. Nothing of it is kept: the next look may be another one. */
export const markingQuery = (run: string, judge: string | undefined, passed: readonly string[]) =>
  queryOptions({
    queryKey: ['marking', run, judge, passed],
    queryFn: () => need(server.nextToMark({ run, passed: passed.join(','), ...(judge && { judge }) })),
    staleTime: 0,
    gcTime: 0,
  });

/** A diff or another kept text, by its hash. */
export const artifactQuery = (run: string, hash: string) =>
  queryOptions({
    queryKey: ['artifact', run, hash],
    queryFn: () => need(server.getArtifact({ run, hash })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Who can speak on this machine. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: () => need(server.listProviders()),
  staleTime: 60_000,
});

/** The role templates. */
export const rolesQuery = queryOptions({ queryKey: ['roles'], queryFn: () => need(server.listRoles()) });

/** Words in the prompts and events of all runs. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: () => need(server.search({ text, limit: 30 })),
    enabled: text.length > 2,
    retry: false,
  });

/** Every prompt of the project. */
export const libraryQuery = queryOptions({
  queryKey: ['library'],
  queryFn: () => need(server.listLibrary()),
});

/** The prompts that Agents include. */
export const fragmentsQuery = (from: 'project' | 'cluster') =>
  queryOptions({ queryKey: ['fragments', from], queryFn: () => need(server.listFragments({ from })) });

/** What a prompt is made of. */
export const sourceQuery = (target: string) =>
  queryOptions({ queryKey: ['source', target], queryFn: () => need(server.getSource({ target })) });

/** Whose token this page has, and their role. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => need(server.whoAmI()) });

/** Everybody with a role in the project. Only owners may ask. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: () => need(server.listPeople()),
  select: ({ people }) => people,
});

/** The limits that are set, and what is used of them. Only owners may ask. */
export const quotasQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: () => need(server.listQuotas()),
});

/** The limits of whoever asks. */
export const ownQuotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: () => need(server.ownQuota()),
  select: ({ uses }) => uses,
});

/** Runs that are begun by the clock. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: () => need(server.listSchedules()),
  select: ({ schedules }) => schedules,
  refetchInterval: LOOK_MS,
});

/** Who works on the runs, and what is left to do: nobody tells when that changes. */
export const workQuery = queryOptions({
  queryKey: ['work'],
  queryFn: () => need(server.getWork()),
  refetchInterval: WORK_MS,
});

/** Something was said to a run: what is known of it and of what waits is looked at again. */
export async function lookAgain(run?: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['waiting'] }),
    queries.invalidateQueries({ queryKey: ['runs'] }),
    ...(run === undefined ? [] : [queries.invalidateQueries({ queryKey: ['run', run] })]),
  ]);
}
