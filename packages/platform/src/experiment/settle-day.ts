import { ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from '../desk.js';
import { listExperiments } from '../experiments.js';
import { type PublishingError, publishApproved } from '../publishing.js';
import { type RolloutError, stepRollout } from '../rollout.js';
import { type CountError, type CountedDay, countDay, lastCounted } from './count-day.js';

/** What the end of a day did by itself. */
export interface SettledDay extends CountedDay {
  /** Experiments that were rolled back, and the metric that was worse. */
  readonly halted: readonly { readonly experiment: string; readonly metric: string }[];
}

export type SettleError = CountError | RolloutError | PublishingError;

/**
 * The end of a day: counts it, and halts every experiment whose candidate does harm. Halted means that nobody is given
 * the candidate any more, and that agents are published so. Nothing is ever widened here: that is for people.
 */
export async function settleDay(
  parts: PlatformParts,
  day: string,
  by: string,
): Promise<Result<SettledDay, SettleError>> {
  const counted = await countDay(parts, day);
  if (!counted.ok) return counted;
  const halted: { experiment: string; metric: string }[] = [];
  for (const { id, rollout } of await listExperiments(parts)) {
    if (rollout !== undefined && rollout.status !== 'running') continue;
    const step = await stepRollout(parts, { experiment: id, by, haltOnly: true });
    if (!step.ok) return step;
    if (step.value.type === 'roll-back') halted.push({ experiment: id, metric: step.value.metric ?? '' });
  }
  if (halted.length > 0) {
    const published = await publishApproved(parts, { by });
    if (!published.ok) return published;
  }
  return ok({ ...counted.value, halted });
}

/** Settles every day that has ended (UTC) and was not counted, the oldest first; of a new platform, the last one. */
export async function settleDays(
  parts: PlatformParts,
  by: string,
): Promise<Result<readonly SettledDay[], SettleError>> {
  const today = Math.floor(parts.now() / DAY);
  const last = await lastCounted(parts);
  const from = last === undefined ? today - 1 : Math.max(numberOf(last) + 1, today - CATCH_UP);
  const settled: SettledDay[] = [];
  for (let day = from; day < today; day += 1) {
    const done = await settleDay(parts, nameOf(day), by);
    if (!done.ok) return done;
    settled.push(done.value);
  }
  return ok(settled);
}

const DAY = 24 * 60 * 60 * 1000;
/** Days that are made up for after a pause. */
const CATCH_UP = 60;
const nameOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10).replaceAll('-', '');
const numberOf = (name: string): number =>
  Date.parse(`${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6)}T00:00:00Z`) / DAY;
