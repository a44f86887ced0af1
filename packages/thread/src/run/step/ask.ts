import { askTurn } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { MAX_SESSION_STEPS } from '../config.js';
import { promptName, sideOf } from '../definitions.js';
import type { AnyThreadEvent, Events } from '../event.js';
import type { Frame } from '../frame.js';
import type { Side } from '../message.js';
import type { Parts } from '../parts.js';
import { RUN_SCOPE, type ThreadRunState } from '../state.js';
import { endTurn, failSession, UNASKED } from './end.js';

/**
 * The next request, also one that goes to another model because the first failed: its turn begins if none is under
 * way, the budget is looked at, and it is in the log first.
 */
export function askSteps(state: ThreadRunState, frame: Frame, parts: Parts): Events {
  const { catalog } = parts.config;
  if (!frame.active) return [{ type: 'side.began', data: { frame: frame.id, side: nextSide(frame) } }];
  const maxSteps =
    frame.kind === 'sub-prompt' ? (frame.config.maxSteps ?? 1) : sideOf(catalog, frame)?.maxSteps;
  const again = frame.again ?? null;
  const isLast = maxSteps !== undefined && frame.steps >= maxSteps && frame.retries === 0 && again === null;
  if (guard('step.max', isLast)) return endTurn(state, frame, { reason: 'max-steps', text: '' }, parts);
  if (guard('session.max', frame.total >= MAX_SESSION_STEPS))
    return failSession(state, frame, TOO_MANY_STEPS, parts);
  const prompt = again?.prompt ?? promptName(catalog, frame);
  if (prompt === undefined || !catalog.prompts.has(prompt))
    return failSession(state, frame, NO_PROMPT, parts);
  const { context } = parts;
  const asked = askTurn<AnyThreadEvent>({ budget: state.budget, scope: RUN_SCOPE }, context, (effect) => {
    const { side, message, model } = again ?? { side: frame.side, message: context.newId('msg'), model: 0 };
    const input = { frame: frame.id, prompt, model };
    const data = { ...input, effect, side, message };
    return {
      asked: { type: 'step.asked', data },
      ...{ kind: 'model.turn', lane: frame.id, input, onCrash: 'repeat' },
    };
  });
  if (asked.ok) return asked.value;
  return [{ type: 'thread.paused', data: { kind: 'budget', exhausted: asked.error } }];
}

const TOO_MANY_STEPS = {
  code: 'E_THREAD_STEPS',
  text: `The session has taken ${MAX_SESSION_STEPS} steps and did not end.`,
};
const NO_PROMPT = { code: UNASKED, text: 'Its prompt is not defined any more.' };

/** Who speaks when something was said: the other side of it. */
function nextSide({ type, inbox }: Frame): Side {
  const said = inbox.at(-1)?.message.side;
  return type === 'dual_ai' && said === 'a' ? 'b' : 'a';
}
