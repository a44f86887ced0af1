import type { EXPERIMENT_ROUTES } from '@cuebook/api';
import {
  beginRollout,
  DEFAULT_PLAN,
  endExperiment,
  listAgents,
  type PlatformParts,
  setExperiment,
  settleDays,
  stepRollout,
  viewResult,
} from '@cuebook/platform';
import { ok } from '@cuebook/prompt';
import type { RouteGroup } from '../http/group.js';
import { done } from './answer.js';

/** The routes of experiments. */
export const experimentHandlers = (
  platform: PlatformParts,
): RouteGroup<typeof EXPERIMENT_ROUTES>['handlers'] => ({
  planExperiment: async ({ body: { plan = DEFAULT_PLAN, agents, share } }) => {
    const published = (await listAgents(platform)).filter((record) => record.published !== undefined);
    return ok({ length: beginRollout(plan, agents ?? published.length, share).length ?? null });
  },
  getExperiment: async ({ params: { name } }) => done(await viewResult(platform, name), 'The experiment'),
  setExperiment: async ({ params: { name }, body }, { by }) => {
    const set = await setExperiment(platform, { id: name, ...body }, by.name);
    return set.ok ? ok({ done: true }) : done(set, 'The experiment');
  },
  endExperiment: async ({ params: { name } }, { by }) => {
    const ended = await endExperiment(platform, name, by.name);
    return ended.ok ? ok({ done: true }) : done(ended, 'The experiment');
  },
  stepRollout: async (
    { params: { name }, body: { plan, dryRun = false, promote = false } },
    { by, command },
  ) =>
    done(
      await stepRollout(platform, {
        ...{ experiment: name, by: by.name, command, dryRun, promote },
        ...(plan === undefined ? {} : { plan }),
      }),
      'The rollout',
    ),
  settleDays: async (_, { by }) => {
    const settled = await settleDays(platform, by.name);
    return settled.ok ? ok({ days: settled.value }) : done(settled, 'The days');
  },
});
