import { areSettled } from '@cuebook/engine';
import { hasHook } from '../definitions.js';
import type { Events } from '../event.js';
import type { Frame } from '../frame.js';
import type { Parts } from '../parts.js';
import type { ThreadRunState } from '../state.js';
import { applyEffects } from './after.js';
import { askSteps } from './ask.js';
import { callSteps } from './calls.js';
import { intend } from './intend.js';
import { judgeAnswer } from './judge.js';
import { resultSteps } from './results.js';

/** The next thing that follows in one conversation. Empty while it waits. */
export function frameSteps(state: ThreadRunState, frame: Frame, parts: Parts): Events {
  if (frame.after !== null) return applyEffects(state, frame, parts);
  if (frame.ended) return [];
  if (frame.answer !== null) return judgeAnswer(state, frame, frame.answer, parts);
  if (frame.ask !== null || frame.hooking !== null) return [];
  if (frame.prepared === 'due') return [intend(frame, 'thread.prepare', [], parts)];
  if (frame.calls !== null)
    return areSettled(frame.calls)
      ? resultSteps(state, frame, parts)
      : callSteps(state, frame, frame.calls, parts);
  if (state.mode !== 'active' || state.pause !== null) return [];
  if (!frame.active && frame.inbox.length === 0) return [];
  const unseen = frame.inbox.filter(({ hooked }) => !hooked).map(({ message }) => message.id);
  if (
    unseen.length > 0 &&
    hasHook(parts.config.catalog, frame, ['before_create_message', 'after_create_message'])
  )
    return [intend(frame, 'message.hook', unseen, parts)];
  return askSteps(state, frame, parts);
}
