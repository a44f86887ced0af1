import type { Diagnostic } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { type ConnectOptions, connectServers } from './connect.js';
import type { ServerTool } from './servers.js';
import type { ServersConfig } from './settings.js';

/** What is known of the servers of a project where nobody runs anything. */
export interface ServersOffer {
  /** Every server that the operator names. */
  readonly names: readonly string[];
  /** Those of them that answered. */
  readonly asked: readonly string[];
  readonly tools: readonly ServerTool[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Asks servers for their tools, as a run does, and leaves them. Those that are not named are not asked. */
export async function askServers(
  config: ServersConfig,
  wanted: readonly string[],
  options: ConnectOptions,
): Promise<ServersOffer> {
  const servers = await connectServers(pickServers(config, wanted), options);
  await servers.close();
  const { tools, problems, reached } = servers;
  return { names: Object.keys(config), asked: reached, tools, diagnostics: problems.map(serverNote) };
}

/** What those are told who look where no server is started: what is shown lacks tools that a run has. */
export function unaskedServers(config: ServersConfig, wanted: readonly string[]): ServersOffer {
  const names = Object.keys(config);
  return {
    ...{ names, asked: [], tools: [] },
    diagnostics: wanted.filter((name) => names.includes(name)).map((name) => serverNote(unasked(name))),
  };
}

const unasked = (server: string): string =>
  `The MCP server "${server}" is not asked here, so its tools are missing in what is shown. A run has them, and ${hint`render TARGET`} asks for them.`;

/** The servers of these names. */
export const pickServers = (config: ServersConfig, names: readonly string[]): ServersConfig =>
  Object.fromEntries(Object.entries(config).filter(([name]) => names.includes(name)));

/** A problem of a server, as those who only look are told of it. */
export const serverNote = (message: string): Diagnostic => ({
  code: 'W_MCP_SERVER',
  severity: 'warning',
  message,
});
