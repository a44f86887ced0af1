import { openRollingRegister, type RollingStore, registerRun } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import { must } from './stand.js';

/**
 * Fills the newest volume of the register of limits up to an event with events that change nothing, so that it ends with
 * the next changes.
 */
export async function fillRegister(store: RollingStore, upTo: number): Promise<void> {
  let number = 1;
  const runOf = (at: number) =>
    `${registerRun('quotas')}${at === 1 ? '' : at}` as ReturnType<typeof registerRun>;
  while ((await store.standing(runOf(number)))?.removedAt !== undefined) number += 1;
  const seq = (await store.standing(runOf(number)))?.seq ?? 0;
  const events = Array.from({ length: Math.max(0, upTo - seq) }, () => ({ type: 'quota.settled', data: {} }));
  const register = openRollingRegister(store, 'quotas', {
    ...{ initial: null, project: () => null, fold: { write: () => null, read: () => null } },
    every: Number.POSITIVE_INFINITY,
  });
  must(await register.change(() => ok({ events, answer: null })));
}
