import type { RunId } from '@cuebook/journal';
import type { EventShape } from '../machine.js';
import type { Job } from '../work/queue.js';
import type { WrittenDecision } from './commit.js';
import { firstOfLane } from './ledger.js';
import type { OpenWork } from './open-work.js';

/** What a write gives to do: the lanes that it touched and have something to do, and the timers that it set. */
export function nextJobs(run: RunId, written: WrittenDecision<unknown>): readonly Job[] {
  const { events, before, after } = written;
  const lanes = new Set<string>();
  const timers = new Set<string>();
  for (const { type, data } of events as readonly (EventShape & { data: { id: string; lane: string } })[]) {
    if (type === 'effect.intended') lanes.add(data.lane);
    if (type === 'timer.set') timers.add(data.id);
    const lane = before.ledger.effects.get(data?.id)?.intent.lane;
    if (lane !== undefined && (type === 'effect.settled' || type === 'effect.reopened')) lanes.add(lane);
  }
  return [
    ...[...lanes].flatMap((lane): Job[] => {
      const open = firstOfLane(after.ledger, lane);
      return open && !open.asked ? [{ type: 'lane', run, lane, effect: open.intent.id }] : [];
    }),
    ...[...timers].flatMap((id): Job[] => {
      const timer = after.ledger.timers.get(id);
      return timer ? [{ type: 'timer', run, timer: id, seq: timer.seq, at: timer.at }] : [];
    }),
  ];
}

/** The same for work that was found open. */
export function jobsOfOpenWork({ run, lanes, timers }: OpenWork): readonly Job[] {
  return [
    ...lanes
      .filter(({ asked }) => !asked)
      .map(({ lane, effect }): Job => ({ type: 'lane', run, lane, effect })),
    ...timers.map(({ id, seq, at }): Job => ({ type: 'timer', run, timer: id, seq, at })),
  ];
}
