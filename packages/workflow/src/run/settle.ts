import type { Audit } from '../tool/audit.js';
import type { CallLog } from '../tool/call-log.js';
import type { WorkflowRunState } from './state.js';

/**
 * Before a turn: every call of the answers since the turn before it has its line in the audit, those that were never
 * run included, and the notes about calls that the log knows the results of are thrown away. Done twice it is done once.
 */
export async function settleHistory(
  { agent, composed, refused }: WorkflowRunState,
  { audit, log }: { readonly audit: Audit; readonly log: CallLog },
): Promise<void> {
  const since = composed?.messages ?? 0;
  for (const [index, message] of agent.history.entries()) {
    if (index < since || message.role !== 'tool') continue;
    await log.forget(message.call);
    if (!message.isError) continue;
    const code = Object.hasOwn(refused, message.call) ? refused[message.call] : undefined;
    await audit.add({
      toolCallId: message.call,
      toolName: message.name,
      agentId: composed?.agentId ?? '',
      input: inputOf(agent.history, message.call),
      output: { ok: false, error: { code: code ?? 'TOOL_EXEC_FAILED', message: message.text } },
      startedAt: 0,
      durationMs: 0,
    });
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
