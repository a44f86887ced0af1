import { type PlannedCall, planCalls, type Tool, type ToolRules } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import {
  checkArgs,
  GRAPH_TOOLS,
  MATERIAL_TOOLS,
  type ToolName,
  toolsOf,
  WORK_TOOLS,
} from '../../call/tools.js';
import { type AuthorizeContext, authorize } from '../../capability/authorize.js';
import { isServedName, readsOnly, type ServedTool, toolsServedTo } from '../../capability/served.js';
import { toolHolder } from '../../prompt/compose.js';
import { edgeScopeOf, reviews } from '../../role/template.js';
import type { TeamConfig } from '../config.js';
import { type NodeState, nodesOf, type TeamState } from '../state.js';

/** The tools of a node and what keeps them in bounds, as things stand now. */
export function rulesOf(state: TeamState, { node }: NodeState, config: TeamConfig): ToolRules {
  return {
    tools: [...TOOLS, ...toolsServedTo(node, state.served ?? []).map(asTool)],
    validate: (name, input) => (isServedName(name) ? checkServedArgs(input) : checkArgs(name, input)),
    permit: (name, input) => authorize(node, { name, input }, contextOf(state, { node }, config)),
    maxResultBytes: state.settings.maxResultBytes,
  };
}

/** What `authorize` looks at, as things stand now. */
export function contextOf(
  state: TeamState,
  { node }: Pick<NodeState, 'node'>,
  config: TeamConfig,
): AuthorizeContext {
  const role = Object.hasOwn(state.roles, node.role) ? state.roles[node.role] : undefined;
  return {
    globalMode: state.settings.globalMode,
    nativeTools: config.nativeTools(node.provider),
    scope: role === undefined ? 'none' : edgeScopeOf(role),
    reviews: role !== undefined && reviews(role),
    served: state.served,
    readsOnly: role === undefined || readsOnly(role),
    nodes: nodesOf(state).map((each) => each.node),
    limits: state.settings.limits,
  };
}

/** Everything decided about the calls of an answer. An unknown tool is answered with those that there are. */
export function planTeamCalls(
  state: TeamState,
  node: NodeState,
  asked: Parameters<typeof planCalls>[0],
  { config, newId }: { readonly config: TeamConfig; readonly newId: (prefix: string) => string },
): readonly PlannedCall[] {
  const role = state.roles[node.node.role] ?? NO_ROLE;
  const known = [
    ...toolsOf(toolHolder(role, node.node, config.nativeTools(node.node.provider))),
    ...toolsServedTo(node.node, state.served ?? []).map(({ name }) => name),
  ];
  const rules = { ...rulesOf(state, node, config), offered: known };
  return planCalls(asked, rules, { newId, granted: grantedOf(node) }).map((call) => {
    if (call.result?.code !== 'E_TOOL_UNKNOWN') return call;
    const text = call.result.text.replace(/ There are: .*$/s, '');
    return { ...call, result: { ...call.result, text: `${text} There are: ${known.join(', ')}.` } };
  });
}

/** Whoever does not lead asks for each node that it spawns, whatever was allowed before. */
const grantedOf = ({ node, granted }: NodeState): readonly string[] =>
  granted.filter((tool) => !guard('grant.spawn', tool === 'spawn_node' && !node.orchestrator));

const SAFETY: Readonly<Partial<Record<ToolName, Tool['safety']>>> = {
  read_file: 'idempotent',
  list_files: 'idempotent',
  read_artifact: 'idempotent',
  read_workspace: 'idempotent',
  keep_context: 'idempotent',
  write_file: 'observable',
  delete_file: 'observable',
};

const NO_ROLE = { capabilities: [] } as const;

const TOOLS: readonly Tool[] = [...WORK_TOOLS, ...MATERIAL_TOOLS, ...GRAPH_TOOLS].map((name) => {
  const safety = SAFETY[name];
  return safety === undefined ? { name } : { name, safety };
});

/** A call that a crash cut off is made again only where its server says that this does no harm. */
const asTool = ({ name, repeats }: ServedTool): Tool =>
  repeats === true ? { name, safety: 'idempotent' } : { name };

/** The server judges the arguments of its tools; here they are only an object. */
const checkServedArgs = (input: JsonValue): Result<JsonValue, string> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? ok(input)
    : fail('the arguments are one JSON object');
