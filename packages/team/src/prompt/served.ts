import { type LabelledShell, type Piece, safeJson } from '@cuebook/prompt';
import { serverSource } from '@cuebook/provider/servers';
import type { ServedTool } from '../capability/served.js';
import { stated, told } from './say.js';

/**
 * Tools of MCP servers in the words of the task payload, for agents that are not offered them natively. What a server
 * says of its tools is a stranger's: it stands in fences, labelled with the server.
 */
export const servedShells = (tools: readonly ServedTool[]): readonly LabelledShell[] =>
  tools.length === 0
    ? []
    : [
        {
          header: 'SERVER_TOOLS',
          fields: [
            { key: 'count', value: stated(String(tools.length), 'server tools', 'session') },
            { key: 'call', value: told('served.call', 'session') },
          ],
        },
        ...tools.map(toolShell),
      ];

function toolShell(tool: ServedTool): LabelledShell {
  const shape = JSON.stringify(tool.parameters);
  return {
    header: 'SERVER_TOOL',
    fields: [
      { key: 'name', value: strange(tool, tool.name) },
      { key: 'args', value: strange(tool, safeJson(shape) ?? shape) },
    ],
    body: [strange(tool, tool.description)],
    closed: true,
  };
}

/** Words of a server. */
const strange = (tool: ServedTool, text: string): Piece => ({ text, ...serverSource(tool) });
