import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { ApprovalEvent } from '../approval/approval.js';
import type { EngineEvent } from '../machine.js';
import type { PlannedCall } from './plan.js';
import { type CallResult, readOutcome } from './result.js';

/** The calls of one answer, in call order, each with how far it is. */
export type Calls = readonly CallState[];

export type CallState = PlannedCall & {
  /** `due`: not begun. `asked`: a person decides. `running`: its effect is in the log. `settled`: it has its result. */
  readonly phase: 'due' | 'asked' | 'running' | 'settled';
  readonly approval?: string;
  /** What a person changed the arguments to; the original stays in `input`. */
  readonly changed?: JsonValue;
  readonly effect?: string;
};

/** A result that no effect gives: the run was stopped, the turn ended. */
export type CallEvent = {
  readonly type: 'call.settled';
  readonly data: { readonly call: string; readonly result: CallResult };
};

/** The effect input of a `tool.call`. */
export type ToolCallInput = {
  readonly call: string;
  readonly tool: string;
  readonly input: JsonValue;
  /** Who allowed it, where somebody was asked. */
  readonly approval?: string;
};

export const openCalls = (planned: readonly PlannedCall[]): Calls =>
  planned.map((call) => ({ ...call, phase: call.plan === 'refuse' ? 'settled' : 'due' }));

/** Folds what happens to calls. Events about anything else leave them as they are; a result is never replaced. */
export function projectCalls(
  calls: Calls,
  event: EngineEvent | ApprovalEvent | CallEvent,
  maxResultBytes: number,
): Calls {
  switch (event.type) {
    case 'effect.intended': {
      const call = callOfEffect(event.data.kind, event.data.input);
      return change(calls, 'id', call, (old) => ({ ...old, phase: 'running', effect: event.data.id }));
    }
    case 'effect.settled':
      return change(calls, 'effect', event.data.id, (call) =>
        settled(call, readOutcome(event.data.outcome, maxResultBytes)),
      );
    case 'approval.requested':
      return change(calls, 'id', event.data.about, (call) => ({
        ...call,
        phase: 'asked',
        approval: event.data.id,
      }));
    case 'approval.resolved':
      return change(calls, 'approval', event.data.id, (call) => resolve(call, event.data));
    case 'call.settled':
      return change(calls, 'id', event.data.call, (call) => settled(call, event.data.result));
    default:
      return calls;
  }
}

/** Whether an event may change calls. */
export const isAboutCalls = ({ type }: { readonly type: string }): boolean => CALL_EVENTS.has(type);

const CALL_EVENTS: ReadonlySet<string> = new Set<Parameters<typeof projectCalls>[1]['type']>([
  'effect.intended',
  'effect.settled',
  'approval.requested',
  'approval.resolved',
  'call.settled',
]);

export const areSettled = (calls: Calls): boolean => calls.every((call) => call.phase === 'settled');

export const areRunning = (calls: Calls): boolean => calls.some((call) => call.phase === 'running');

type Resolved = Extract<ApprovalEvent, { type: 'approval.resolved' }>['data'];

function resolve(call: CallState, data: Resolved): CallState {
  switch (data.decision) {
    case 'allow':
      return { ...call, phase: 'due', plan: 'run' };
    case 'change':
      return { ...call, phase: 'due', plan: 'run', changed: data.input ?? null };
    default:
      return settled(call, { status: REFUSED[data.decision].status, ...refusalText(data) });
  }
}

const REFUSED = {
  deny: { status: 'denied', code: 'E_APPROVAL_DENIED', text: 'A person did not allow this call' },
  expire: { status: 'expired', code: 'E_APPROVAL_EXPIRED', text: 'Nobody allowed this call in time' },
  withdraw: {
    status: 'stopped',
    code: 'E_TOOL_STOPPED',
    text: 'The run stopped before this call was allowed',
  },
} as const;

function refusalText(data: Resolved): { readonly code: string; readonly text: string } {
  const { code, text } = REFUSED[data.decision as keyof typeof REFUSED];
  return { code, text: `${text}${data.message ? `: ${data.message}` : '.'} Nothing was run.` };
}

const settled = (call: CallState, result: CallResult): CallState => ({ ...call, phase: 'settled', result });

function callOfEffect(kind: string, input: JsonValue): string | undefined {
  if (kind !== 'tool.call' || typeof input !== 'object' || input === null || !('call' in input))
    return undefined;
  return typeof input.call === 'string' ? input.call : undefined;
}

function change(
  calls: Calls,
  key: 'id' | 'effect' | 'approval',
  value: string | undefined,
  update: (call: CallState) => CallState,
): Calls {
  if (value === undefined || !calls.some((call) => call[key] === value)) return calls;
  return calls.map((call) => {
    if (call[key] !== value || guard('tool.one-result', call.phase === 'settled')) return call;
    return update(call);
  });
}
