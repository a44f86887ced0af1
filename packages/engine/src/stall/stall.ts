import { guard } from '../guard.js';
import type { CallTrace, Trace } from './trace.js';

export type StallRules = {
  /** So many times the same is a stall. */
  readonly repeats: number;
  /** The longest cycle that is looked for. */
  readonly maxCycle: number;
};

export const DEFAULT_STALL_RULES: StallRules = { repeats: 3, maxCycle: 4 };

/** The last turns since something moved, oldest first; no more than the rules can look at. */
export type StallState = { readonly traces: readonly Trace[]; readonly polls: Polls | null };

/** Polls in a row with the same answer. */
export type Polls = { readonly count: number; readonly since: number; readonly last: Trace };

export const NO_STALL: StallState = { traces: [], polls: null };

/** Why nothing moves, with what shows it. */
export type StallVerdict = {
  readonly kind: StallKind;
  /** Turns of one round: 1, or the length of a cycle. */
  readonly cycle: number;
  readonly times: number;
  readonly turns: readonly number[];
  readonly actors: readonly string[];
  readonly hashes: readonly string[];
  readonly samples: readonly string[];
};

/**
 * `repeat`: whole turns are equal. `cycle`: they alternate. `output`: the same words, and nothing new was done.
 * `failing-call`: the same call fails in the same way. `effect`: the same change again. `verification`: the same
 * check fails in the same way. `poll`: a waiting tool has waited past its bound.
 */
export type StallKind = 'repeat' | 'cycle' | 'output' | 'failing-call' | 'effect' | 'verification' | 'poll';

export type StallEvent =
  | { readonly type: 'stall.observed'; readonly data: Trace }
  | { readonly type: 'stall.found'; readonly data: StallVerdict }
  | { readonly type: 'stall.cleared'; readonly data: { readonly by: string } };

/** Folds a turn in. The state does not grow past what the longest rule needs, so its bound is the rules'. */
export function projectStall(
  state: StallState,
  event: { readonly type: string },
  rules: StallRules,
): StallState {
  if (!isStallEvent(event)) return state;
  if (event.type === 'stall.cleared') return NO_STALL;
  if (event.type === 'stall.found') return state;
  const trace = event.data;
  if (isPolling(trace)) return { ...state, polls: samePolls(state.polls, trace) };
  return { traces: [...state.traces, trace].slice(-windowOf(rules)), polls: null };
}

/** Whether nothing moves any more, judged on the turns so far. */
export function findStall(state: StallState, rules: StallRules): StallVerdict | undefined {
  const { traces } = state;
  return (
    findPoll(state) ??
    findCycle(traces, rules) ??
    findFailingCall(traces, rules) ??
    findSame('output', traces, rules) ??
    findSame('effect', traces, rules) ??
    findSame('verification', traces, rules)
  );
}

function findCycle(traces: readonly Trace[], { repeats, maxCycle }: StallRules): StallVerdict | undefined {
  for (let length = 1; length <= maxCycle; length += 1) {
    const last = traces.slice(-length * repeats);
    const isPeriodic =
      last.length === length * repeats &&
      last.every((trace, index) => index < length || trace.print === last[index - length]?.print);
    if (guard('stall.repeat', isPeriodic))
      return verdict(length === 1 ? 'repeat' : 'cycle', last, { cycle: length, times: repeats });
  }
  return undefined;
}

/** Failures count as long as no other call brings anything new in between. */
function findFailingCall(traces: readonly Trace[], { repeats }: StallRules): StallVerdict | undefined {
  const recent = sinceProgress(traces);
  const failed = recent.at(-1)?.calls.filter((call) => call.failed) ?? [];
  for (const { print, sample } of failed) {
    const turns = recent.filter((trace) => trace.calls.some((call) => call.print === print));
    if (guard('stall.failing-call', turns.length >= repeats))
      return verdict('failing-call', turns, { hashes: [print], samples: [sample] });
  }
  return undefined;
}

/** One thing that stays the same through the last turns. What it takes to be no stall differs by the thing. */
function findSame(
  kind: 'output' | 'effect' | 'verification',
  traces: readonly Trace[],
  { repeats }: StallRules,
): StallVerdict | undefined {
  const last = traces.slice(-repeats);
  const value = last[0]?.[kind];
  if (last.length < repeats || value === undefined || value === null) return undefined;
  const isSame = last.every((trace) => trace[kind] === value && trace.actor === last[0]?.actor);
  const isMoving = kind === 'output' && guard('stall.progress', sinceProgress(traces).length < repeats);
  if (!guard(`stall.${kind}`, isSame && !isMoving)) return undefined;
  return verdict(kind, last, { hashes: [value] });
}

/** The bound is that of the most patient tool of the turn. */
function findPoll({ polls }: StallState): StallVerdict | undefined {
  if (!polls) return undefined;
  const bound = Math.max(...polls.last.calls.map((call) => call.poll ?? 0));
  if (!guard('stall.poll', polls.count > bound)) return undefined;
  return verdict('poll', [polls.last], { times: polls.count, turns: [polls.since, polls.last.turn] });
}

/** The turns from the latest one on that brought something new: an answer or a change not seen before it. */
function sinceProgress(traces: readonly Trace[]): readonly Trace[] {
  const seen = new Set<string>();
  let start = 0;
  traces.forEach((trace, index) => {
    const news = newsOf(trace).filter((print) => !seen.has(print));
    if (news.length > 0) start = index;
    for (const print of news) seen.add(print);
  });
  return traces.slice(start);
}

const newsOf = (trace: Trace): readonly string[] => [
  ...trace.calls.filter((call) => !call.failed).map((call: CallTrace) => call.print),
  ...(trace.effect === undefined ? [] : [`effect ${trace.effect}`]),
];

/** A turn that only waits. */
const isPolling = (trace: Trace): boolean =>
  trace.calls.length > 0 && trace.calls.every((call) => call.poll !== undefined && !call.failed);

function samePolls(polls: Polls | null, trace: Trace): Polls {
  const isSame = polls !== null && pollPrint(polls.last) === pollPrint(trace);
  return isSame
    ? { ...polls, count: polls.count + 1, last: trace }
    : { count: 1, since: trace.turn, last: trace };
}

const pollPrint = ({ calls }: Trace): string => calls.map((call) => call.print).join();

const windowOf = ({ repeats, maxCycle }: StallRules): number => repeats * maxCycle;

function verdict(kind: StallKind, traces: readonly Trace[], given: Partial<StallVerdict>): StallVerdict {
  const shown = traces.slice(-EVIDENCE);
  return {
    kind,
    cycle: 1,
    times: traces.length,
    turns: shown.map(({ turn }) => turn),
    actors: [...new Set(shown.flatMap(({ actor }) => (actor === undefined ? [] : [actor])))],
    hashes: [...new Set(shown.map(({ print }) => print))],
    samples: [...new Set(shown.map(({ sample }) => sample))].slice(0, 4),
    ...given,
  };
}

/** Turns that evidence names at most. */
const EVIDENCE = 12;

const isStallEvent = (event: { readonly type: string }): event is StallEvent =>
  event.type === 'stall.observed' || event.type === 'stall.found' || event.type === 'stall.cleared';
