import { type ApiAnswer, type Client, createClient } from '@cuebook/api';
import type { Call } from '../command.js';
import { findRunning, startOwn } from '../team/connect.js';

/** The servers of the projects that sessions work in: the one that is up for a project, or one in this process. */
export interface ProjectServers {
  /** Somebody to talk to about the project in this folder, now. */
  connect(folder: string): Promise<Client>;
  /** Whether nobody can be talked to any more who could be: the server of another process has gone. */
  isGone(folder: string): Promise<boolean>;
  close(): Promise<void>;
}

export function createServers(call: Call): ProjectServers {
  type Own = Extract<Awaited<ReturnType<typeof startOwn>>, { server: unknown }>['server'];
  const own = new Map<string, Promise<Own | undefined>>();
  const at = (folder: string): Call => ({
    ...call,
    args: [],
    flags: { project: folder },
    // Where CUEBOOK_HOME is named, the folder of the call says which project it is.
    io: { ...call.io, cwd: folder },
  });
  const started = (folder: string): Promise<Own | undefined> => {
    const starting = startOwn(at(folder), {}).then((found) => ('server' in found ? found.server : undefined));
    own.set(folder, starting);
    const forget = (): void => void own.delete(folder);
    starting.then((server) => server === undefined && forget(), forget);
    return starting;
  };
  async function connect(folder: string): Promise<Client> {
    const ours = await own.get(folder);
    if (ours !== undefined) return createClient({ url: ours.url, token: ours.token });
    const found = await findRunning(at(folder));
    if (found !== undefined) return createClient({ url: found.url, token: found.token });
    // Another process may have come up meanwhile: then that one is found.
    const server = await (own.get(folder) ?? started(folder));
    return server === undefined ? connect(folder) : createClient({ url: server.url, token: server.token });
  }
  return {
    connect,
    async isGone(folder) {
      return (await own.get(folder)) === undefined && (await findRunning(at(folder))) === undefined;
    },
    async close() {
      const all = await Promise.allSettled(own.values());
      await Promise.all(
        all.map(async (each) => (each.status === 'fulfilled' ? each.value?.close() : undefined)),
      );
    },
  };
}

/** Asks, and once more where the answer was lost: with the same id a command is done once. */
export async function asked<Value>(
  servers: ProjectServers,
  folder: string,
  ask: (client: Client) => Promise<ApiAnswer<Value>>,
): Promise<ApiAnswer<Value>> {
  const answer = await ask(await servers.connect(folder));
  if (answer.ok || answer.error.code !== 'E_API_UNREACHABLE') return answer;
  return ask(await servers.connect(folder));
}
