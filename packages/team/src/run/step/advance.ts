import type { AnyTeamEvent } from '../event.js';
import { projectTeam } from '../project.js';
import { nodesOf, type TeamState } from '../state.js';
import { finishSteps } from './finish.js';
import { scheduleSteps } from './schedule.js';
import { type StepParts, workSteps } from './work.js';

/** Everything that follows by itself from a state: step by step, each seeing what the one before has changed. */
export function advance(state: TeamState, parts: StepParts): readonly AnyTeamEvent[] {
  const events: AnyTeamEvent[] = [];
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const next = nextStep(state, parts);
    if (next.length === 0) break;
    events.push(...next);
    for (const event of next) state = projectTeam(state, event);
  }
  return events;
}

/** More than any state needs: a few for each node of the largest graph, and one for each call of an answer. */
const MAX_STEPS = 5_000;

function nextStep(state: TeamState, parts: StepParts): readonly AnyTeamEvent[] {
  for (const node of nodesOf(state)) {
    if (node.work === null) continue;
    const steps = workSteps(state, node, node.work, parts);
    if (steps.length > 0) return steps;
  }
  const finish = finishSteps(state, parts.context);
  return finish.length > 0 ? finish : scheduleSteps(state, parts);
}
