import { guard } from '@cuebook/guard';
import type { JsonValue, OfferedTool } from '@cuebook/prompt';
import { ok, type Result } from '@cuebook/prompt';
import type { ServerTool } from '@cuebook/provider/servers';
import type { ToolPolicy } from '../policy/policy.js';
import { applyPatchTool } from './apply-patch.js';
import { askUser } from './ask-user.js';
import { listTool } from './list.js';
import { readTool } from './read.js';
import { searchTool } from './search.js';
import { terminalTool } from './terminal.js';
import type { WorkflowTool } from './tool.js';
import { writeTool } from './write.js';

/** Every tool of ours, in the order in which models are told. */
export const WORKFLOW_TOOLS: readonly WorkflowTool[] = [
  listTool,
  readTool,
  searchTool,
  writeTool,
  applyPatchTool,
  askUser,
  terminalTool,
];

export const findTool = (name: string): WorkflowTool | undefined =>
  WORKFLOW_TOOLS.find((tool) => tool.name === name);

/** The tools that an agent of this policy is told of. What is not among them is not run. */
export function visibleTools(
  policy: ToolPolicy,
  servers: readonly ServerTool[] = [],
): readonly OfferedTool[] {
  const allowed = servers.filter(({ server }) => !guard('mcp.allowed', !allowsServer(policy, server)));
  return [...WORKFLOW_TOOLS.filter(({ isOn }) => isOn(policy)), ...allowed].map(
    ({ name, description, parameters }) => ({ name, description, parameters }),
  );
}

/** Whether an agent of this policy may call the tools of a server. */
const allowsServer = ({ mcp }: ToolPolicy, server: string): boolean =>
  mcp.enabled && (mcp.allowedServers?.includes(server) ?? true);

/** Whether a call may change the state, by any spelling of its path. */
export const changesState = (tool: string, args: JsonValue): boolean =>
  findTool(tool)?.changesState?.(args) ?? false;

/** The arguments, looked at before anybody is asked. Most are looked at where they run: there every refusal has its line in the audit. */
export const validateArgs = (
  tool: string,
  args: JsonValue,
  by: 'model' | 'person',
): Result<JsonValue, string> => findTool(tool)?.validate?.(args, by) ?? ok(args);
