import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { Audit } from './audit.js';
import { findTool } from './catalog.js';
import { failed, type WorkflowToolResult } from './result.js';
import type { RunContext } from './tool.js';

/** A call of a tool of ours, as a model makes it. */
export interface OwnCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonValue;
  readonly agentId: string;
}

export interface ToolsInput extends RunContext {
  readonly audit?: Audit | undefined;
  readonly now: () => number;
}

/** A result, and whether the audit has its line. */
export interface CallAnswer {
  readonly result: WorkflowToolResult;
  readonly audited: boolean;
}

/** Runs the tools of one agent by one policy. Never throws: whatever goes wrong is a result. */
export interface Tools {
  call(call: OwnCall): Promise<CallAnswer>;
}

export function createTools(input: ToolsInput): Tools {
  const { audit, now } = input;
  const answer = async ({ name, args }: OwnCall): Promise<WorkflowToolResult> => {
    const tool = findTool(name);
    if (tool === undefined || guard('tool.available', !tool.isOn(input.policy))) {
      return failed(
        'TOOL_NOT_AVAILABLE',
        `There is no tool ${/^[\w.-]{1,80}$/.test(name) ? name : 'of that name'}`,
      );
    }
    return tool.run(input, args);
  };
  return {
    async call(call) {
      const startedAt = now();
      // A bug in a tool is an answer like any other: a run does not end by it, and nothing of it is told.
      const result = await answer(call).catch(() => failed('TOOL_EXEC_FAILED', 'The tool failed'));
      if (audit === undefined) return { result, audited: false };
      const { id, name, agentId, args } = call;
      const audited = await audit.add({
        toolCallId: id,
        toolName: name,
        agentId,
        input: args,
        output: result,
        startedAt,
        durationMs: now() - startedAt,
      });
      return { result, audited };
    },
  };
}
