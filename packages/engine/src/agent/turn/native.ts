import type { JsonValue } from '@cuebook/prompt';
import type { ApprovalAnswer, ApprovalRequest, CallerTool, ToolAnswer } from '@cuebook/provider';
import { findResolution } from '../../approval/approval.js';
import { isErrorResult } from '../../tool-loop/result.js';
import type { AgentState } from '../agent.js';
import type { RunPort } from './run-port.js';

export interface NativeOptions {
  readonly port: RunPort;
  readonly effect: string;
  /** Command ids begin with it: the same try of the same turn says the same things. */
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/** What an agent asks of us in mid-turn goes through the run: planned, approved, journaled, like any other call. */
export interface Native {
  callTool(call: CallerTool): Promise<ToolAnswer>;
  onApproval(request: ApprovalRequest): Promise<ApprovalAnswer>;
}

export function createNative({ port, effect, prefix, signal }: NativeOptions): Native {
  let count = 0;
  const nextId = (): string => {
    count += 1;
    return `${prefix}/native/${count}`;
  };
  const native: Native = {
    async callTool({ id, name, input }) {
      const asked = await port.submit(nextId(), { type: 'native.call', effect, call: { id, name, input } });
      if (!asked.ok) return { output: asked.error.message, isError: true };
      const result = await port.until((state) => resultOf(state, field(asked.value, 'call')), signal);
      if (!result) return { output: 'The turn was stopped before the call had an outcome.', isError: true };
      return { output: result.text, ...(isErrorResult(result) ? { isError: true } : {}) };
    },
    async onApproval({ tool, input }) {
      const asked = await port.submit(nextId(), { type: 'native.approve', effect, tool, input });
      if (!asked.ok) return { decision: 'deny', message: asked.error.message };
      const permit = field(asked.value, 'permit');
      if (permit === 'allow') return { decision: 'allow' };
      if (permit === 'deny')
        return { decision: 'deny', message: `Not allowed: ${field(asked.value, 'reason')}.` };
      const approval = field(asked.value, 'approval');
      const resolution = await port.until((state) => findResolution(state.approvals, approval), signal);
      if (resolution?.decision === 'allow') return { decision: 'allow' };
      if (resolution?.decision === 'change') return { decision: 'change', input: resolution.input ?? null };
      const why =
        resolution?.decision === 'expire' ? 'Nobody allowed it in time.' : 'A person did not allow it.';
      return { decision: 'deny', message: resolution?.message ?? why };
    },
  };
  // A journal that does not answer is an answer of ours, never the agent's crash.
  return {
    callTool: (call) => native.callTool(call).catch(() => ({ output: UNANSWERED, isError: true })),
    onApproval: (request) =>
      native.onApproval(request).catch(() => ({ decision: 'deny', message: UNANSWERED })),
  };
}

const UNANSWERED = 'The run could not be asked. Nothing was allowed.';

const resultOf = (state: AgentState, call: string) => state.native.find(({ id }) => id === call)?.result;

function field(answer: JsonValue, name: string): string {
  const value = typeof answer === 'object' && answer !== null && name in answer ? Object(answer)[name] : '';
  return typeof value === 'string' ? value : '';
}
