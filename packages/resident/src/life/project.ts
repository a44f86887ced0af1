import { fade, learn } from '@cuebook/bundle';
import { EMPTY_BUDGET, type EngineEvent, type Outcome, projectBudget } from '@cuebook/engine';
import type { ScenarioAnswer } from './answer.js';
import type { Utterance } from './deed.js';
import { nameOf } from './deeds.js';
import { goalOutcome } from './goal.js';
import { withName, withTask, withWord } from './known.js';
import type { DeedDone, Planned, ResidentEvent, ResidentState, Tried } from './state.js';

/** Folds an event into the state. Events of others, such as receipts, change nothing. */
export function projectResident(state: ResidentState, event: ResidentEvent | EngineEvent): ResidentState {
  switch (event.type) {
    case 'resident.opened':
      return { ...state, agent: event.data.agent };
    case 'resident.started':
      return { ...state, mode: 'running', config: event.data.config };
    case 'resident.stopped':
      return { ...state, mode: 'stopped', queue: [], wish: null };
    case 'wish.made':
      // Whoever asks for one thing hands in the script for it, if there is one.
      return { ...state, wish: event.data, session: null };
    case 'wish.refused':
      return { ...state, wish: null };
    case 'resident.synced':
      return { ...state, trust: event.data };
    case 'effect.intended':
      return { ...state, effect: event.data.id, phase: PHASES[event.data.kind] ?? state.phase };
    case 'effect.settled':
      return event.data.id === state.effect ? settled(state, event.data.outcome) : state;
    case 'budget.day': {
      const { day, limit } = event.data;
      const opened = { type: 'budget.opened', data: { scope: day, parent: null, limit } } as const;
      return { ...state, budgetDay: day, empty: null, budget: projectBudget(EMPTY_BUDGET, opened) };
    }
    case 'budget.empty':
      return { ...state, queue: [], current: null, empty: event.data.unit };
    case 'day.begun':
      return dayBegun(state, event.data.day);
    case 'feedback.taken': {
      const { action, key } = event.data;
      const memory = learn(state.memory, event.data, action);
      return counted(
        { ...state, memory, heard: key > state.heard ? key : state.heard },
        `${event.data.kind}s`,
      );
    }
    case 'round.planned': {
      const { deeds, options, online, heard, thinks, at } = event.data;
      const talks = heard.reduce((all, said) => withSaid(all, said.from, said), state.talks);
      const thoughtAt = thinks ? at : state.thoughtAt;
      const signals = event.data.signals ?? state.signals;
      const known = knownAfter(state, event.data);
      return { ...state, queue: deeds, options, online, talks, known, thoughtAt, signals, wish: null };
    }
    case 'deed.begun':
      return {
        ...state,
        queue: state.queue.slice(1),
        current: { deed: event.data, attempt: 1, problems: [] },
      };
    case 'deed.corrected':
      return state.current === null
        ? state
        : { ...state, current: { ...state.current, attempt: 2, problems: event.data.problems } };
    case 'deed.refused':
      return counted(withTried({ ...state, current: null }, nameOf(event.data), 3), 'refused');
    case 'deed.failed':
      return withTried({ ...state, current: null }, nameOf(event.data), 1);
    case 'deed.done':
      return projectDone(state, event.data);
    case 'action.chosen': {
      const { action, option = 0, rationale, deviation } = event.data;
      const next = state.options[action]?.[option];
      const isFollowed = deviation === undefined && rationale !== undefined;
      const queue = next === undefined ? [] : [isFollowed ? { ...next, because: rationale } : next];
      return counted({ ...state, options: {}, queue }, action);
    }
    case 'budget.spent':
      return { ...state, turns: state.turns + 1, budget: projectBudget(state.budget, event) };
    case 'budget.raised':
      return { ...state, empty: null, budget: projectBudget(state.budget, event) };
    case 'budget.held':
    case 'budget.opened':
      return { ...state, budget: projectBudget(state.budget, event) };
    default:
      return state;
  }
}

