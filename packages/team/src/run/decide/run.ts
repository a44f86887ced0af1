import { checkBudget } from '@cuebook/engine';
import type { AnyTeamEvent } from '../event.js';
import { withLimits } from '../limits.js';
import { nodesOf, RUN_SCOPE, type TeamState } from '../state.js';
import { askFinish, endAll, finishRun } from '../step/finish.js';
import { accept, type CommandAnswer, type Own, person, refuse, type TeamDecideParts } from './refuse.js';

/** Nothing new begins. Turns in flight go on to their end, or with `interrupt` are ended. */
export function pause(state: TeamState, command: Own<'run.pause'>): CommandAnswer {
  const by = person(command.by);
  const paused: readonly AnyTeamEvent[] =
    state.pause?.kind === 'person' ? [] : [{ type: 'run.paused', data: { kind: 'person', by } }];
  return accept([...paused, ...(command.interrupt === true ? interruptAll(state, by) : [])]);
}

/** Goes on after a pause; a spent budget must be raised first. */
export function resume(state: TeamState, command: Own<'run.resume'>): CommandAnswer {
  if (state.pause === null) return refuse('E_RUN_NOT_PAUSED', 'The run is not paused.');
  if (state.pause.kind === 'budget' && !checkBudget(state.budget, RUN_SCOPE, { tokens: 0, usd: 0 }).ok)
    return refuse('E_BUDGET_EXHAUSTED', 'The budget of the run is spent. Raise it, and the run goes on.');
  return accept([{ type: 'run.resumed', data: { by: person(command.by) } }]);
}

/** Ends the run without a result. */
export function stop(
  state: TeamState,
  command: Own<'run.stop'>,
  { context }: TeamDecideParts,
): CommandAnswer {
  const by = person(command.by);
  return accept([{ type: 'run.stopped', data: { by } }, ...endAll(state, by, context)]);
}

/** A person says that the run is done, or cannot be. */
export function finish(
  state: TeamState,
  command: Own<'run.finish'>,
  { config, context }: TeamDecideParts,
): CommandAnswer {
  const { ok, summary } = command;
  const by = person(command.by);
  if (!ok) return accept(finishRun(state, { ok, summary, by }, context));
  const asked = askFinish(state, { summary, by }, { config, context });
  if (typeof asked === 'string') return refuse('E_RUN_UNCHECKED', asked);
  return accept(asked.events, { waits: asked.waits.map((each) => ({ ...each, what: [...each.what] })) });
}

/** Takes effect with the next turn of each node. */
export function setMode(state: TeamState, command: Own<'run.mode'>): CommandAnswer {
  const { mode, globalMode } = state.settings;
  const before = { mode, globalMode };
  const after = { mode: command.mode ?? mode, globalMode: command.globalMode ?? globalMode };
  if (after.mode === mode && after.globalMode === globalMode) return accept([]);
  return accept([{ type: 'run.moded', data: { before, after, by: person(command.by) } }]);
}

/** From now on. Both the old and the new limits are in the event. */
export function setLimits(state: TeamState, command: Own<'run.limit'>): CommandAnswer {
  const before = state.settings.limits;
  const after = withLimits(before, command.limits);
  if (JSON.stringify(after) === JSON.stringify(before)) return accept([]);
  return accept([{ type: 'run.limited', data: { before, after, by: person(command.by) } }]);
}

const interruptAll = (state: TeamState, by: string): readonly AnyTeamEvent[] =>
  nodesOf(state).flatMap(({ node, work }): readonly AnyTeamEvent[] =>
    work === null || work.outcome !== null || work.interrupted !== null
      ? []
      : [{ type: 'turn.interrupting', data: { node: node.id, effect: work.effect, by, why: 'pause' } }],
  );
