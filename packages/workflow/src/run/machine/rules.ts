import type { Permit, Tool, ToolRules } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { ServerTool } from '@cuebook/provider/servers';
import type { ToolPolicy } from '../../policy/policy.js';
import { changesState, validateArgs, visibleTools, WORKFLOW_TOOLS } from '../../tool/catalog.js';
import type { WorkflowRunState } from './state.js';

/** What the tools of a run depend on beside its state. */
export interface RulesInput {
  /** The merged policy of an agent: the one that its tools are told by. */
  readonly policyOf: (agentId: string) => ToolPolicy;
  /** What the servers of the run offer. */
  readonly serverTools: readonly ServerTool[];
}

/**
 * The tools of the turn that was composed last, by the policy of the agent that spoke in it: what it was not told
 * of it cannot call, and in the closing turn it can call nothing.
 */
export function rulesOf(state: WorkflowRunState, by: 'model' | 'person', input: RulesInput): ToolRules {
  const { composed } = state;
  const policy = composed === null ? undefined : input.policyOf(composed.agentId);
  const visible = policy === undefined ? [] : visibleTools(policy, input.serverTools);
  const served = (tool: string) => input.serverTools.find(({ name }) => name === tool);
  const isClosing = guard('run.closing', composed?.isClosing === true);
  return {
    tools: [...WORKFLOW_TOOLS, ...input.serverTools.map(({ name, repeats }) => asTool(name, repeats))],
    allowed: isClosing ? [] : visible.map(({ name }) => name),
    offered: visible.map(({ name }) => name),
    spelling: composed?.spelling ?? 'own',
    validate: (tool, args) => validateArgs(tool, args, by),
    permit: (tool, args) => {
      const { server, asks = policy?.mcp.approval === 'always' } = served(tool) ?? {};
      if (guard('run.server-asks', server !== undefined && asks))
        return { kind: 'ask', reason: `It is a tool of the MCP server ${server}.` };
      return permit(tool, args, composed?.isComplete === true);
    },
    maxResultBytes: MAX_TOLD,
  };
}

/** A call that a crash cut off is made again only where its server says that this does no harm. */
const asTool = (name: string, repeats = false): Tool => (repeats ? { name, safety: 'idempotent' } : { name });

/** Results are made to fit before; this only bounds what cleaning adds to one. */
const MAX_TOLD = 200_000;

/** Once the workflow is complete, each change of its state is a person's to allow. */
function permit(tool: string, args: JsonValue, isComplete: boolean): Permit {
  if (!guard('run.confirm', isComplete && changesState(tool, args))) return { kind: 'allow' };
  return { kind: 'ask', reason: 'The workflow is complete: each change of its state needs a confirmation.' };
}
