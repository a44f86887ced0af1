import { type Client, createClient } from '@cuebook/api';
import { type Call, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import { openBenchAt } from '../project/bench.js';
import { findProject } from '../project/find.js';
import { journalPlace } from '../record/journal.js';

/** A server of this project to talk to. */
export interface Connected {
  readonly client: Client;
  readonly url: string;
  /** The address for a person, with the token in its fragment. */
  readonly link: string;
  /** It runs in this process, and ends with it. */
  readonly isOwn: boolean;
}

/**
 * Talks to the server that is up for this project; where there is none, one is started in this process for as long as
 * the work takes. `idle`: that one only answers, and no run goes on because of a question. The server is loaded only
 * here.
 */
export async function withServer<Answer>(
  call: Call,
  work: (connected: Connected) => Promise<Answer>,
  { idle = false }: { readonly idle?: boolean } = {},
): Promise<Answer> {
  const { findServer } = await import('@cuebook/server');
  const { home } = await journalPlace(call.flags, call.io);
  const found = await findServer(home);
  if (found !== undefined) {
    const client = createClient({ url: found.url, token: found.token });
    const link = `${found.url}/#token=${found.token}`;
    return work({ client, url: found.url, link, isOwn: false });
  }
  const server = await startOwn(call, idle ? { idle } : {});
  // A server that is asked to end leaves nothing half done.
  call.io.stop.addEventListener('abort', () => call.io.wait?.(), { once: true });
  try {
    const client = createClient({ url: server.url, token: server.token });
    return await work({ client, url: server.url, link: server.link, isOwn: true });
  } finally {
    await server.close();
  }
}

/** Where and how a server is to listen. */
export interface Listen {
  readonly port?: number;
  readonly host?: string;
  readonly allowRemote?: boolean;
  readonly idle?: boolean;
}

/** Starts a server for the project of a call, in this process. */
export async function startOwn({ flags, io }: Call, listen: Listen) {
  const { startServer } = await import('@cuebook/server');
  const folder = await findProject(io.cwd, flagValue(flags, 'project'));
  const { redactor } = await openBenchAt(folder, io);
  const { home } = await journalPlace(flags, io);
  const started = await startServer({
    ...{ folder, home, env: io.env, redactor, ...listen },
    log: (line) => io.err(`${line}\n`),
  });
  if (started.ok) return started.value;
  const { code, message } = started.error;
  throw new Failure(code, message, { exit: 3 });
}
