import { API_BASE, WEBHOOK_ROUTES } from '@cuebook/api';
import type { HostError, ProjectWebhook, ScheduledCall, ToldWebhook, Webhooks } from '@cuebook/host';
import { fail, ok, type Result } from '@cuebook/prompt';
import { badField, fromHost } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { WEBHOOK_PATH } from '../webhook/mount.js';
import { inputNames, withInputs } from './sheet-inputs.js';

/** Who outside may do what. */
export function webhookRoutes(webhooks: Webhooks, now: () => number) {
  return routeGroup(WEBHOOK_ROUTES, {
    listWebhooks: async () => ok({ webhooks: (await webhooks.list()).map(webhookView) }),
    addWebhook: async ({ body: { id: _, answers, takes, target, inputs, ...given } }, { by }) => {
      const defined = Object.entries(given).filter(([, value]) => value !== undefined);
      if (answers !== undefined) {
        const isStray = { inputs: inputs !== undefined, takes: Object.keys(takes).length > 0 };
        const stray = defined[0]?.[0] ?? (['inputs', 'takes'] as const).find((name) => isStray[name]);
        if (stray !== undefined) return fail(badField(stray, 'belongs to a webhook that starts runs'));
        return told(await webhooks.add({ act: 'answer', target, answers }, by.name));
      }
      const options = withInputs(target, inputs);
      if (!options.ok) return options;
      const call = {
        ...{ target, ...Object.fromEntries(defined) },
        ...(options.value && { options: options.value }),
      } as unknown as ScheduledCall;
      return told(await webhooks.add({ act: 'start', call, takes }, by.name));
    },
    rotateWebhook: async ({ params: { webhook }, body: { hours } }, { by }) =>
      told(await webhooks.rotate(webhook, by.name, { endsAt: now() + hours * HOUR_MS })),
    removeWebhook: async ({ params: { webhook } }, { by }) => {
      const removed = await webhooks.remove(webhook, by.name);
      return removed.ok ? ok({ done: true }) : fail(fromHost(removed.error));
    },
  });
}

const HOUR_MS = 60 * 60_000;

const told = (done: Result<ToldWebhook, HostError>) =>
  done.ok
    ? ok({ ...webhookView(done.value.webhook), secret: done.value.secret })
    : fail(fromHost(done.error));

const webhookView = ({ id, does, by, addedAt, secrets }: ProjectWebhook) => ({
  ...{ id, path: `${API_BASE}${WEBHOOK_PATH}/${id}`, act: does.act, by, addedAt },
  target: does.act === 'start' ? does.call.target : does.target,
  inputs: does.act === 'start' ? inputNames(does.call.options) : [],
  takes: does.act === 'start' ? { ...does.takes } : {},
  answers: does.act === 'answer' ? [...does.answers] : [],
  secrets: secrets.map((each) => ({ addedAt: each.addedAt, expiresAt: each.expiresAt ?? null })),
});
