import { guard } from '@cuebook/guard';
import type { CallTrace, Trace } from './trace.js';

/**
 * `blind`: something else was named to a tool that may write where nobody sees it, and nothing else shows that anything
 * moves. `moving`: the same was asked, and the answer is the same but for its figures: `12 rows`, then `15 rows`.
 */
export type News = 'new' | 'blind' | 'moving' | 'none';

/** A turn with what it brought when it was taken. */
export type JudgedTurn = Trace & { readonly news?: News };

/**
 * Whether a turn read, wrote or learned something that the turns before it had not: a call with an answer that is
 * new, a change, a check that passes or fails in another way, words of somebody else. What it says itself is no news.
 * `earlier`: all turns that are known, oldest first; only so many of the same actor are looked at.
 */
export function newsOf(trace: Trace, earlier: readonly JudgedTurn[], longest: number): News {
  const before = earlier.filter(({ actor }) => actor === trace.actor).slice(-longest);
  const isNew =
    isNewEffect(trace, before) ||
    trace.verification === null ||
    (trace.verification !== undefined &&
      before.every(({ verification }) => verification !== trace.verification)) ||
    (trace.heard ?? []).some((words) => before.every(({ heard = [] }) => !heard.includes(words)));
  if (isNew) return 'new';
  const calls = before.flatMap((each) => each.calls);
  const news = trace.calls.map((call) => {
    const one = newsOfCall(call, calls);
    return one === 'none' || one === 'moving' ? (newsByChange(call, earlier, before) ?? one) : one;
  });
  return ORDER.find((one) => news.includes(one)) ?? 'none';
}

const ORDER: readonly News[] = ['new', 'blind', 'moving'];

const isNewEffect = ({ effect }: Trace, before: readonly Trace[]): boolean =>
  effect !== undefined && before.every((each) => each.effect !== effect);

/**
 * A look at a world that was changed since the last such look is none at the same world: the same tests after each
 * edit. A change is a new effect, whoever made it. Of a tool whose changes nobody sees it is one that comes back with
 * other arguments: before the last such look, and after it.
 */
function newsByChange(
  call: CallTrace,
  earlier: readonly JudgedTurn[],
  before: readonly JudgedTurn[],
): News | undefined {
  const looked = before.findLast(({ calls }) => calls.some(({ print }) => print === call.print));
  if (!guard('stall.change', looked !== undefined) || looked === undefined) return undefined;
  const at = earlier.lastIndexOf(looked);
  const since = earlier.slice(at + 1).filter(({ news }) => news === 'new' || news === 'blind');
  if (since.some((each) => isNewEffect(each, earlier.slice(0, earlier.lastIndexOf(each)).slice(-LATELY))))
    return 'new';
  const until = earlier.slice(0, at).flatMap(({ calls }) => calls);
  const changed = since.find(({ calls }) =>
    calls.some(
      (one) =>
        mayWrite(one) &&
        until.some((was) => was.tool === one.tool && mayWrite(was)) &&
        earlier.slice(0, at + 1).every(({ calls: all }) => all.every(({ key }) => key !== one.key)),
    ),
  );
  return changed?.news;
}

/** A change that is made and taken back in turn is none. */
const LATELY = 5;

const mayWrite = ({ numbers, failed, key }: CallTrace): boolean =>
  (numbers === 'arguments' || numbers === 'seen') && !failed && key !== undefined;

/**
 * An act or an answer of other words is new. Where only numbers, times or ids differ from what was there before:
 * - The same act (tool and arguments) looks at the same world: times and ids are nothing new, and figures are no more
 *   than a sign that something moves. So are pauses that grow, also between calls that fail.
 * - An act that names something else (an id, a window, a page) is believed, of a tool that may write, for a while by
 *   that alone; of one that reads, it is new by an answer with bytes that were not there. What the answer repeats of
 *   the arguments does not count.
 * - An act whose arguments are not known is believed for a while where its answer differs in numbers, times or ids alone.
 * - Counters of attempts, names of requests, durations and the present time name nothing: see `dropVolatile`.
 * A failure is new by its words alone.
 */
function newsOfCall(call: CallTrace, earlier: readonly CallTrace[]): News {
  if (earlier.every(({ print }) => print !== call.print)) return 'new';
  const asked = earlier.filter(({ key }) => key !== undefined && key === call.key);
  const hasGrown = asked.length > 0 && (call.pause ?? 0) > (asked.at(-1)?.pause ?? 0);
  if (guard('stall.pause', hasGrown)) return 'moving';
  if (call.failed || call.numbers === 'none') return 'none';
  const same = asked.filter(({ failed }) => !failed);
  if (guard('stall.act', same.length > 0)) {
    const isStill = mayWrite(call) || same.some(({ figures }) => figures === call.figures);
    return isStill ? 'none' : 'moving';
  }
  if (call.numbers === 'arguments') return 'blind';
  const isSame = earlier.some(({ bytes }) => bytes === call.bytes);
  if (call.numbers === 'seen') return isSame ? 'moving' : 'blind';
  if (isSame) return 'none';
  // Other numbers from the same tool: of another window, or of the same act that counts. Nobody knows.
  return guard('stall.unknown-act', call.key === undefined) ? 'blind' : 'new';
}
