import type { Catalog, CatalogServers, DefinitionEntry } from '../load/catalog.js';
import type { PromptData } from '../shape/prompt-shape.js';

/** A name in `tools` that means an MCP server, `mcp.SERVER`, or one of its tools, `mcp.SERVER.TOOL`. */
export function servedName(name: string): { readonly server: string; readonly isTool: boolean } | undefined {
  const [, server, tool] = /^mcp\.([a-z][a-z0-9-]{0,30})(\.[\w.-]{1,60})?$/.exec(name) ?? [];
  return server === undefined ? undefined : { server, isTool: tool !== undefined };
}

/** The servers that prompts list tools of. */
export const serversListed = (prompts: Iterable<DefinitionEntry<PromptData>>): readonly string[] => [
  ...new Set(
    [...prompts].flatMap(({ data }) => data.tools.flatMap(({ name }) => servedName(name)?.server ?? [])),
  ),
];

/** The tools that a name in `tools` stands for, of those that the servers offer. */
export function toolsServed({ servers }: Catalog, name: string): CatalogServers['tools'] {
  const { server, isTool } = servedName(name) ?? {};
  return (servers?.tools ?? []).filter((tool) => (isTool ? tool.name === name : tool.server === server));
}
