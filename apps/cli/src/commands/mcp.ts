import { createMcpHandler } from '@cuebook/provider';
import type { CommandHandler } from '../command.js';
import { tellClient } from '../input/tell-client.js';
import { callFunction } from '../mcp/call-tool.js';
import { getPrompt } from '../mcp/get-prompt.js';
import { runThread } from '../mcp/run-thread.js';
import { serveLines } from '../mcp/serve.js';
import { type ChangedList, openServing } from '../mcp/serving.js';
import { count } from '../output/style.js';
import { VERSION } from '../version.js';

/**
 * `cuebook mcp`: the project's prompts, tools and texts over the Model Context Protocol, on standard streams; with an
 * action, the servers of others that the project uses.
 */
export const run: CommandHandler = async (call) => {
  const { args, io } = call;
  if (args.length > 1 || (args[0] ?? 'serve') !== 'serve')
    return (await import('../mcp/servers.js')).runServers(call);
  const serving = await openServing(call);
  try {
    const { offer, resources } = serving.now();
    io.err(`cuebook mcp: ${count(offer.prompts.length, 'prompt')}, ${count(offer.tools.length, 'tool')}\n`);
    tellClient(io, 'This command waits for an MCP client', 'the Model Context Protocol');
    let isReady = false;
    let say: (message: unknown) => void = () => undefined;
    const tell = (list: ChangedList): void => {
      if (isReady) say({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
    };
    serving.onChange(tell);
    const handler = createMcpHandler({
      ...{ name: 'cuebook', version: VERSION, onePeer: true, tellsChanges: true },
      onReady: () => {
        isReady = true;
      },
      tools: () => serving.now().offer.tools,
      prompts: {
        list: () => serving.now().offer.prompts,
        get: (name, given) => serving.use(({ desk }) => getPrompt(desk, name, given)),
      },
      resources: {
        templates: resources.templates,
        list: () => serving.use((served) => served.resources.list()),
        read: (uri) => serving.use((served) => served.resources.read(uri)),
      },
      call: (name, input, _id, signal) =>
        serving.use(async ({ desk, offer: { kinds } }) => {
          const kind = kinds.get(name) ?? 'tool';
          if (kind === 'tool') return callFunction(desk, name, input, signal);
          const answer = await runThread(desk, { kind, name }, input, signal);
          // Its run is on record, and can be read.
          tell('resources');
          return answer;
        }),
    });
    await serveLines(handler, io, (given) => {
      say = given;
    });
    return 0;
  } finally {
    await serving.close();
  }
};
