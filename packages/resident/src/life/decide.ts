import { ACTIONS, type Action, chooseAction, dayIn } from '@cuebook/bundle';
import {
  askTurn,
  type DecideContext,
  type Decision,
  type EngineCommand,
  type EngineEvent,
  type Outcome,
  raiseBudget,
  spendBudget,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { Sight } from '../look/sight.js';
import { ownerTime } from '../owner-time.js';
import type { ScenarioAnswer } from './answer.js';
import type { Deed } from './deed.js';
import { actionFor, goalOutcome, goalsOf } from './goal.js';
import { objectsOf } from './objects-of.js';
import { planRound } from './plan.js';
import { projectResident } from './project.js';
import type { ResidentCommand, ResidentEvent, ResidentState, TrustFacts } from './state.js';
import { doneOf } from './world.js';

type Events = readonly (ResidentEvent | EngineEvent)[];

/** One step of an agent's life. At most one effect is under way at a time. */
export function decideResident(
  state: ResidentState,
  command: ResidentCommand | EngineCommand,
  context: DecideContext,
): Decision<ResidentEvent> {
  const events = step(state, command, context);
  return 'code' in events ? { ok: false, error: events } : { ok: true, events };
}

function step(
  state: ResidentState,
  command: ResidentCommand | EngineCommand,
  context: DecideContext,
): Events | { readonly code: string; readonly message: string } {
  switch (command.type) {
    case 'resident.start':
      if (isOther(state, command.agent)) return OTHER;
      return then(
        state,
        [...opened(state, command.agent), { type: 'resident.started', data: { config: command.config } }],
        (next) => (isFree(next) ? sync(next, context) : []),
      );
    case 'resident.do': {
      if (isOther(state, command.agent)) return OTHER;
      if (!isFree(state)) return BUSY;
      return then(
        state,
        [
          ...opened(state, command.agent),
          { type: 'resident.started', data: { config: command.config } },
          { type: 'wish.made', data: command.wish },
        ],
        (next) => sync(next, context),
      );
    }
    case 'resident.sync':
      if (isOther(state, command.agent)) return OTHER;
      // Whoever asks for a sync alone holds the work: a life that seems to go on was cut off.
      return then(state, [...opened(state, command.agent), ...stopped(state)], (next) =>
        isFree(next) ? sync(next, context) : [],
      );
    case 'resident.resume':
      if (state.config === null) return NOT_BEGUN;
      return then(
        state,
        state.mode === 'running' ? [] : [{ type: 'resident.started', data: { config: state.config } }],
        (next) => (isFree(next) ? sync(next, context) : []),
      );
    case 'resident.raise': {
      const raised = raiseBudget(state.budget, { ...command, scope: state.budgetDay ?? '' });
      if (!raised.ok) return raised.error;
      return then(state, [raised.value], (next) =>
        next.mode === 'running' && isFree(next) ? sync(next, context) : [],
      );
    }
    case 'resident.wake':
    case 'resident.stop':
      return stopped(state);
    case 'timer.fire':
      return state.mode === 'running' && isFree(state) ? sync(state, context) : [];
    case 'effect.settle':
      return settle(state, command.id, command.outcome, context);
  }
}

/** The state before the outcome tells what it was: the engine has projected the outcome already. */
function settle(state: ResidentState, id: string, outcome: Outcome, context: DecideContext): Events {
  const kind = id.slice(0, id.indexOf('_'));
  if (kind === 'sync') return afterSync(state, outcome, context);
  if (kind === 'look') return afterLook(state, outcome, context);
  if (kind === 'turn') return afterTurn(state, id, outcome, context);
  return kind === 'put' ? afterWrite(state, outcome, context) : [];
}

function afterSync(state: ResidentState, outcome: Outcome, context: DecideContext): Events {
  if (!outcome.ok) return failed(state, 'sync', outcome.error.code, context);
  const facts = outcome.output as unknown as TrustFacts;
  return then(state, [{ type: 'resident.synced', data: facts }], (next) => {
    if (next.mode !== 'running') return [];
    const reason = inactiveReason(next, facts, context.now);
    if (guard('resident.inactive', reason !== undefined))
      return [{ type: 'resident.inactive', data: { reason: reason ?? 'no-bundle' } }, wait(next, context)];
    const input = { heard: next.heard };
    return [intend('look', 'resident.look', input, context)];
  });
}

/** Without a verified bundle, or with one that is too old, there is nothing to act on. */
function inactiveReason(
  { config }: ResidentState,
  { active, staleSince, knownTime = 0 }: TrustFacts,
  now: number,
): 'no-bundle' | 'stale' | undefined {
  if (!active) return 'no-bundle';
  // A clock that was set back makes nothing fresh.
  return staleSince !== null && Math.max(now, knownTime) - staleSince > (config?.maxStaleMs ?? 0)
    ? 'stale'
    : undefined;
}

function afterLook(state: ResidentState, outcome: Outcome, context: DecideContext): Events {
  if (!outcome.ok) return failed(state, 'look', outcome.error.code, context);
  if (state.mode !== 'running') return [];
  const sight = outcome.output as unknown as Sight;
  const { feedback, planned, refused } = planRound(state, sight, context.now);
  const { day } = ownerTime(context.now, state.config?.zone ?? 'UTC');
  const events: Events = [
    ...(state.day === day ? [] : [{ type: 'day.begun', data: { day } } as const]),
    ...feedback.map((data) => ({ type: 'feedback.taken', data }) as const),
    ...(state.wish === null || refused === undefined
      ? []
      : [{ type: 'wish.refused', data: { wish: state.wish, reason: refused } } as const]),
    { type: 'round.planned', data: planned },
  ];
  return then(state, events, (next) => nextDeed(next, context));
}

/** Begins the next deed, if there is one and the day's budget has room; otherwise waits for the next round. */
function nextDeed(state: ResidentState, context: DecideContext): Events {
  const [deed] = state.queue;
  if (state.mode !== 'running') return [];
  if (deed === undefined) return [wait(state, context)];
  const day = dayIn('UTC', context.now);
  const limit = state.config?.budget;
  const fresh: Events =
    state.budgetDay === day || limit === undefined ? [] : [{ type: 'budget.day', data: { day, limit } }];
  return then(state, fresh, (next) =>
    speak(next, { asked: { type: 'deed.begun', data: deed }, deed, problems: [] }, context),
  );
}

interface Speech {
  /** What the log notes of the turn. */
  readonly asked: ResidentEvent;
  readonly deed: Deed;
  readonly problems: readonly string[];
}

/** A turn, if the day's budget has room; a correction is looked at by it too. */
function speak(state: ResidentState, { asked, deed, problems }: Speech, context: DecideContext): Events {
  const { budget, budgetDay, session } = state;
  const turn = askTurn<ResidentEvent>({ budget, scope: budgetDay ?? '' }, context, () => ({
    ...intentOf('scenario.turn', { deed, problems, ...(session !== null && { session }) }),
    asked,
  }));
  if (turn.ok) return turn.value;
  return [{ type: 'budget.empty', data: { unit: turn.error.unit } }, wait(state, context)];
}

/** One corrective retry, then the answer is refused. */
function afterTurn(state: ResidentState, id: string, outcome: Outcome, context: DecideContext): Events {
  const { current } = state;
  const answer = outcome.ok ? (outcome.output as unknown as ScenarioAnswer) : undefined;
  const spent = spendBudget(id, answer?.usage);
  if (current === null) return [spent];
  const { deed, attempt } = current;
  const about = { scenario: deed.scenario, key: deed.key };
  if (answer === undefined || answer.failed !== null) {
    const code = answer?.failed ?? (outcome.ok ? 'E_OUTPUT' : outcome.error.code);
    return then(state, [spent, { type: 'deed.failed', data: { ...about, code } }], (next) =>
      nextDeed(next, context),
    );
  }
  if (answer.problems.length > 0 && guard('resident.one-retry', attempt === 1))
    return then(state, [spent], (next) => {
      const { problems } = answer;
      return speak(next, { asked: { type: 'deed.corrected', data: { problems } }, deed, problems }, context);
    });
  if (answer.problems.length > 0) {
    const refused = { type: 'deed.refused', data: { ...about, problems: answer.problems } } as const;
    return then(state, [spent, refused, ...restIf(deed.scenario)], (next) => nextDeed(next, context));
  }
  return then(state, [spent], (next) => use(next, answer, context));
}

/** An agent whose thought was refused rests. */
const restIf = (scenario: string): Events =>
  scenario === 'motivation' ? [{ type: 'action.chosen', data: { action: 'rest', suggested: null } }] : [];

/** What an answer leads to: an object, an action, or a note in the log. */
function use(state: ResidentState, answer: ScenarioAnswer, context: DecideContext): Events {
  const { current } = state;
  if (current === null) return [];
  const { deed, attempt } = current;
  const { scenario, key, to, title } = deed;
  const base = {
    scenario,
    version: answer.version,
    ...(answer.cohort !== null && { cohort: answer.cohort }),
    ...(answer.presetNotTaken && { presetNotTaken: true as const }),
    key,
    attempts: attempt,
  };
  if (scenario === 'motivation') {
    const done = { type: 'deed.done', data: { ...base, written: false } } as const;
    return then(state, [done, chosen(state, answer, context)], (next) => nextDeed(next, context));
  }
  const objects = objectsOf(state.agent ?? '', deed, answer, context.now);
  const said = typeof answer.value === 'string' ? answer.value : undefined;
  const data = {
    ...base,
    ...(to !== undefined && { to }),
    ...(title !== undefined && { title }),
    ...(said !== undefined && { text: said }),
    ...(scenario === 'daily_goals' && { goals: goalsOf(answer.value) }),
  };
  if (objects.length === 0) {
    const text = said ?? JSON.stringify(answer.value);
    return then(state, [{ type: 'deed.done', data: { ...data, text, written: false } }], (next) =>
      nextDeed(next, context),
    );
  }
  return [intend('put', 'objects.create', { objects, done: data } as unknown as JsonValue, context)];
}

/** Seeded by the agent and the moment: the same log gives the same choice. */
function chosen(
  state: ResidentState,
  { value, personality }: ScenarioAnswer,
  { newId }: DecideContext,
): ResidentEvent {
  const { action: named, target, rationale } = value as unknown as Thought;
  const suggested = ACTIONS.find((action) => action === named) ?? null;
  const available = Object.keys(state.options) as Action[];
  const done = doneOf(state);
  const wanted = state.goals.flatMap((goal) =>
    goalOutcome(goal, done) === 'open' ? (actionFor(goal) ?? []) : [],
  );
  const action = chooseAction(
    {
      ...{ personality, weights: state.memory.weights, available, wanted },
      suggested: suggested ?? undefined,
    },
    newId('act'),
  );
  const isPossible = suggested === 'rest' || available.some((each) => each === suggested);
  const isFor = ({ to, topic, task, replyTo }: Deed) =>
    [to, topic, task, replyTo].some((id) => id === target);
  const option = target === null ? 0 : (state.options[action] ?? []).findIndex(isFor);
  const deviation = !isPossible
    ? 'not-possible'
    : action !== suggested
      ? 'drawn'
      : option === -1 && action !== 'rest'
        ? 'other-target'
        : undefined;
  return {
    type: 'action.chosen',
    data: {
      action,
      suggested,
      ...(option > 0 && deviation === undefined && { option }),
      ...(target !== null && { target }),
      rationale,
      ...(deviation !== undefined && { deviation }),
    },
  };
}

/** What the contract of `motivation` takes. */
interface Thought {
  readonly action: string;
  readonly target: string | null;
  readonly rationale: string;
}

function afterWrite(state: ResidentState, outcome: Outcome, context: DecideContext): Events {
  const { current } = state;
  if (current === null) return [];
  const { scenario, key } = current.deed;
  const event: ResidentEvent = outcome.ok
    ? { type: 'deed.done', data: outcome.output as never }
    : { type: 'deed.failed', data: { scenario, key, code: outcome.error.code } };
  return then(state, [event], (next) => nextDeed(next, context));
}

const failed = (state: ResidentState, at: string, code: string, context: DecideContext): Events => [
  { type: 'resident.failed', data: { at, code } },
  ...(state.mode === 'running' ? [wait(state, context)] : []),
];

const sync = (_state: ResidentState, context: DecideContext): Events => [
  CLEAR,
  intend('sync', 'resident.sync', null, context),
];

const wait = ({ config }: ResidentState, { now }: DecideContext): EngineEvent => ({
  type: 'timer.set',
  data: { id: ROUND, at: now + (config?.pollMs ?? 60_000) },
});

const intend = (prefix: string, kind: string, input: JsonValue | object | null, { newId }: DecideContext) =>
  ({ type: 'effect.intended', data: { id: newId(prefix), ...intentOf(kind, input) } }) as const;

/**
 * Everything that an agent does may be done again: reads change nothing, objects are created once, and a model that
 * only answers may be asked again.
 */
const intentOf = (kind: string, input: JsonValue | object | null) =>
  ({ kind, lane: RESIDENT_LANE, input: input as JsonValue, onCrash: 'repeat' }) as const;

/** Everything that an agent does, one thing after another. */
export const RESIDENT_LANE = 'agent';

const ROUND = 'round';
const CLEAR: EngineEvent = { type: 'timer.cleared', data: { id: ROUND } };

const stopped = ({ mode }: ResidentState): Events =>
  mode === 'stopped' ? [] : [{ type: 'resident.stopped', data: null }, CLEAR];
const isFree = ({ effect }: ResidentState): boolean => effect === null;
const isOther = ({ agent }: ResidentState, named: string): boolean => agent !== null && agent !== named;
const NOT_BEGUN = {
  code: 'E_RESIDENT',
  message: 'This life has not begun: nothing says how it is to go on.',
};
const BUSY = {
  code: 'E_RESIDENT',
  message: 'The agent is in the middle of something. Stop it, or ask again when it rests.',
};
const OTHER = { code: 'E_RESIDENT', message: 'This run is the life of another agent.' };
const opened = ({ agent }: ResidentState, named: string): Events =>
  agent === null ? [{ type: 'resident.opened', data: { agent: named } }] : [];

/** Events, and what follows from the state after them. */
function then(state: ResidentState, events: Events, next: (state: ResidentState) => Events): Events {
  return [...events, ...next(events.reduce(projectResident, state))];
}
