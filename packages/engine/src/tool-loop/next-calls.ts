import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import { type ApprovalEvent, requestApproval } from '../approval/approval.js';
import type { DecideContext, EngineEvent } from '../machine.js';
import type { CallEvent, CallState, Calls, ToolCallInput } from './calls.js';
import { stoppedResult, unknownResult } from './result.js';
import { DEFAULT_MAX_PARALLEL } from './tool.js';

export interface NextCallsOptions {
  /** Lanes of the calls begin with it. */
  readonly lane: string;
  readonly maxParallel?: number | undefined;
  /** How long a person has to answer; left out: for ever. */
  readonly approvalMs?: number | undefined;
}

/**
 * What to begin now: approvals are asked for all at once, so that a person sees them together; a call that is
 * not parallel begins when all before it have their results, and those after it wait for it. A call is begun
 * only when its turn has come, so that nothing of it is waiting in a lane when the run is stopped.
 */
export function nextCalls(
  calls: Calls,
  options: NextCallsOptions,
  context: DecideContext,
): readonly (EngineEvent | ApprovalEvent)[] {
  const asked = calls.filter((call) => call.phase === 'due' && call.plan === 'ask');
  if (asked.length > 0) return asked.flatMap((call) => askFor(call, options, context));
  return startable(calls, options.maxParallel ?? DEFAULT_MAX_PARALLEL).map((call) => ({
    type: 'effect.intended',
    data: {
      id: context.newId('eff'),
      kind: 'tool.call',
      lane: call.parallel ? `${options.lane}/${call.id}` : `${options.lane}/calls`,
      input: inputOf(call),
      onCrash: call.onCrash,
    },
  }));
}

/** The same, where a run carries out some calls itself: `own` answers undefined for a call that becomes an effect. */
export function beginCalls<Event>(
  calls: Calls,
  due: ReturnType<typeof nextCalls>,
  own: (call: CallState) => readonly Event[] | undefined,
): readonly (Event | EngineEvent | ApprovalEvent)[] {
  return due.flatMap((event): readonly (Event | EngineEvent | ApprovalEvent)[] => {
    const id = event.type === 'effect.intended' ? (event.data.input as ToolCallInput).call : undefined;
    const call = calls.find((each) => each.id === id);
    return (call && own(call)) ?? [event];
  });
}

/** A result for every call that has none and is not running; with `running`, for those too: nobody can say. */
export function stopCalls(calls: Calls, why: string, running: boolean): readonly CallEvent[] {
  return calls.flatMap((call): readonly CallEvent[] => {
    if (call.phase === 'settled' || (call.phase === 'running' && !running)) return [];
    const result = call.phase === 'running' ? unknownResult() : stoppedResult(why);
    return [{ type: 'call.settled', data: { call: call.id, result } }];
  });
}

/** What a call is given: what a person changed it to, else what the validator made of it, else what was written. */
export function effectiveInput(call: CallState): JsonValue {
  if (call.changed !== undefined) return call.changed;
  return call.parsed === undefined ? call.input : call.parsed;
}

function inputOf(call: CallState): ToolCallInput {
  const approval = call.approval === undefined ? {} : { approval: call.approval };
  return { call: call.id, tool: call.name, input: effectiveInput(call), ...approval };
}

function startable(calls: Calls, maxParallel: number): readonly CallState[] {
  const found: CallState[] = [];
  let running = calls.filter((call) => call.phase === 'running').length;
  let isFirst = true;
  for (const call of calls) {
    if (call.phase === 'settled') continue;
    if (guard('tool.in-order', !call.parallel && !isFirst)) break;
    if (call.phase === 'due' && !guard('tool.parallel-limit', running >= maxParallel)) {
      found.push(call);
      running += 1;
    }
    if (guard('tool.barrier', !call.parallel)) break;
    isFirst = false;
  }
  return found;
}

function askFor(
  call: CallState,
  { approvalMs }: NextCallsOptions,
  context: DecideContext,
): readonly (EngineEvent | ApprovalEvent)[] {
  const { id: about, name: tool, reason } = call;
  const input = effectiveInput(call);
  const id = context.newId('apr');
  return requestApproval({ id, about, tool, input, reason, lastsMs: approvalMs }, context.now);
}
