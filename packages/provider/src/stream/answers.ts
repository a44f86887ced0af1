import type { JsonValue, Redactor } from '@cuebook/prompt';
import type { ApprovalAnswer, ToolAnswer, TurnInput } from '../turn.js';
import { cleanText } from './neutral.js';

/**
 * The caller's answers in mid-turn as a provider may use them: they never reject, what they say is cleaned, and
 * `hold` knows that somebody is being waited for.
 */
export function safeAnswers(
  input: TurnInput,
  redactor: Redactor,
  hold: <T>(work: Promise<T>) => Promise<T>,
): Pick<TurnInput, 'onApproval' | 'callTool'> {
  const { onApproval, callTool } = input;
  return {
    ...(onApproval && {
      onApproval: async (request) => {
        const answer = await hold(attempt(() => onApproval(request)));
        return answer === undefined ? NOBODY_ANSWERED : cleanAnswer(answer, redactor);
      },
    }),
    ...(callTool && {
      callTool: async (call) => {
        const answer = await hold(attempt(() => callTool(call)));
        if (answer === undefined) return TOOL_BROKE;
        return { ...answer, output: cleanText(String(answer.output), redactor) };
      },
    }),
  };
}

const NOBODY_ANSWERED: ApprovalAnswer = { decision: 'deny', message: 'The request could not be answered.' };
const TOOL_BROKE: ToolAnswer = { output: 'The tool could not be run.', isError: true };

/** Undefined for a throw: an answer that is not one denies. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

function cleanAnswer(answer: ApprovalAnswer, redactor: Redactor): ApprovalAnswer {
  if (answer.decision === 'allow') return { decision: 'allow' };
  if (answer.decision === 'change') {
    return { decision: 'change', input: redactor.redactValue(answer.input as JsonValue).value };
  }
  const done = answer.done === true ? ({ done: true } as const) : {};
  if (answer.message === undefined) return { decision: 'deny', ...done };
  return { decision: 'deny', message: cleanText(answer.message, redactor), ...done };
}
