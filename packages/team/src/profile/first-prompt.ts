import type { Composition } from '@cuebook/profile';
import { usesNativeTools } from '../call/native-tools.js';
import { toolDefinitions, toolsOf } from '../call/tools.js';
import type { GlobalMode } from '../capability/authorize.js';
import type { TeamEdge } from '../graph/edge.js';
import type { NodeText, TeamNode } from '../graph/node.js';
import { composeNode } from '../prompt/compose.js';
import type { RunMode } from '../prompt/task.js';
import { edgeScopeOf, type RoleTemplate } from '../role/template.js';

/** A node, and all that its first prompt tells. */
export interface FirstPrompt {
  readonly node: TeamNode;
  readonly role: RoleTemplate;
  readonly nodes: readonly TeamNode[];
  readonly edges: readonly TeamEdge[];
  readonly goal: NodeText | null;
  readonly done: readonly NodeText[];
  readonly mode: RunMode;
  readonly globalMode: GlobalMode;
  readonly budget: {
    readonly turns?: number | undefined;
    readonly tokens?: number | undefined;
    readonly usd?: number | undefined;
  };
  /** Whether the node begins the run. */
  readonly isEntry: boolean;
}

/** The first prompt of a node as blocks: what `render` shows, before there is a run. */
export function firstPrompt(first: FirstPrompt): Composition {
  const { node, role, budget, isEntry, nodes, edges, goal, done, mode, globalMode } = first;
  const nativeTools = usesNativeTools(node.provider);
  const { full } = composeNode({
    role,
    nativeTools,
    task: {
      ...{ node, edges, goal, done, mode, globalMode },
      run: 'run_first',
      turn: 1,
      cause: isEntry ? 'start' : 'handoff',
      nodes: nodes.map((each) => ({ ...each, status: 'idle' })),
      messages: [],
      handoffs: [],
      results: [],
      replies: [],
      budgetLeft: {
        turns: budget.turns ?? USUAL_BUDGET.turns,
        tokens: budget.tokens ?? USUAL_BUDGET.tokens,
        usd: budget.usd ?? null,
      },
    },
  });
  return {
    blocks: full,
    tools: toolDefinitions(toolsOf({ nativeTools, orchestrator: node.orchestrator })),
    params: node.model === undefined ? {} : { model: node.model },
    capabilities: [
      `edge_management_${edgeScopeOf(role)}`,
      ...role.capabilities.filter((word) => !word.startsWith('edge_')),
    ],
  };
}

/** What the engine gives a run that names no budget. Written here too: looking at a prompt needs no engine. */
export const USUAL_BUDGET = { turns: 50, tokens: 2_000_000 } as const;