function settled(state: ResidentState, outcome: Outcome): ResidentState {
  const after = { ...state, effect: null, phase: 'waiting' } as const;
  if (state.phase !== 'turn' || !outcome.ok) return after;
  const { session } = outcome.output as unknown as ScenarioAnswer;
  return session === undefined ? after : { ...after, session };
}

/** A new day: what was done and meant yesterday is summed up, and everything is counted anew. */
export function dayBegun(state: ResidentState, day: string): ResidentState {
  const done = new Set(state.deeds.map(({ scenario }) => scenario));
  const goals = state.goals.map((goal) => ({ ...goal, outcome: goalOutcome(goal, done) }));
  const past = state.day === null || goals.length === 0 ? null : { day: state.day, goals };
  const memory = fade(state.memory);
  return { ...state, day, today: {}, tried: {}, deeds: [], goals: [], past, memory };
}

/** Who wrote for the first time, and who takes part in the same tasks. */
function knownAfter(
  state: ResidentState,
  { heard, names = {}, together = [] }: Planned,
): ResidentState['known'] {
  const isNew = ({ from, key }: Utterance) =>
    !(ownOf(state.talks, from) ?? []).some((said) => said.key === key);
  const words = heard
    .filter(isNew)
    .reduce((known, { from }) => withWord(known, from, 'heard', state.day ?? ''), state.known);
  const tasks = together
    .flatMap(({ task, with: others }) => others.map((other) => [task, other] as const))
    .reduce((known, [task, other]) => withTask(known, other, task), words);
  return Object.entries(names).reduce((known, [agent, name]) => withName(known, agent, name), tasks);
}

const ownOf = <Value>(all: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

function projectDone(state: ResidentState, deed: DeedDone): ResidentState {
  const { scenario, key, to, text, written, title, goals } = deed;
  // What was there already, or kept by nobody, is not tried again today.
  const done = withTried(
    { ...state, current: null },
    nameOf({ scenario, key }),
    written || key === '' ? 0 : 3,
  );
  const talks =
    to === undefined || text === undefined
      ? state.talks
      : withSaid(state.talks, to, { from: state.agent ?? '', text, key });
  const isWord = to !== undefined && text !== undefined && written;
  const known = isWord ? withWord(state.known, to, 'said', state.day ?? '') : state.known;
  const note = { scenario, ...(to !== undefined && { to }), ...(title !== undefined && { title }) };
  const deeds = written || key === '' ? [...state.deeds, note].slice(-MOST_DEEDS) : state.deeds;
  const set = { talks, known, deeds, goals: goals ?? state.goals, said: text ?? done.said };
  const after = counted({ ...done, ...set }, scenario);
  return scenario === 'reply' && to !== undefined ? counted(after, `reply to ${to}`) : after;
}

const PHASES: Readonly<Record<string, ResidentState['phase']>> = {
  'resident.sync': 'syncing',
  'resident.look': 'looking',
  'scenario.turn': 'turn',
  'objects.create': 'writing',
};

const counted = (state: ResidentState, name: string): ResidentState => ({
  ...state,
  today: { ...state.today, [name]: (Object.hasOwn(state.today, name) ? (state.today[name] ?? 0) : 0) + 1 },
});

function withTried(state: ResidentState, name: string, times: number): ResidentState {
  if (times === 0) return state;
  const before = Object.hasOwn(state.tried, name) ? (state.tried[name]?.times ?? 0) : 0;
  const tried: Tried = { day: state.day ?? '', times: before + times };
  return {
    ...state,
    tried: Object.fromEntries([...Object.entries(state.tried), [name, tried]].slice(-MOST_TRIED)),
  };
}

/** The newest words with each agent, and the agents that were spoken with last. */
function withSaid(talks: ResidentState['talks'], peer: string, said: Utterance): ResidentState['talks'] {
  const { [peer]: before = [], ...others } = talks;
  if (before.some(({ key }) => key === said.key)) return talks;
  const kept = Object.entries(others).slice(-(MOST_PEERS - 1));
  return Object.fromEntries([...kept, [peer, [...before, said].slice(-MOST_SAID)]]);
}

const MOST_DEEDS = 100;
const MOST_TRIED = 500;
const MOST_PEERS = 64;
const MOST_SAID = 12;
