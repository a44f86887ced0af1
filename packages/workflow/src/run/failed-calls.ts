import type { WorkflowRunState } from './machine/state.js';

/** A call that was refused or has failed. */
export interface FailedCall {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/**
 * Tells of calls that were refused or failed, each once: those whose results came to the history, or that an agent
 * made in mid-turn, since `from` was the state of the run.
 */
export function createFailedCalls(tell: (failed: FailedCall) => void) {
  let from: number | undefined;
  const told = new Set<string>();
  return (state: WorkflowRunState): void => {
    const { history } = state.agent;
    // What stood there when this process began was told by the one before it.
    from ??= history.length;
    const results = history.slice(from).flatMap((message) => {
      if (message.role !== 'tool' || !message.isError) return [];
      return [{ call: message.call, name: message.name, text: message.text }];
    });
    from = history.length;
    for (const { call, name, text } of [...results, ...state.strays]) {
      if (told.has(call)) continue;
      told.add(call);
      tell({ name, ...reasonOf(text, Object.hasOwn(state.refused, call) ? state.refused[call] : undefined) });
    }
  };
}

/** A result of a tool is JSON with a code and a sentence; a refusal is a sentence. */
function reasonOf(text: string, code = 'TOOL_EXEC_FAILED'): Omit<FailedCall, 'name'> {
  try {
    const { error, exitCode, stderr } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    const own = Object(error) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof own.code === 'string') return { code: own.code, message: String(own.message ?? '') };
    if (typeof exitCode === 'number')
      return { code, message: `The program ended with ${exitCode}. ${String(stderr ?? '')}`.trim() };
  } catch {
    // A sentence, as it is.
  }
  return { code, message: text };
}
