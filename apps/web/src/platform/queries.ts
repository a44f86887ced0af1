import { queryOptions } from '@tanstack/react-query';
import { queries } from '../wire/queries.js';
import { need, server } from '../wire/server.js';

/** Everything of a platform is below this key, so that one look-again reaches all of it. */
const KEY = 'platform';

export const platformQuery = queryOptions({
  queryKey: [KEY, 'overview'],
  queryFn: () => need(server.getPlatform()),
});

export const cardsQuery = queryOptions({
  queryKey: [KEY, 'cards'],
  queryFn: () => need(server.listCards({})),
  select: ({ cards }) => cards,
});

export const bundleQuery = (agent: string) =>
  queryOptions({ queryKey: [KEY, 'bundle', agent], queryFn: () => need(server.getBundle({ agent })) });

export const versionsQuery = queryOptions({
  queryKey: [KEY, 'versions'],
  queryFn: () => need(server.listVersions()),
  select: ({ versions }) => versions,
});

export const fleetQuery = (after: string | undefined) =>
  queryOptions({
    queryKey: [KEY, 'fleet', after],
    queryFn: () => need(server.getFleet(after === undefined ? {} : { after })),
  });

export const healthQuery = queryOptions({
  queryKey: [KEY, 'health'],
  queryFn: () => need(server.getHealth()),
});

export const proposalsQuery = queryOptions({
  queryKey: [KEY, 'proposals'],
  queryFn: () => need(server.listProposals()),
  select: ({ proposals }) => proposals,
});

export const jobsQuery = queryOptions({
  queryKey: [KEY, 'jobs'],
  queryFn: () => need(server.listJobs()),
  select: ({ jobs }) => jobs,
});

export const pageQuery = (kind: 'topic' | 'task' | 'circle', id: string) =>
  queryOptions({ queryKey: [KEY, 'page', kind, id], queryFn: () => need(server.getPage({ kind, id })) });

/** Something was changed: all that is known of the platform is looked at again. */
export const lookAtPlatform = (): Promise<void> => queries.invalidateQueries({ queryKey: [KEY] });
