import type { Tool } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { JsonValue, OfferedTool, Result } from '@cuebook/prompt';
import { printPath } from '@cuebook/yaml';
import type { z } from 'zod';
import type { ToolPolicy } from '../policy/policy.js';
import type { ProgramRunner, ToolContext } from './context.js';
import { fitToolResult } from './keep.js';
import { failed, type WorkflowToolResult } from './result.js';

/**
 * A tool of ours: what a model is told of it, what is known of a call that was cut off, and how it is run. All else
 * follows from the records of `WORKFLOW_TOOLS`.
 */
export interface WorkflowTool extends OfferedTool, Tool {
  /** Whether an agent of this policy has it. */
  readonly isOn: (policy: ToolPolicy) => boolean;
  /** Whether a call may change the state; left out: it cannot. Once too often does no harm. */
  readonly changesState?: (args: JsonValue) => boolean;
  /** Looks at the arguments before anybody is asked; left out: they are looked at where the tool runs. */
  readonly validate?: (args: JsonValue, by: 'model' | 'person') => Result<JsonValue, string>;
  readonly run: (context: RunContext, args: JsonValue) => Promise<WorkflowToolResult>;
}

/** What a call is run with. */
export interface RunContext extends ToolContext {
  /** The folder of the state: where large results are kept. */
  readonly keeper?: Files | undefined;
  /** Where programs run, for the policy of the one who asks; left out: nowhere. */
  readonly terminal?: ((policy: ToolPolicy) => ProgramRunner) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface FileTool<Args extends z.ZodType> extends OfferedTool, Tool {
  readonly args: Args;
  /** What the arguments look like, for a model that sent others. */
  readonly takes: string;
  readonly changesState?: (args: JsonValue) => boolean;
  readonly run: (context: ToolContext, args: z.infer<Args>) => Promise<WorkflowToolResult>;
}

/** A tool that works on the mounts. Its result is made to fit. */
export const fileTool = <Args extends z.ZodType>({
  args,
  takes,
  run,
  ...tool
}: FileTool<Args>): WorkflowTool => ({
  ...tool,
  isOn: ({ fs }) => fs.enabled,
  async run(context, given) {
    const parsed = readArgs(args, given, `${tool.name} takes ${takes}`);
    return parsed.ok ? fitToolResult(await run(context, parsed.args), context.keeper) : parsed.result;
  },
});

/** The arguments of a call, or the refusal. A key that a tool does not have is an error, never ignored. */
export function readArgs<Args extends z.ZodType>(
  schema: Args,
  given: unknown,
  hint: string,
):
  | { readonly ok: true; readonly args: z.infer<Args> }
  | { readonly ok: false; readonly result: WorkflowToolResult } {
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, args: parsed.data };
  const [issue] = parsed.error.issues;
  const where = printPath(issue?.path ?? []) || 'the arguments';
  return { ok: false, result: failed('E_INVALID_ARGS', `${where}: ${issue?.message ?? 'wrong'}. ${hint}`) };
}
