import { guard } from '@cuebook/guard';
import type { OfferedTool } from '@cuebook/prompt';

/** Tools under names that Codex takes, and the way back. */
export interface NamedTools {
  readonly tools: readonly { readonly name: string; readonly tool: OfferedTool }[];
  /** Our name of a tool that the agent calls; undefined when it is none of ours. */
  ours(name: string): string | undefined;
}

/**
 * Codex takes letters, digits, `_` and `-`, no name twice, none that begins with `mcp__`; and it leaves a tool
 * away without a word when one of its own has the name. Names that fit stay as they are. Deterministic, so
 * that a resumed thread, whose tools are those that it began with, still means the same by each name.
 */
export function nameTools(tools: readonly OfferedTool[]): NamedTools {
  const taken = new Map<string, string>();
  const kept = new Set(tools.map(({ name }) => name).filter((name) => fittingName(name) === name));
  const named = tools.map((tool) => {
    const name = freeName(
      fittingName(tool.name),
      (wish) => taken.has(wish) || (wish !== tool.name && kept.has(wish)),
    );
    taken.set(name, tool.name);
    return { name, tool };
  });
  return { tools: named, ours: (name) => taken.get(name) };
}

function fittingName(name: string): string {
  const fit = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME);
  const isTaken = fit === '' || fit.startsWith('mcp__') || OWN_TOOLS.has(fit);
  return guard('codex.name', isTaken) ? `cuebook_${fit}`.slice(0, MAX_NAME) : fit;
}

function freeName(name: string, isTaken: (wish: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const tail = number === 1 ? '' : `_${number}`;
    const candidate = name.slice(0, MAX_NAME - tail.length) + tail;
    if (!isTaken(candidate)) return candidate;
  }
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
