import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { servedName, toolsServed } from '../compose/served.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { type Problem, problemAt } from '../shape/read-shape.js';

/** What is wrong with a name of a server in `tools`, as far as the configuration says. */
export function checkServed({ servers }: Catalog, name: string): readonly Problem[] {
  const { server } = servedName(name) ?? {};
  if (servers === undefined || server === undefined) return [];
  if (!guard('check.server', !servers.names.includes(server))) return [];
  const meant = nearest(server, servers.names);
  const advice =
    meant === undefined ? 'Add it there' : `Did you mean "${name.replace(`mcp.${server}`, `mcp.${meant}`)}"?`;
  const message = `"${name}" is of the MCP server "${server}", which cuebook.yaml does not name under \`servers\`. ${advice}`;
  return [{ code: 'E_MCP_UNKNOWN', severity: 'error', message }];
}

/** Tools that a prompt lists and that a server, which has answered, does not offer. */
export function missingServed(catalog: Catalog, entry: DefinitionEntry<PromptData>): readonly Diagnostic[] {
  const { asked = [] } = catalog.servers ?? {};
  return entry.data.tools.flatMap(({ name }, index) => {
    const { server = '', isTool } = servedName(name) ?? {};
    if (isTool !== true || !asked.includes(server) || toolsServed(catalog, name).length > 0) return [];
    const offered = toolsServed(catalog, `mcp.${server}`).map((tool) => tool.name);
    const meant = nearest(name, offered);
    const advice =
      meant === undefined ? `It has: ${offered.join(', ') || 'none'}` : `Did you mean "${meant}"?`;
    const message = `The MCP server "${server}" offers no tool "${name}", so the model is not told of it. ${advice}`;
    return [problemAt(entry.source, ['tools', index], { code: 'W_MCP_TOOL', severity: 'warning', message })];
  });
}
