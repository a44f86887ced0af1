import { guard } from '@cuebook/guard';
import type { CallTrace, Trace } from './trace.js';

/** `moving`: the same was asked, and the answer is the same but for its figures: `12 % done`, then `15 % done`. */
export type News = 'new' | 'moving' | 'none';

/**
 * Whether a turn read, wrote or learned something that the turns before it had not: a call with an answer that is
 * new, a change, a check that passes or fails in another way, words of somebody else. What it says itself is no news.
 */
export function newsOf(trace: Trace, before: readonly Trace[]): News {
  const isNew =
    (trace.effect !== undefined && before.every(({ effect }) => effect !== trace.effect)) ||
    trace.verification === null ||
    (trace.verification !== undefined &&
      before.every(({ verification }) => verification !== trace.verification)) ||
    (trace.heard ?? []).some((words) => before.every(({ heard = [] }) => !heard.includes(words)));
  if (isNew) return 'new';
  const earlier = before.flatMap(({ calls }) => calls);
  const news = trace.calls.map((call) => newsOfCall(call, earlier));
  return news.find((one) => one === 'new') ?? news.find((one) => one === 'moving') ?? 'none';
}

/**
 * An act or an answer of other words is new. Where only numbers, times or ids differ from what was there before:
 * - The same act (tool and arguments) looks at the same world: times and ids are nothing new, and figures are no more
 *   than a sign that something moves.
 * - An act that names something else (an id, a window, a page) is new, of a tool that may write, by that alone; of one
 *   that reads, by an answer with bytes that were not there. What the answer repeats of the arguments does not count.
 * - Counters of attempts, names of requests, durations and the present time name nothing: see `dropVolatile`.
 * A failure is new by its words alone.
 */
function newsOfCall(call: CallTrace, earlier: readonly CallTrace[]): News {
  if (earlier.every(({ print }) => print !== call.print)) return 'new';
  if (call.failed || call.numbers === 'none') return 'none';
  const same = earlier.filter(({ key, failed }) => key !== undefined && key === call.key && !failed);
  if (guard('stall.act', same.length > 0)) {
    const isStill = call.numbers === 'arguments' || same.some(({ figures }) => figures === call.figures);
    return isStill ? 'none' : 'moving';
  }
  return call.numbers === 'arguments' || earlier.every(({ bytes }) => bytes !== call.bytes) ? 'new' : 'none';
}
