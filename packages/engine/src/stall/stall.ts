import { guard } from '@cuebook/guard';
import { type JudgedTurn, newsOf } from './news.js';
import { LEAST_SHARE } from './progress.js';
import { followTides, type Tides } from './tide.js';
import type { Trace } from './trace.js';

export type StallRules = {
  /** So many turns that bring nothing new are a stall. */
  readonly repeats: number;
  /** The longest cycle that is looked for: what was done so many turns ago is not new. */
  readonly maxCycle: number;
};

export const DEFAULT_STALL_RULES: StallRules = { repeats: 3, maxCycle: 5 };

/** What is known of the turns since somebody spoke. */
export type StallState = {
  /** The last turns, oldest first; no more than the rules can look at. */
  readonly traces: readonly JudgedTurn[];
  readonly polls: Polls | null;
  /** So many turns of late brought nothing that is new for certain. */
  readonly blind?: number;
  /** The most that acts have told to be done, by act, since the last news of another kind. */
  readonly shares?: { readonly [act: string]: number };
  /** The numbers that acts were answered with, since the last news of another kind. */
  readonly tides?: Tides;
};

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
 * `repeat`: the same is done, or said, again. `cycle`: several things are done in turn. `output`: words, and nothing
 * new is done. `failing-call`: the same call fails in the same way. `effect`: the same change again. `verification`:
 * the same check fails in the same way. `poll`: a waiting tool has waited past its bound.
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
  const { counting, tides } = followTides(trace, state.tides);
  const plain = newsOf(trace, state.traces, { longest: rules.maxCycle, counting });
  const { grown, shares } = plain === 'new' ? sharesOf(trace, {}) : sharesOf(trace, state.shares);
  const news = guard('stall.share', grown) ? 'new' : plain;
  return {
    traces: [...state.traces, { ...trace, news }].slice(-windowOf(rules)),
    polls: null,
    blind: news === 'new' ? 0 : (state.blind ?? 0) + 1,
    shares,
    tides: news === 'new' ? followTides(trace).tides : tides,
  };
}

/** What acts tell to be done now, and whether that is more than before. One that ever told less tells no progress. */
function sharesOf({ calls }: Trace, before: StallState['shares'] = {}) {
  const told = calls.flatMap(({ key, bytes, share }) =>
    share === undefined ? [] : [[key ?? bytes, share] as const],
  );
  const more = told.filter(([act, share]) => share >= (before[act] ?? -1) + LEAST_SHARE);
  const less = told
    .filter(([act, share]) => share < (before[act] ?? 0))
    .map(([act]) => [act, FALLEN] as const);
  const shares = Object.entries({ ...before, ...Object.fromEntries([...more, ...less]) }).slice(-ACTS);
  return { grown: more.some(([act]) => before[act] !== undefined), shares: Object.fromEntries(shares) };
}

/** More than all of something: nothing grows past it. */
const FALLEN = 2;
/** Acts whose share is kept. */
const ACTS = 16;
/** So many turns in a row are believed that may be honest or idle: see `News`. */
const BLIND = 250;

/**
 * Whether nothing moves any more, judged on the turns so far. A run in which every turn reads, writes or learns
 * something new is never stalled; one that goes round in a cycle is, whatever words it says meanwhile. One that asks
 * the same and hears other figures is given some turns more.
 */
export function findStall(state: StallState, rules: StallRules): StallVerdict | undefined {
  return (
    findPoll(state) ??
    findRepeat(state, rules) ??
    findQuiet(state, rules) ??
    findSameWords(state.traces, rules)
  );
}

/** The same with one turn more. */
export const stallAfter = (
  state: StallState,
  trace: Trace,
  rules: StallRules,
  found: StallRules = rules,
): StallVerdict | undefined =>
  findStall(projectStall(state, { type: 'stall.observed', data: trace } as StallEvent, rules), found);

/** The same thing so many times in a row. The first time may have brought something. */
function findRepeat(state: StallState, rules: StallRules): StallVerdict | undefined {
  const { repeats } = rules;
  const last = state.traces.slice(-repeats);
  const isSame = last.length === repeats && last.every(({ print }) => print === last[0]?.print);
  if (!guard('stall.repeat', isSame && quietTurns(state, rules) >= repeats - 1)) return undefined;
  return verdict(sortOf(last.at(-1)), last, { times: repeats });
}

