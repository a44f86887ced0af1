import {
  type CallState,
  effectiveInput,
  isErrorResult,
  observeCall,
  stallAfter,
  traceTurn,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { hasHook, sessionTools, sideOf } from '../definitions.js';
import type { AnyThreadEvent, Events } from '../event.js';
import type { Frame } from '../frame.js';
import type { Parts } from '../parts.js';
import type { ThreadRunState } from '../state.js';
import { endSession, endTurn } from './end.js';
import { intend } from './intend.js';

const RESULT_HOOKS = [
  'after_tool_call_success',
  'after_tool_call_failure',
  'before_store_tool_result',
  'before_create_message',
  'after_create_message',
] as const;

/** All calls of an answer have their results: they are stored, and the stop rules are looked at. */
export function resultSteps(state: ThreadRunState, frame: Frame, parts: Parts): Events {
  const calls = frame.calls ?? [];
  const { catalog } = parts.config;
  const unseen = calls.filter(({ id }) => frame.results[id]?.hooked !== true).map(({ id }) => id);
  if (unseen.length > 0 && hasHook(catalog, frame, RESULT_HOOKS))
    return [intend(frame, 'result.hook', unseen, parts)];
  const stored: AnyThreadEvent = {
    type: 'results.stored',
    data: { frame: frame.id, ids: calls.map(() => parts.context.newId('msg')) },
  };
  return [stored, ...noteStall(state, frame), ...afterResults(state, frame, calls, parts)];
}

/** A failed session goes before a finished one, and both before the end of a turn. */
function afterResults(
  state: ThreadRunState,
  frame: Frame,
  calls: readonly CallState[],
  parts: Parts,
): Events {
  if (frame.kind === 'sub-prompt') return [];
  const side = sideOf(parts.config.catalog, frame);
  const { fail, stop, status } = sessionTools(side);
  const called = (name: string | undefined): CallState | undefined =>
    name === undefined ? undefined : calls.find((call) => call.name === name && call.plan === 'run');
  const done = (name: string | undefined): CallState | undefined => {
    const call = called(name);
    const isDone = call?.result !== undefined && !isErrorResult(call.result);
    return guard('session.succeeded', !isDone) ? undefined : call;
  };
  const told = called(status?.name);
  const words = told && wordsOf(frame, told, status?.messageProperty);
  const statusEvents: Events =
    words === undefined ? [] : [{ type: 'status.told', data: { frame: frame.id, text: words } }];
  const failing = called(fail?.name);
  const stopping = done(stop?.name);
  const over = failing ?? stopping;
  if (over !== undefined) {
    const how = failing ? FAILED : STOPPED;
    const text = wordsOf(frame, over, (failing ? fail : stop)?.messageProperty);
    const outcome = { ...how, text, ...attached(frame, over) };
    return [...statusEvents, ...endSession(state, frame, outcome, parts)];
  }
  const ending = done(side?.stopTool);
  if (ending !== undefined) {
    const text = wordsOf(frame, ending, side?.stopToolResponseProperty);
    return [...statusEvents, ...endTurn(state, frame, { reason: 'stop-tool', text }, parts)];
  }
  return statusEvents;
}

const FAILED = { status: 'failed', reason: 'session-fail', code: 'E_SESSION_FAILED' } as const;
const STOPPED = { status: 'done', reason: 'session-stop' } as const;

/** What a session tool says: the named property of its arguments or of its result, else the result. */
function wordsOf({ results }: Frame, call: CallState, property: string | undefined): string {
  const result = results[call.id]?.text ?? call.result?.text ?? '';
  if (property === undefined) return result;
  for (const from of [effectiveInput(call), parsed(result)]) {
    if (typeof from !== 'object' || from === null || !Object.hasOwn(from, property)) continue;
    const value = (from as Record<string, unknown>)[property];
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
  return result;
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Words, not JSON.
  }
}

function attached({ results }: Frame, call: CallState) {
  const attachments = results[call.id]?.attachments;
  return attachments === undefined || attachments.length === 0 ? {} : { attachments };
}

/** Whether the steps of this turn still bring anything new. */
function noteStall({ settings }: ThreadRunState, frame: Frame): Events {
  const trace = traceTurn({
    turn: frame.steps,
    text: frame.messages.findLast(({ role }) => role === 'assistant')?.text ?? '',
    calls: (frame.calls ?? []).map((call) =>
      // Nobody sees what a function changes; conversations that are opened show it in their answers.
      observeCall(call, { numbers: frame.openings[call.id] === undefined ? 'arguments' : 'answer' }),
    ),
  });
  const noted: AnyThreadEvent = { type: 'stall.noted', data: { frame: frame.id, trace } };
  const verdict = stallAfter(frame.stall, trace, settings.stall);
  if (verdict === undefined) return [noted];
  return [noted, { type: 'thread.paused', data: { kind: 'stall', frame: frame.id, verdict } }];
}
