import type { Files } from '@cuebook/files';
import type { JsonValue } from '@cuebook/prompt';
import { printPath } from '@cuebook/yaml';
import { guard } from '../guard.js';
import { FILE_TOOLS, type FileToolName, visibleTools } from '../policy/tools.js';
import { applyPatchTool } from './apply-patch.js';
import { ARG_HINTS, ARGS, type ArgsOf } from './args.js';
import type { Audit } from './audit.js';
import type { ToolContext } from './context.js';
import { fitToolResult } from './keep.js';
import { listTool } from './list.js';
import { readTool } from './read.js';
import { failed, type ToolResult } from './result.js';
import { searchTool } from './search.js';
import { writeTool } from './write.js';

/** A call of a file tool, as a model makes it. */
export interface FileToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonValue;
  readonly agentId: string;
}

export interface FileToolsInput extends ToolContext {
  /** The folder of the state: where large results are kept. */
  readonly keeper?: Files | undefined;
  readonly audit?: Audit | undefined;
  readonly now: () => number;
}

/** A result, and whether the audit has its line. */
export interface FileToolAnswer {
  readonly result: ToolResult;
  readonly audited: boolean;
}

/** Runs the file tools of one agent by one policy. Never throws: whatever goes wrong is a result. */
export interface FileTools {
  call(call: FileToolCall): Promise<FileToolAnswer>;
}

export function createFileTools(input: FileToolsInput): FileTools {
  const { audit, keeper, now } = input;
  const visible = new Set(visibleTools(input.policy).map(({ name }) => name));
  const answer = async ({ name, args }: FileToolCall): Promise<ToolResult> => {
    if (!isFileTool(name) || guard('tool.available', !visible.has(name))) {
      return failed(
        'TOOL_NOT_AVAILABLE',
        `There is no tool ${/^[\w.-]{1,80}$/.test(name) ? name : 'of that name'}`,
      );
    }
    const parsed = ARGS[name].safeParse(args);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = printPath(issue?.path ?? []) || 'the arguments';
      return failed(
        'E_INVALID_ARGS',
        `${where}: ${issue?.message ?? 'wrong'}. ${name} takes ${ARG_HINTS[name]}`,
      );
    }
    return fitToolResult(await runTool(input, name, parsed.data), keeper);
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

const isFileTool = (name: string): name is FileToolName => (FILE_TOOLS as readonly string[]).includes(name);

function runTool(context: ToolContext, name: FileToolName, args: unknown): Promise<ToolResult> {
  switch (name) {
    case 'fs.list':
      return listTool(context, args as ArgsOf<'fs.list'>);
    case 'fs.read':
      return readTool(context, args as ArgsOf<'fs.read'>);
    case 'fs.search':
      return searchTool(context, args as ArgsOf<'fs.search'>);
    case 'fs.write':
      return writeTool(context, args as ArgsOf<'fs.write'>);
    case 'fs.apply_patch':
      return applyPatchTool(context, args as ArgsOf<'fs.apply_patch'>);
  }
}
