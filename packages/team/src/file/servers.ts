import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { CONFIG_FILE } from '@cuebook/profile';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import type { ServersConfig, ServerTool } from '@cuebook/provider/servers';
import { diagnosticAt, type YamlSource } from '@cuebook/yaml';
import { serverOf } from '../capability/served.js';
import type { TeamFile } from './schema.js';

/** The servers that nodes of a team name, each once. */
const serversWanted = ({ nodes }: Pick<TeamFile, 'nodes'>): readonly string[] => [
  ...new Set(nodes.flatMap(({ servers = [] }) => servers.map(serverOf))),
];

/** The servers of a project, for a team that names some. Nothing of them is started. */
export async function loadServers(
  project: TextSource,
  team: TeamFile,
): Promise<{
  readonly found: { readonly servers?: ServersConfig };
  readonly diagnostics: readonly Diagnostic[];
}> {
  if (serversWanted(team).length === 0) return { found: {}, diagnostics: [] };
  const { readServers } = await import('@cuebook/provider/servers');
  const text = await project.readText(CONFIG_FILE);
  const read = text.ok ? readServers(text.value, CONFIG_FILE) : undefined;
  if (read?.ok === false) return { found: {}, diagnostics: read.error };
  return { found: { servers: read?.value ?? {} }, diagnostics: [] };
}

/** The servers that a run of a team may use, as the operator names them. */
export function serversOf({ team, servers = {} }: SourceOfServers): ServersConfig {
  const wanted = serversWanted(team);
  return Object.fromEntries(Object.entries(servers).filter(([name]) => wanted.includes(name)));
}

interface SourceOfServers {
  readonly team: Pick<TeamFile, 'nodes'>;
  readonly servers?: ServersConfig;
}

/** Servers that nodes name and the project does not. Of a configuration that cannot be read nothing is said. */
export function checkServers({
  team,
  servers,
  yaml,
}: SourceOfServers & { readonly yaml: YamlSource }): readonly Diagnostic[] {
  if (servers === undefined) return [];
  const names = Object.keys(servers);
  return eachEntry(team, (entry, path) => {
    const server = serverOf(entry);
    if (!guard('file.server', !Object.hasOwn(servers, server))) return [];
    const meant = nearest(server, names);
    const advice = meant === undefined ? 'Add it there' : `Did you mean "${entry.replace(server, meant)}"?`;
    const message = `"${entry}" is of the MCP server "${server}", which cuebook.yaml does not name under \`servers\`. ${advice}`;
    return [diagnosticAt(yaml, path, { code: 'E_MCP_UNKNOWN', severity: 'error', message })];
  });
}

/** Single tools that nodes name and that a server, which has answered, does not offer. */
export function missingTools(
  { team, yaml }: { readonly team: Pick<TeamFile, 'nodes'>; readonly yaml: YamlSource },
  { asked, tools }: { readonly asked: readonly string[]; readonly tools: readonly ServerTool[] },
): readonly Diagnostic[] {
  return eachEntry(team, (entry, path) => {
    const server = serverOf(entry);
    const offered = tools.filter((tool) => tool.server === server).map(({ own }) => `${server}.${own}`);
    if (entry === server || !asked.includes(server) || offered.includes(entry)) return [];
    const meant = nearest(entry, offered);
    const advice =
      meant === undefined ? `It has: ${offered.join(', ') || 'none'}` : `Did you mean "${meant}"?`;
    const message = `The MCP server "${server}" offers no tool "${entry}", so the node is not told of it. ${advice}`;
    return [diagnosticAt(yaml, path, { code: 'W_MCP_TOOL', severity: 'warning', message })];
  });
}

const eachEntry = (
  { nodes }: Pick<TeamFile, 'nodes'>,
  look: (entry: string, path: readonly PropertyKey[]) => readonly Diagnostic[],
): readonly Diagnostic[] =>
  nodes.flatMap(({ servers = [] }, index) =>
    servers.flatMap((entry, at) => look(entry, ['nodes', index, 'servers', at])),
  );
