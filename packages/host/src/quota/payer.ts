import { openRegister, type RegisterStore } from '@cuebook/journal';
import { knowsSchedules, projectSchedules, type ScheduleState } from '../schedule/schedule.js';
import { knowsWebhooks, projectWebhooks, type WebhookState } from '../webhook/webhook.js';

/** Finds whose limits a run counts for: what a schedule or a webhook does counts for who made it. */
export function openPayers(store: RegisterStore): (by: string) => Promise<string> {
  const schedules = openRegister<ScheduleState>(store, 'schedules', {
    initial: new Map(),
    project: projectSchedules,
    knows: knowsSchedules,
  });
  const webhooks = openRegister<WebhookState>(store, 'hooks', {
    initial: new Map(),
    project: projectWebhooks,
    knows: knowsWebhooks,
  });
  return async (by) => {
    const [, kind, id = ''] = /^(schedule|hook):(.+)$/s.exec(by) ?? [];
    if (kind === 'schedule') return (await schedules.read()).get(id)?.by ?? by;
    return kind === 'hook' ? ((await webhooks.read()).get(id)?.by ?? by) : by;
  };
}
