import { openStore, timeOf } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import { type Skew, skewClock } from '../../../../test/skewed-clock.js';
import { openPeople } from '../../src/people/people.js';
import { openQuotas } from '../../src/quota/quotas.js';
import { runOf } from '../../src/run-of.js';
import { openSchedules } from '../../src/schedule/schedules.js';
import type { SignedDelivery } from '../../src/webhook/signature.js';
import { openWebhooks } from '../../src/webhook/webhooks.js';

/** A server whose clock is wrong says what counts for it, and begins what is due. */
export interface ClockTask {
  readonly databaseUrl: string;
  readonly home: string;
  readonly skew: Skew;
  readonly tokens: readonly string[];
  readonly hook: string;
  readonly deliveries: readonly (Omit<SignedDelivery, 'body'> & { readonly body: string })[];
}

export interface ClockReport {
  /** Whose time has come, in milliseconds, as the process says it. */
  readonly now: number;
  /** Which tokens count. */
  readonly valid: readonly boolean[];
  readonly delivered: readonly boolean[];
  /** When the days of limits begin anew. */
  readonly frees: readonly (number | null)[];
  readonly begun: readonly string[];
  readonly secrets: number;
}

const task = JSON.parse(process.argv[2] ?? '') as ClockTask;
skewClock(task.skew);
const opened = await openStore({ databaseUrl: task.databaseUrl }, { home: task.home });
if (!opened.ok) throw new Error(opened.error.code);
const store = opened.value;
const people = openPeople(store);
const hooks = openWebhooks(store);
const valid: boolean[] = [];
for (const token of task.tokens) valid.push((await people.identify(token)) !== undefined);
const delivered: boolean[] = [];
for (const each of task.deliveries) {
  const found = await hooks.verify(task.hook, { ...each, body: Buffer.from(each.body) });
  delivered.push(found !== undefined);
}
const begun: string[] = [];
await openSchedules(store).tick(async ({ id }) => {
  begun.push(id);
  return ok({ run: runOf(id), diagnostics: [] });
});
const report: ClockReport = {
  now: timeOf(store)(),
  ...{ valid, delivered, begun },
  frees: (await openQuotas(store).usesOf('ada')).map(({ frees }) => frees),
  secrets: (await hooks.list())[0]?.secrets.length ?? 0,
};
await store.close();
process.stdout.write(JSON.stringify(report));
