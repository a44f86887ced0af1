import { guard } from '@cuebook/guard';
import type { OfferedTool } from '@cuebook/prompt';
import { fitNames } from '../agent/fit-names.js';

/** Tools under names that Codex takes, and the way back. */
export interface NamedTools {
  readonly tools: readonly { readonly name: string; readonly tool: OfferedTool }[];
  /** Our name of a tool that the agent calls; undefined when it is none of ours. */
  ours(name: string): string | undefined;
}

/**
 * Codex takes no name that begins with `mcp__`; and it leaves a tool away without a word when one of its own has the
 * name. Deterministic, so that a resumed thread, whose tools are those that it began with, still means the same by
 * each name.
 */
export function nameTools(tools: readonly OfferedTool[]): NamedTools {
  const { toTold, toOwn } = fitNames(tools, { max: MAX_NAME, wish });
  return { tools: tools.map((tool) => ({ name: toTold(tool.name), tool })), ours: toOwn };
}

function wish(name: string): string {
  const isTaken = name.startsWith('mcp__') || OWN_TOOLS.has(name);
  return guard('codex.name', isTaken) ? `cuebook_${name}` : name;
}

const MAX_NAME = 64;

/** Codex's own tools, of all its models and modes. */
const OWN_TOOLS: ReadonlySet<string> = new Set([
  ...['exec_command', 'write_stdin', 'shell', 'shell_command', 'local_shell', 'container', 'exec', 'wait'],
  ...['apply_patch', 'view_image', 'update_plan', 'request_user_input', 'request_permissions', 'tool_search'],
  ...['get_goal', 'create_goal', 'update_goal', 'web_search', 'image_generation', 'read_file', 'list_dir'],
  ...['grep_files', 'spawn_agent', 'send_input', 'send_message', 'wait_agent', 'close_agent', 'resume_agent'],
  ...['list_agents', 'list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource', 'js_repl'],
]);
