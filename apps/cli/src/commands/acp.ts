import { createAgent } from '../acp/agent.js';
import { createServers } from '../acp/servers.js';
import { lineStream } from '../acp/wire.js';
import { type CommandHandler, flagValue } from '../command.js';
import { usage } from '../failure.js';
import { findProject } from '../project/find.js';
import { spokenOf } from '../run/note.js';

/** `cuebook acp [TARGET]`: a target of the project as an agent of the Agent Client Protocol, on standard streams. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [target] = args;
  if (target !== undefined && !/^[a-z]+:./.test(target))
    throw usage(`${target} is not a target: write agent:NAME, team:FILE, workflow:DIR or prompt:NAME`);
  const named = flagValue(flags, 'project');
  const { scriptFile: _, ...spoken } = await spokenOf(call);
  const left = new AbortController();
  const servers = createServers(call);
  const app = await createAgent({
    ...{ servers, spoken, target, left: left.signal },
    project: named === undefined ? undefined : await findProject(io.cwd, named),
    log: (line) => io.err(`${line}\n`),
  });
  // A server in this process leaves nothing half done.
  io.stop.addEventListener('abort', () => io.wait?.(), { once: true });
  const stream = lineStream(io);
  try {
    await app.connect(stream).closed;
    await stream.written();
    return 0;
  } finally {
    left.abort();
    await servers.close();
  }
};
