import { pathToFileURL } from 'node:url';
import { checkProject, openLiveProject } from '@cuebook/define';
import { createMcpHandler } from '@cuebook/provider';
import type { CommandHandler } from '../command.js';
import { Failure } from '../failure.js';
import { readInput } from '../input/flags.js';
import { callFunction } from '../mcp/call-tool.js';
import type { McpDesk } from '../mcp/desk.js';
import { getPrompt } from '../mcp/get-prompt.js';
import { createLineLog } from '../mcp/line-log.js';
import { offerOf } from '../mcp/offer.js';
import { runThread } from '../mcp/run-thread.js';
import { serveLines } from '../mcp/serve.js';
import { createVariables, type HandedVariables, type ServerVariables } from '../mcp/variables.js';
import { problemLine } from '../output/diagnostics.js';
import { count, screenText } from '../output/style.js';
import { openBench } from '../project/bench.js';
import { type AgentVoices, openAgentVoices } from '../run/agent/voices.js';
import { VERSION } from '../version.js';

/**
 * `cuebook mcp`: the project's prompts and tools over the Model Context Protocol, on standard streams; with an action,
 * the servers of others that the project uses.
 */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  if (args.length > 0) return (await import('../mcp/servers.js')).runServers(call);
  const bench = await openBench(flags, io);
  const profile = bench.profiles.find(({ prefix }) => prefix === 'prompt');
  if (profile === undefined) throw new Failure('E_INTERNAL', 'The kind of prompts is missing');
  const handed = { ...NOTHING, ...(await readInput(profile, flags, io)) };
  const log = (text: string): void => io.err(text);
  let variables: ServerVariables | undefined;
  const print = (line: string): void => {
    const shown = bench.redactor.redactText(line).text;
    log(screenText(variables?.mask(shown) ?? shown, io.terminal.err));
  };
  // A log for each: what two of them say at once must not be put together.
  const logs = { stdout: createLineLog(print), stderr: createLineLog(print), late: createLineLog(print) };
  const live = await openLiveProject(bench.files, {
    folder: pathToFileURL(`${bench.folder}/`).href,
    onOutput: (text, from) => logs[from](text),
  });
  try {
    const { catalog } = live;
    variables = createVariables(catalog, handed);
    for (const diagnostic of checkProject(catalog)) log(problemLine(io, 'err', diagnostic));
    let voices: Promise<AgentVoices> | undefined;
    const desk: McpDesk = {
      live,
      bench,
      call,
      variables,
      voices: () => {
        voices ??= openAgentVoices(bench, call);
        return voices;
      },
    };
    const offer = offerOf(catalog);
    log(`cuebook mcp: ${count(offer.prompts.length, 'prompt')}, ${count(offer.tools.length, 'tool')}\n`);
    const handler = createMcpHandler({
      name: 'cuebook',
      version: VERSION,
      onePeer: true,
      tools: offer.tools,
      prompts: { list: () => offer.prompts, get: (name, args) => getPrompt(desk, name, args) },
      call: (name, input, _id, signal) => {
        const kind = offer.kinds.get(name) ?? 'tool';
        if (kind === 'tool') return callFunction(desk, name, input, signal);
        return runThread(desk, { kind, name }, input, signal);
      },
    });
    await serveLines(handler, io);
    return 0;
  } finally {
    await live.close();
  }
};

const NOTHING: HandedVariables = { env: {}, accountEnv: {}, instanceEnv: {} };
