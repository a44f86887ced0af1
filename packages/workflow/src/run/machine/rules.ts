import type { Permit, Tool, ToolRules } from '@cuebook/engine';
import { type JsonValue, ok } from '@cuebook/prompt';
import { guard } from '../../guard.js';
import type { ToolPolicy } from '../../policy/policy.js';
import { visibleTools } from '../../policy/tools.js';
import type { ServerTool } from '../../server/servers.js';
import { ASK_USER, checkQuestion } from '../question/question.js';
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
  const serverOf = (tool: string) => input.serverTools.find(({ name }) => name === tool)?.server;
  const isClosing = guard('run.closing', composed?.isClosing === true);
  return {
    tools: [...OWN_TOOLS, ...input.serverTools.map(({ name }) => ({ name }))],
    allowed: isClosing ? [] : visible.map(({ name }) => name),
    offered: visible.map(({ name }) => name),
    spelling: composed?.spelling ?? 'own',
    // The arguments of other tools are looked at where they run: there every refusal has its line in the audit.
    validate: (tool, args) => (tool === ASK_USER ? checkQuestion(args, by) : ok(args)),
    permit: (tool, args) => {
      const server = policy?.mcp.approval === 'always' ? serverOf(tool) : undefined;
      if (guard('run.server-asks', server !== undefined))
        return { kind: 'ask', reason: `It is a tool of the MCP server ${server}.` };
      return permit(tool, args, composed?.isComplete === true);
    },
    maxResultBytes: MAX_TOLD,
  };
}

/** Results are made to fit before; this only bounds what cleaning adds to one. */
const MAX_TOLD = 200_000;

/** Once the workflow is complete, each change of its state is a person's to allow. */
function permit(tool: string, args: JsonValue, isComplete: boolean): Permit {
  if (!guard('run.confirm', isComplete && changesState(tool, args))) return { kind: 'allow' };
  return { kind: 'ask', reason: 'The workflow is complete: each change of its state needs a confirmation.' };
}

/** By any spelling: asking once too often does no harm. */
export function changesState(tool: string, args: JsonValue): boolean {
  if (tool === 'fs.apply_patch') return true;
  const path = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
  return tool === 'fs.write' && typeof path === 'string' && /^\s*@state/i.test(path);
}

/** A call that was begun when the process died: reading is repeated, a write is looked for, of a program nobody knows. */
export const OWN_TOOLS: readonly Tool[] = [
  { name: 'fs.list', safety: 'idempotent', parallel: true },
  { name: 'fs.read', safety: 'idempotent', parallel: true },
  { name: 'fs.search', safety: 'idempotent', parallel: true },
  { name: 'fs.write', safety: 'observable' },
  { name: 'fs.apply_patch', safety: 'observable' },
  { name: ASK_USER, safety: 'idempotent', policy: 'ask' },
  { name: 'terminal.run' },
];
