import type { AnyThreadEvent, Events } from '../event.js';
import type { Parts } from '../parts.js';
import { projectThread } from '../project/project.js';
import type { ThreadRunState } from '../state.js';
import { frameSteps } from './frame.js';
import { stopSteps } from './stop.js';

/** Everything that follows by itself from a state: step by step, each seeing what the one before has changed. */
export function advance(state: ThreadRunState, parts: Parts): Events {
  const events: AnyThreadEvent[] = [];
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const next = nextStep(state, parts);
    if (next.length === 0) break;
    events.push(...next);
    for (const event of next) state = projectThread(state, event);
  }
  return events;
}

/** More than any state needs: a few for each conversation and each call of an answer. */
const MAX_STEPS = 5_000;

function nextStep(state: ThreadRunState, parts: Parts): Events {
  if (state.mode === 'stopping') return stopSteps(state, parts);
  for (const frame of Object.values(state.frames)) {
    const steps = frameSteps(state, frame, parts);
    if (steps.length > 0) return steps;
  }
  return [];
}
