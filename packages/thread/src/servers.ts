import { type Catalog, type LiveProject, type LiveToolAnswer, serversListed } from '@cuebook/define';
import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { CONFIG_FILE } from '@cuebook/profile';
import { type Diagnostic, ok, type Result } from '@cuebook/prompt';
import {
  answerText,
  type ConnectOptions,
  connectServers,
  NO_SERVERS,
  pickServers,
  readServers,
  type ServerAnswer,
  type Servers,
} from '@cuebook/provider/servers';

/** Connects to the MCP servers that prompts of a project list tools of. Others are not started. */
export async function openServers(
  { catalog, files }: { readonly catalog: Catalog; readonly files: Pick<TextSource, 'readText'> },
  options: ConnectOptions,
): Promise<Result<Servers, readonly Diagnostic[]>> {
  const wanted = serversListed(catalog.prompts.values());
  if (wanted.length === 0) return ok(NO_SERVERS);
  const text = await files.readText(CONFIG_FILE);
  const read = text.ok ? readServers(text.value, CONFIG_FILE) : ok({});
  return read.ok ? ok(await connectServers(pickServers(read.value, wanted), options)) : read;
}

/** The project with the tools of its servers: they are checked, allowed and called as its functions are. */
export function withServers(live: LiveProject, servers: Servers): LiveProject {
  let made: { readonly tools: Servers['tools']; readonly catalog: Catalog } | undefined;
  const find = (name: string) => servers.tools.find((tool) => tool.name === name);
  return {
    ...live,
    get catalog() {
      const { tools, reached } = servers;
      if (made?.tools !== tools)
        made = {
          tools,
          catalog: { ...live.catalog, servers: { names: reached, asked: reached, tools, diagnostics: [] } },
        };
      return made.catalog;
    },
    async approval(name, args) {
      if (!isServed(name)) return live.approval(name, args);
      // A tool that has gone since the model was told of it is asked about, too: nobody knows what it was.
      const { server, asks = false } = find(name) ?? { server: name, asks: true as const };
      return guard('thread.server-asks', asks)
        ? { ask: true, reason: `It is a tool of the MCP server ${server}.` }
        : { ask: false };
    },
    async callTool(call) {
      if (!isServed(call.tool)) return live.callTool(call);
      const tool = find(call.tool);
      if (tool === undefined)
        return {
          kind: 'error',
          text: `TOOL_NOT_AVAILABLE: ${call.tool} is not offered any more.`,
          attachments: [],
        };
      const answer = await servers.call(tool, call.args, call.signal);
      return call.signal.aborted ? { kind: 'stopped', reason: 'aborted', text: '' } : answerOf(answer);
    },
  };
}

const isServed = (name: string): boolean => name.startsWith('mcp.');

/** The words of an answer. */
function answerOf(answer: ServerAnswer): LiveToolAnswer {
  const { ok: went, text } = answerText(answer);
  return { kind: went ? 'success' : 'error', text, attachments: [] };
}
