import { guard } from '@cuebook/guard';
import type { CallTrace, Trace } from './trace.js';

/**
 * Whether a turn read, wrote or learned something that the turns before it had not: a call with an answer that is
 * new, a change, a check that passes or fails in another way, words of somebody else. What it says itself is no news.
 */
export function bringsNews(trace: Trace, before: readonly Trace[]): boolean {
  const calls = before.flatMap((earlier) => earlier.calls);
  return (
    trace.calls.some((call) => isNewCall(call, calls)) ||
    (trace.effect !== undefined && before.every(({ effect }) => effect !== trace.effect)) ||
    trace.verification === null ||
    (trace.verification !== undefined &&
      before.every(({ verification }) => verification !== trace.verification)) ||
    (trace.heard ?? []).some((words) => before.every(({ heard = [] }) => !heard.includes(words)))
  );
}

/**
 * An act or an answer of other words is new. Where only numbers, times or ids differ from what was there before:
 * - The same act (tool and arguments) looks at the same world: such an answer is nothing new.
 * - An act that names something else (an id, a window, a page) is new, of a tool that may write, by that alone; of one
 *   that reads, by an answer with bytes that were not there. What the answer repeats of the arguments does not count.
 * - Counters of attempts, names of requests, durations and the present time name nothing: see `dropVolatile`.
 * A failure is new by its words alone.
 */
function isNewCall(call: CallTrace, earlier: readonly CallTrace[]): boolean {
  if (earlier.every(({ print }) => print !== call.print)) return true;
  if (call.failed || call.numbers === 'none') return false;
  const isSameAct = call.key !== undefined && earlier.some(({ key, failed }) => key === call.key && !failed);
  if (guard('stall.act', isSameAct)) return false;
  return call.numbers === 'arguments' || earlier.every(({ bytes }) => bytes !== call.bytes);
}
