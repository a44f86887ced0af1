import { type Client, createClient } from '@cuebook/api';
import { type Call, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import { processLog } from '../output/process-log.js';
import { openBenchAt } from '../project/bench.js';
import { findProject } from '../project/find.js';
import { journalPlace, withDatabase } from '../record/journal.js';
import { VERSION } from '../version.js';
import { isOtherVersion, otherVersion } from './server-version.js';

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
  const askIt = ({ url, token, link }: FoundLink) =>
    work({ client: createClient({ url, token }), url, link, isOwn: false });
  const found = await findRunning(call);
  if (found !== undefined) {
    if (isOtherVersion(found)) call.io.err(`warning: ${otherVersion(found, 'it may answer otherwise')}\n`);
    return askIt(found);
  }
  const started = await startOwn(call, idle ? { idle } : {});
  if ('found' in started) return askIt(started.found);
  const { server } = started;
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
  readonly names?: readonly string[];
  readonly idle?: boolean;
  /** The cluster whose fragments are shown. */
  readonly cluster?: NonNullable<Parameters<typeof import('@cuebook/server').startServer>[0]['cluster']>;
  readonly take?: ReturnType<typeof import('../commands/worker.js').shareOf>;
  /** Variables that flags stand for. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A server that another process has up, with the address for a person. */
export interface FoundLink {
  readonly url: string;
  readonly token: string;
  readonly link: string;
  readonly pid: number;
  /** Of Cuebook; empty where an older one does not say it. */
  readonly version: string;
}

/** The server that another process has up for the project of a call. */
export async function findRunning({ flags, io }: Call): Promise<FoundLink | undefined> {
  const { findServer } = await import('@cuebook/server/find');
  const { home } = await journalPlace(flags, io);
  const found = await findServer(home);
  return found && { ...found, link: `${found.url}/#token=${found.token}` };
}

/** Marks that persons give on a page; loaded when the first is. */
function pageMarksOf(call: Call) {
  const load = async () => (await import('../eval/judge/page-marks.js')).pageMarks(call);
  type Marks = Awaited<ReturnType<typeof load>>;
  return {
    judges: async () => (await load()).judges(),
    next: async (...asked: Parameters<Marks['next']>) => (await load()).next(...asked),
    mark: async (...asked: Parameters<Marks['mark']>) => (await load()).mark(...asked),
  };
}

/** A server in this process. */
type OwnServer = Extract<
  Awaited<ReturnType<typeof import('@cuebook/server').startServer>>,
  { ok: true }
>['value'];

/** Starts a server for the project of a call, in this process; or finds the one that another process has up. */
export async function startOwn(
  call: Call,
  { variables, ...listen }: Listen,
): Promise<{ readonly server: OwnServer } | { readonly found: FoundLink }> {
  const { flags, io } = call;
  const { startServer } = await import('@cuebook/server');
  const folder = await findProject(io.cwd, flagValue(flags, 'project'));
  const { redactor, context } = await openBenchAt(folder, io, []);
  const { home } = await journalPlace(flags, io);
  const started = await startServer({
    ...{ folder, home, env: { ...withDatabase(flags, io.env), ...variables }, redactor, context },
    ...{ version: VERSION, ...listen },
    ...processLog(call),
    readComparison: async (store, run) =>
      (await import('../eval/read-document.js')).documentNow(call, store, run),
    marks: pageMarksOf(call),
    tryCases: async (scenario, cases) =>
      (await import('../library/run-cases.js')).tryCases(call, scenario, cases),
  });
  if (started.ok) return { server: started.value };
  const { code, message } = started.error;
  const found = code === 'E_SERVER_RUNNING' ? await findRunning(call) : undefined;
  if (found !== undefined) return { found };
  throw new Failure(code, message, { exit: 3 });
}
