import { createAgent } from '../acp/agent.js';
import { createServers } from '../acp/servers.js';
import { firstTarget, requireKind, sessionTargets } from '../acp/targets.js';
import { lineStream } from '../acp/wire.js';
import { type CommandHandler, flagValue } from '../command.js';
import { tellClient } from '../input/tell-client.js';
import type { Io } from '../io.js';
import { findProject, nearestProject } from '../project/find.js';
import { spokenOf } from '../run/note.js';

/** `cuebook acp [TARGET]`: a target of the project as an agent of the Agent Client Protocol, on standard streams. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [target] = args;
  if (target !== undefined) requireKind(target);
  const named = flagValue(flags, 'project');
  const project = named === undefined ? undefined : await findProject(io.cwd, named);
  if (io.terminal.in) await tellPerson(project ?? (await nearestProject(io.cwd, io.cwd)), target, io);
  const { scriptFile: _, ...spoken } = await spokenOf(call);
  const left = new AbortController();
  const servers = createServers(call);
  const app = await createAgent({
    ...{ servers, spoken, target, left: left.signal },
    project,
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

/** A person who types the command is no client: what is wrong with the target is said at once, and what is waited for. */
async function tellPerson(folder: string, target: string | undefined, io: Io): Promise<void> {
  const found = firstTarget(target, await sessionTargets(folder));
  tellClient(io, `${target ?? found} waits for an editor`, 'the Agent Client Protocol');
}
