import { guard } from '@cuebook/guard';
import type { CallTrace, Trace } from './trace.js';

/**
 * `new`: bytes that were not there, for certain. `none`: the same act, the same answer. Between these lies what an
 * honest run and an idle one may both do, and each has its bound:
 * - `blind`: something else was named, by a number, a date or an id, and the answer shows nothing else: a search day by
 *   day that finds nothing, a note that is numbered; or the same was asked, and a number went on in the only way that it
 *   ever went. It is believed for more than 200 turns without certain news, and for no more than 250.
 * - `moving`: the same was asked, and the answer is the same but for figures that go to and fro. It is believed for
 *   nine turns.
 */
export type News = 'new' | 'blind' | 'moving' | 'none';

/** A turn with what it brought when it was taken. */
export type JudgedTurn = Trace & { readonly news?: News };

/**
 * Whether a turn read, wrote or learned something that the turns before it had not: a call with an answer that is
 * new, a change, a check that passes or fails in another way, words of somebody else. What it says itself is no news.
 * `earlier`: all turns that are known, oldest first; only so many of the same actor are looked at.
 */
export function newsOf(
  trace: Trace,
  earlier: readonly JudgedTurn[],
  { longest, counting }: { readonly longest: number; readonly counting: ReadonlySet<string> },
): News {
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
    const one = newsOfCall(call, calls, call.key !== undefined && counting.has(call.key));
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
 * An answer of other words is new. So are other words that are written, and what a tool that reads brings under another
 * name. Where only numbers, times, ids or spellings differ from what was there before:
 * - The same act (tool and arguments) looks at the same world: times and ids are nothing new, unless they begin the
 *   lines of a log; figures are a sign that something moves, and one that goes on in one way counts something. So are
 *   pauses that grow, also between calls that fail. An act that may write is answered by acknowledgements, which count
 *   by themselves; a shell command may be a look.
 * - An act that names something else is believed for a while by that alone; of a tool that reads, it is new by an answer
 *   with bytes that were not there. What the answer repeats of the arguments does not count.
 * - An act whose arguments are not known is believed for a while where its answer differs in numbers, times or ids alone.
 * - Blanks, cases, comments of a command, counters of attempts and of the loop itself, names of requests, durations and
 *   the present time name nothing: see `foldCommands`, `dropVolatile` and `namesOf`.
 */
function newsOfCall(call: CallTrace, earlier: readonly CallTrace[], isCounting: boolean): News {
  const isPrinted = earlier.some(({ print }) => print === call.print);
  const asked = earlier.filter(({ key }) => key !== undefined && key === call.key);
  const hasGrown = asked.length > 0 && (call.pause ?? 0) > (asked.at(-1)?.pause ?? 0);
  const isOther = asked.length === 0 && call.key !== undefined && isNamed(call, earlier);
  if (!isPrinted) return guard('stall.found', isFound(call, earlier)) ? 'blind' : 'new';
  if (guard('stall.pause', hasGrown)) return 'moving';
  if (call.numbers === 'none') return 'none';
  if (call.failed) return guard('stall.probe', isOther) ? 'blind' : 'none';
  const same = asked.filter(({ failed }) => !failed);
  if (guard('stall.act', same.length > 0)) return newsOfSame(call, same, isCounting);
  if (call.numbers === 'arguments') return 'blind';
  if (earlier.some(({ bytes }) => bytes === call.bytes))
    return guard('stall.named', isOther) ? 'blind' : 'none';
  if (call.numbers === 'seen') return 'blind';
  // Other numbers from the same tool: of another window, or of the same act that counts. Nobody knows.
  return guard('stall.unknown-act', call.key === undefined) ? 'blind' : 'new';
}

function newsOfSame(call: CallTrace, same: readonly CallTrace[], isCounting: boolean): News {
  if (mayWrite(call) && !call.shell) return 'none';
  const isLonger = call.log === true && same.every(({ bytes }) => bytes !== call.bytes);
  if (guard('stall.count', isCounting || isLonger)) return 'blind';
  return same.some(({ figures }) => figures === call.figures) ? 'none' : 'moving';
}

/** What a look brings under other words, and what the looks before it brought too: that there is nothing, mostly. */
const isFound = (call: CallTrace, earlier: readonly CallTrace[]): boolean =>
  (call.numbers === 'answer' || call.numbers === 'seen') &&
  !call.failed &&
  call.key !== undefined &&
  earlier.some(({ bytes, failed }) => !failed && bytes === call.bytes);

/** Whether it names something that the acts before it did not. */
const isNamed = ({ named }: CallTrace, earlier: readonly CallTrace[]): boolean =>
  earlier.every((each) => each.named !== named);
