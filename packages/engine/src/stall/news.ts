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
 * An act or an answer of other words is new. Where only numbers differ it depends on the tool: see `Numbers`. Of a tool
 * that reads, the same act is new by an answer that differs in more than times and ids, and an act with other numbers
 * by an answer that differs in a byte. A failure is new by its words alone.
 */
function isNewCall(call: CallTrace, earlier: readonly CallTrace[]): boolean {
  if (earlier.every(({ print }) => print !== call.print)) return true;
  if (call.failed || call.numbers === 'none') return false;
  const isSameAct = earlier.some(({ key, failed }) => key === call.key && !failed);
  if (call.numbers === 'arguments') return !isSameAct;
  return isSameAct
    ? earlier.every(({ answer }) => answer !== call.answer)
    : earlier.every(({ bytes }) => bytes !== call.bytes);
}
