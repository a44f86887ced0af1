import type { JsonValue } from '@cuebook/prompt';
import type { Audit } from '../tool/audit.js';
import type { CallLog } from '../tool/call-log.js';
import type { WorkflowToolResult } from '../tool/result.js';
import type { WorkflowRunState } from './machine/state.js';

/**
 * Before a turn, and when a run stands still: every call since the latest turn has its line in the audit, those that
 * were never run included, and the notes about calls that the log knows the results of are thrown away. Done twice it
 * is done once.
 */
export async function settleHistory(
  { agent, composed, refused, strays }: WorkflowRunState,
  { audit, log, now }: { readonly audit: Audit; readonly log: CallLog; readonly now: () => number },
): Promise<void> {
  const since = composed?.messages ?? 0;
  const agentId = composed?.agentId ?? '';
  const codeOf = (call: string): string =>
    (Object.hasOwn(refused, call) ? refused[call] : undefined) ?? 'TOOL_EXEC_FAILED';
  const add = (call: string, toolName: string, input: JsonValue, message: string): Promise<boolean> => {
    const output: WorkflowToolResult = { ok: false, error: { code: codeOf(call), message } };
    return audit.add({ toolCallId: call, toolName, agentId, input, output, startedAt: now(), durationMs: 0 });
  };
  for (const { call, name, input, text } of strays) await add(call, name, input, text);
  for (const [index, message] of agent.history.entries()) {
    if (index < since || message.role !== 'tool') continue;
    await log.forget(message.call);
    if (message.isError) {
      await add(message.call, message.name, inputOf(agent.history, message.call), message.text);
    }
  }
}

function inputOf(history: WorkflowRunState['agent']['history'], call: string) {
  for (const message of history) {
    if (message.role !== 'assistant') continue;
    const found = message.calls.find(({ id }) => id === call);
    if (found !== undefined) return found.input;
  }
  return null;
}
