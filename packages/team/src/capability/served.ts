import type { Permit } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { JsonValue, OfferedTool } from '@cuebook/prompt';
import type { ServerTool } from '@cuebook/provider/servers';
import type { TeamNode } from '../graph/node.js';
import { foldWord, type RoleTemplate } from '../role/template.js';
import { isGated } from './capabilities.js';
import type { GlobalMode } from './global-mode.js';

/** A tool of an MCP server as the record of a run has it. Plain JSON: its words are those of a stranger, cleaned. */
export type ServedTool = {
  /** `mcp.SERVER.TOOL`. */
  readonly name: string;
  readonly server: string;
  readonly description: string;
  /** The shape of its arguments. */
  readonly parameters: { readonly [key: string]: JsonValue };
  readonly asks?: true;
  readonly reads?: true;
  readonly repeats?: true;
};

/** A tool for the record. */
export const recordedTool = ({
  own: _,
  description = '',
  parameters = {},
  ...tool
}: ServerTool): ServedTool => ({
  ...tool,
  description,
  parameters: parameters as ServedTool['parameters'],
});

/** A tool as a model is told of it. */
export const offeredTool = ({ name, description, parameters }: ServedTool): OfferedTool => ({
  name,
  description,
  parameters,
});

/** Whether a name is that of a tool of some server. */
export const isServedName = (name: string): boolean => name.startsWith('mcp.');

/** The server of an entry of `servers`. */
export const serverOf = (entry: string): string => entry.split('.', 1)[0] ?? entry;

/** Whether a list of servers and single tools has a tool. */
const lists = (servers: readonly string[], { name, server }: Pick<ServedTool, 'name' | 'server'>): boolean =>
  servers.includes(server) || servers.includes(name.slice('mcp.'.length));

/** The tools of servers that a node may call, of those that there are. */
export const toolsServedTo = (
  { servers = [] }: Pick<TeamNode, 'servers'>,
  tools: readonly ServedTool[],
): readonly ServedTool[] => tools.filter((tool) => !guard('served.granted', !lists(servers, tool)));

/** What a child gets of what was wanted for it: no tool that its parent does not have. */
export const serversWithin = (wanted: readonly string[], parents: readonly string[]): readonly string[] => [
  ...new Set(
    wanted.flatMap((entry) => {
      if (parents.includes(entry) || parents.includes(serverOf(entry))) return [entry];
      return parents.filter((each) => each.startsWith(`${entry}.`) && serverOf(entry) === entry);
    }),
  ),
];

/** What a decision about a call of a server looks at. */
export interface ServedContext {
  readonly globalMode: GlobalMode;
  /** The tools of all servers of the run. Left out: there are none. */
  readonly served?: readonly ServedTool[] | undefined;
  /** Whether the node's role only reads. Left out: it does not. */
  readonly readsOnly?: boolean | undefined;
}

/**
 * Whether a node may call a tool of a server. Nobody here can see what such a call changes: where nothing may be
 * changed, only a tool of which its server says that it reads is called.
 */
export function authorizeServed(
  node: Pick<TeamNode, 'servers' | 'capabilities' | 'permissions'>,
  name: string,
  { globalMode, served = [], readsOnly = false }: ServedContext,
): Permit {
  const tool = toolsServedTo(node, served).find((each) => each.name === name);
  if (tool === undefined)
    return deny('this node has no such tool of a server; it has those that `servers` of its settings names');
  if (guard('served.delegate', node.capabilities.delegateOnly))
    return deny('this node only delegates (delegateOnly=true)');
  const changes = tool.reads !== true;
  if (guard('served.planning', changes && globalMode === 'PLANNING'))
    return deny(
      'its server does not say that it only reads, so PLANNING does not call it; ask for IMPLEMENTATION',
    );
  if (guard('served.reads', changes && readsOnly))
    return deny('its server does not say that it only reads, and the role of this node is read_only');
  if (guard('served.asks', tool.asks === true))
    return { kind: 'ask', reason: `it is a tool of the MCP server ${tool.server}` };
  return isGated(node.permissions)
    ? { kind: 'ask', reason: 'this node asks before every act' }
    : { kind: 'allow' };
}

/** Whether a role only reads, whatever else it declares. */
export const readsOnly = ({ constraints }: Pick<RoleTemplate, 'constraints'>): boolean =>
  constraints.some((word) => foldWord(word) === 'read_only');

const deny = (reason: string): Permit => ({ kind: 'deny', reason });