/** So many turns in a row that brought nothing new. */
function findQuiet(state: StallState, rules: StallRules): StallVerdict | undefined {
  const { traces } = state;
  const quiet = quietTurns(state, rules);
  if (!guard('stall.quiet', quiet >= rules.repeats)) return undefined;
  const last = traces.slice(-quiet);
  if (last.every(isWords)) return verdict('output', last, {});
  const length = periodOf(traces, rules.maxCycle);
  if (length === undefined) return verdict('cycle', last, { cycle: last.length, times: 1 });
  const round = traces.slice(-length * Math.floor(periodic(traces, length) / length));
  const times = round.length / length;
  return verdict(length === 1 ? sortOf(round.at(-1)) : 'cycle', round, { cycle: length, times });
}

/** The same words over calls that all fail, each in its own way. */
function findSameWords(traces: readonly JudgedTurn[], { repeats }: StallRules): StallVerdict | undefined {
  const last = traces.slice(-repeats);
  const words = last[0]?.output ?? null;
  const isFailing = ({ calls, effect }: Trace) =>
    effect === undefined && calls.length > 0 && calls.every(({ failed }) => failed);
  const isSame =
    last.length === repeats &&
    words !== null &&
    !['moving', 'blind'].includes(last.at(-1)?.news ?? 'none') &&
    last.every((trace) => trace.output === words && trace.actor === last[0]?.actor && isFailing(trace));
  if (!guard('stall.output', isSame)) return undefined;
  return verdict('output', last, { hashes: [words ?? ''] });
}

/** How many of the last turns, without a gap, brought nothing that their actor did not have before. */
function quietTurns({ traces, blind = 0 }: StallState, rules: StallRules): number {
  const isBelieved = !guard('stall.blind', blind > BLIND);
  const news = traces.map(({ news: one = 'new' }) =>
    guard('stall.progress', one === 'new' || (one === 'blind' && isBelieved)) ? 'new' : one,
  );
  const found = news.lastIndexOf('new');
  const moved = news.lastIndexOf('moving');
  // Figures move when something is waited for, and in an idle loop: that is believed for so many turns.
  const loud = moved > found && moved - found <= patienceOf(rules) ? moved : found;
  return traces.length - 1 - loud;
}

/** Less than what is kept: what was new before is known no more. */
const patienceOf = (rules: StallRules): number => windowOf(rules) - rules.maxCycle - 1;

/** The shortest cycle that the last turns went through at least twice. */
const periodOf = (traces: readonly Trace[], maxCycle: number): number | undefined =>
  Array.from({ length: maxCycle }, (_, at) => at + 1).find(
    (length) => periodic(traces, length) >= 2 * length,
  );

/** How many of the last turns repeat themselves after `length` turns. */
function periodic(traces: readonly Trace[], length: number): number {
  let count = Math.min(length, traces.length);
  while (count < traces.length && traces.at(-count - 1)?.print === traces.at(-count - 1 + length)?.print)
    count += 1;
  return count;
}

const isWords = ({ calls, effect, verification }: Trace): boolean =>
  calls.length === 0 && effect === undefined && verification === undefined;

/** What kind of thing was done again. */
function sortOf(trace: Trace | undefined): StallKind {
  if (trace === undefined || isWords(trace)) return 'repeat';
  if (trace.verification) return 'verification';
  if (trace.calls.length > 0 && trace.calls.every(({ failed }) => failed)) return 'failing-call';
  return trace.effect === undefined ? 'repeat' : 'effect';
}

/** The bound is that of the most patient tool of the turn. */
function findPoll({ polls }: StallState): StallVerdict | undefined {
  if (!polls) return undefined;
  const bound = Math.max(...polls.last.calls.map((call) => call.poll ?? 0));
  if (!guard('stall.poll', polls.count > bound)) return undefined;
  return verdict('poll', [polls.last], { times: polls.count, turns: [polls.since, polls.last.turn] });
}

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

const windowOf = ({ repeats, maxCycle }: StallRules): number =>
  Math.max(repeats * maxCycle, repeats + maxCycle);

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
