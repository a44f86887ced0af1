import { QUOTA_ROUTES } from '@cuebook/api';
import { type Host, type LimitUse, leftOf, type Quotas } from '@cuebook/host';
import { fail, ok } from '@cuebook/prompt';
import { fromHost } from '../http/error.js';
import { routeGroup } from '../http/group.js';

/** Limits of the project and of its people. */
export function quotaRoutes(quotas: Quotas, { settleQuotas }: Pick<Host, 'settleQuotas'>) {
  return routeGroup(QUOTA_ROUTES, {
    ownQuota: async (_, { by }) => {
      await settleQuotas();
      const uses = await quotas.usesOf(by.name);
      return ok({ uses: uses.filter(({ subject }) => subject !== 'project').map(useView) });
    },
    listQuotas: async () => {
      await settleQuotas();
      return ok({
        quotas: (await quotas.list()).map(({ subject, limits }) => ({ subject, limits: { ...limits } })),
        uses: (await quotas.uses()).map(useView),
      });
    },
    setQuota: async ({ params: { subject }, body: { limits } }, { by }) => {
      const given = Object.entries(limits).filter(([, value]) => value !== undefined);
      const set = await quotas.set(subject, Object.fromEntries(given), by.name);
      if (!set.ok) return fail(fromHost(set.error));
      return ok({ subject: set.value.subject, limits: { ...set.value.limits } });
    },
    removeQuota: async ({ params: { subject } }, { by }) => {
      const removed = await quotas.remove(subject, by.name);
      return removed.ok ? ok({ done: true }) : fail(fromHost(removed.error));
    },
  });
}

const useView = (use: LimitUse) => ({ ...use, left: leftOf(use) });
