import type { JsonValue } from '@cuebook/prompt';
import type { ApprovalAnswer, ApprovalRequest, CallerTool, ToolAnswer } from '@cuebook/provider';
import { findResolution, type Resolution } from '../../approval/approval.js';
import { denialOf } from '../../approval/claim.js';
import { isErrorResult } from '../../tool-loop/result.js';
import type { Conversation, ConversationCommand } from '../conversation.js';
import { CONVERSATION_LOOK, type RunLook } from './run-look.js';
import type { RunPort } from './run-port.js';

/** What a turn says to its run; every machine with agents that act in mid-turn takes these. */
export type NativeCommand = Extract<
  ConversationCommand,
  { readonly type: 'native.call' | 'native.approve' | 'native.tell' }
>;

export interface NativeOptions<State = Conversation> {
  readonly port: RunPort<State, NativeCommand>;
  readonly effect: string;
  /** Which try of the turn this is. */
  readonly attempt: number;
  /** Command ids begin with it: the same try of the same turn says the same things. */
  readonly prefix: string;
  readonly signal: AbortSignal;
  readonly words?: NativeWords | undefined;
}

/** How a run speaks of what an agent asks, where that is not how the agent does. */
export interface NativeWords {
  /** The input as the run and people see it, and what the machine wants to know beside it. */
  tell(request: ApprovalRequest): Promise<{ readonly input: JsonValue; readonly beside?: object }>;
}

/** What an agent asks of us in mid-turn goes through the run: planned, approved, journaled, like any other call. */
export interface Native {
  callTool(call: CallerTool): Promise<ToolAnswer>;
  onApproval(request: ApprovalRequest): Promise<ApprovalAnswer>;
}

/** An agent's own machine by default; any other says where its state has the answers. */
export function createNative<State = Conversation>(
  { port, effect, attempt, prefix, signal, words }: NativeOptions<State>,
  look: Pick<RunLook<State>, 'resultOf' | 'approvalsOf'> = CONVERSATION_LOOK as unknown as RunLook<State>,
): Native {
  let count = 0;
  const nextId = (): string => {
    count += 1;
    return `${prefix}/native/${count}`;
  };
  /** What a person changed it to, as they gave it. */
  const changed = async (told: JsonValue, approval: string): Promise<ApprovalAnswer> => {
    if (!port.open) return { decision: 'change', input: told };
    const input = await port.open((state) => findResolution(look.approvalsOf(state), approval)?.input);
    return input === undefined ? { decision: 'deny', message: ERASED } : { decision: 'change', input };
  };
  const native: Native = {
    async callTool({ id, name, input }) {
      const asked = await port.submit(nextId(), { type: 'native.call', effect, call: { id, name, input } });
      if (!asked.ok) return { output: asked.error.message, isError: true };
      const result = await port.until((state) => look.resultOf(state, field(asked.value, 'call')), signal);
      if (!result) return { output: 'The turn was stopped before the call had an outcome.', isError: true };
      return { output: result.text, ...(isErrorResult(result) ? { isError: true } : {}) };
    },
    async onApproval(request) {
      const { tool, claimed } = request;
      const { input, beside } = (await words?.tell(request)) ?? { input: request.input };
      const asked = await port.submit(nextId(), {
        ...{ type: 'native.approve', effect, attempt, tool, input },
        ...(claimed && { claimed }),
        ...beside,
      });
      if (!asked.ok) return { decision: 'deny', message: asked.error.message };
      const permit = field(asked.value, 'permit');
      if (permit === 'allow') return { decision: 'allow' };
      if (permit === 'done') return { decision: 'deny', done: true, message: DONE_BEFORE };
      if (permit === 'deny') return { decision: 'deny', message: denialIn(asked.value) };
      const approval = field(asked.value, 'approval');
      const resolution = await port.until(
        (state) => findResolution(look.approvalsOf(state), approval),
        signal,
      );
      if (resolution === undefined) return { decision: 'deny', message: denialOf(undefined) };
      // In the log before the agent hears it: a later try of the turn does not do it a second time.
      const told = await port.submit(nextId(), { type: 'native.tell', effect, attempt, approval });
      if (!told.ok) return { decision: 'deny', message: told.error.message };
      if (resolution.decision === 'change') return changed(resolution.input ?? null, approval);
      return answerOf(resolution);
    },
  };
  // A journal that does not answer is an answer of ours, never the agent's crash.
  return {
    callTool: (call) => native.callTool(call).catch(() => ({ output: UNANSWERED, isError: true })),
    onApproval: (request) =>
      native.onApproval(request).catch(() => ({ decision: 'deny', message: UNANSWERED })),
  };
}

const ERASED = 'What the call was changed to needs a credential that was erased. Nothing was allowed.';
function answerOf({ decision, message }: Resolution): ApprovalAnswer {
  if (decision === 'allow') return { decision: 'allow' };
  return { decision: 'deny', message: message ?? denialOf(decision) };
}

/** What a rule, or a person at an earlier try, said against it. */
const denialIn = (answer: JsonValue): string => {
  const message = field(answer, 'message');
  return message === '' ? `Not allowed: ${field(answer, 'reason')}.` : message;
};

const DONE_BEFORE = 'This was done before the turn was cut off. It is not done again.';
const UNANSWERED = 'The run could not be asked. Nothing was allowed.';

function field(answer: JsonValue, name: string): string {
  const value = typeof answer === 'object' && answer !== null && name in answer ? Object(answer)[name] : '';
  return typeof value === 'string' ? value : '';
}
