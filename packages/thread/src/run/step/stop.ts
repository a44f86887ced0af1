import { areRunning, areSettled, pendingApprovals, stopCalls, withdrawApprovals } from '@cuebook/engine';
import type { Events } from '../event.js';
import type { Frame } from '../frame.js';
import type { Parts } from '../parts.js';
import type { ThreadRunState } from '../state.js';
import { stoppedAnswer } from './judge.js';

/** Nothing new begins, what has not begun gets its result, and what is running is waited for. */
export function stopSteps(state: ThreadRunState, parts: Parts): Events {
  const withdrawn = withdrawApprovals(pendingApprovals(state.approvals), parts.context.now);
  if (withdrawn.length > 0) return withdrawn;
  for (const frame of Object.values(state.frames)) {
    const steps = stopFrame(state, frame, parts);
    if (steps.length > 0) return steps;
  }
  const isBusy = Object.values(state.frames).some(
    ({ ask, hooking, calls }) => ask !== null || hooking !== null || areRunning(calls ?? []),
  );
  return isBusy ? [] : [{ type: 'thread.stopped', data: { by: 'cuebook' } }];
}

function stopFrame(state: ThreadRunState, frame: Frame, parts: Parts): Events {
  if (frame.answer !== null) return stoppedAnswer(state, frame, frame.answer, parts);
  if (frame.ask !== null || frame.hooking !== null) return [];
  if (frame.calls !== null) {
    // A call whose conversation is stopped as well has no effect that could still come back.
    const open = frame.calls.map((call) =>
      call.effect === undefined ? { ...call, phase: 'due' as const } : call,
    );
    const unsettled = open.filter((call) =>
      frame.calls?.some((each) => each.id === call.id && each.phase !== 'settled'),
    );
    const stopped = stopCalls(unsettled, 'the thread was stopped', false);
    if (stopped.length > 0) return stopped;
    if (!areSettled(frame.calls)) return [];
    const ids = frame.calls.map(() => parts.context.newId('msg'));
    return [{ type: 'results.stored', data: { frame: frame.id, ids } }];
  }
  // One that a call waits for is over with the call, also when it has not begun.
  if (!frame.active && (frame.ended || frame.waiter === null)) return [];
  const outcome = { status: 'stopped', reason: 'stopped', text: '' } as const;
  const final = frame.parent !== null && frame.config.resumable === null;
  return [{ type: 'session.ended', data: { frame: frame.id, outcome, final } }];
}
