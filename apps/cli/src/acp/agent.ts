import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type {
  AgentApp,
  AgentContext,
  InitializeResponse,
  LoadSessionResponse,
  NewSessionResponse,
  SessionModeState,
} from '@agentclientprotocol/sdk';
import { runIdSchema } from '@cuebook/api';
import { guard } from '@cuebook/guard';
import { runOf } from '@cuebook/host';
import { Failure } from '../failure.js';
import { findProject } from '../project/find.js';
import { requireAnswer } from '../team/require.js';
import { VERSION } from '../version.js';
import { modeOf, teamModes } from './modes.js';
import { asked, type ProjectServers } from './servers.js';
import { type AcpSession, type AcpSessionOptions, createSession, unknownSession } from './session.js';
import { firstTarget, sessionTargets, TARGET_OPTION, targetOption } from './targets.js';

/** What the command says about all sessions. */
export interface AgentOptions extends Pick<AcpSessionOptions, 'servers' | 'spoken' | 'log'> {
  /** The project of all sessions; undefined: the one around the folder of each session. */
  readonly project: string | undefined;
  /** Undefined: each session chooses. */
  readonly target: string | undefined;
  readonly left: AbortSignal;
}

/** Sessions that are open at once. Each follows its run. */
const MAX_SESSIONS = 64;

/** The agent of the Agent Client Protocol, over a connection that the library keeps. */
export async function createAgent(options: AgentOptions): Promise<AgentApp> {
  const { agent, PROTOCOL_VERSION, RequestError } = await import('@agentclientprotocol/sdk');
  const { servers, log } = options;
  const sessions = new Map<string, Opened>();

  /** Expected failures in the words of the protocol: the code of ours is in the message and the data. */
  const answering = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { code, message, exit } = error;
      const number = code === 'E_ACP_SESSION' ? -32002 : exit === 2 ? -32602 : -32000;
      throw new RequestError(number, `${code} ${message}`, { code });
    }
  };
  const requireSession = (id: string): Opened => {
    const found = sessions.get(id);
    if (found === undefined)
      throw new Failure(
        'E_ACP_SESSION',
        'The session is not open: begin it with session/new or session/load.',
      );
    return found;
  };
  const folderOf = async (cwd: string): Promise<string> => {
    if (options.project !== undefined) return options.project;
    if (!isAbsolute(cwd)) throw new Failure('E_USAGE', 'cwd is the full path of a folder.');
    return findProject(cwd, undefined);
  };
  const open = async (id: string, { folder, target, startId, client, targets }: Opening): Promise<Opened> => {
    sessions.get(id)?.session.detach();
    if (guard('acp.sessions', sessions.size >= MAX_SESSIONS && !sessions.has(id)))
      throw new Failure('E_ACP_BUSY', `At most ${MAX_SESSIONS} sessions are open at once: close one.`, {
        exit: 1,
      });
    const session = createSession({
      ...{ id, startId, folder, target, servers, spoken: options.spoken, left: options.left, log },
      client: {
        update: (sessionId, update) => client.notify('session/update', { sessionId, update }),
        permit: (request, signal) =>
          client.request('session/request_permission', request, {
            cancellationSignal: signal,
            stopWaitingOnCancel: true,
          }),
      },
    });
    const opened = { session, folder, targets };
    sessions.set(id, opened);
    return opened;
  };
  const stateOf = async ({ session, folder, targets }: Opened): Promise<LoadSessionResponse> => {
    const modes = await modesOf(servers, folder, session.run());
    return {
      ...(modes === undefined ? {} : { modes }),
      ...(options.target === undefined ? { configOptions: [targetOption(session.target(), targets)] } : {}),
    };
  };

  return agent({ name: 'cuebook' })
    .onRequest(
      'initialize',
      (): InitializeResponse => ({
        protocolVersion: PROTOCOL_VERSION,
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
        agentInfo: { name: 'cuebook', title: 'Cuebook', version: VERSION },
        authMethods: [],
      }),
    )
    .onRequest(
      'session/new',
      ({ params, client }): Promise<NewSessionResponse> =>
        answering(async () => {
          const folder = await folderOf(params.cwd);
          if (params.mcpServers.length > 0) log(OTHER_SERVERS);
          const targets = await sessionTargets(folder);
          const target = firstTarget(options.target, targets);
          const startId = `acp_${randomUUID()}`;
          const id = runOf(startId);
          const opened = await open(id, { folder, target, targets, startId, client });
          return { sessionId: id, ...(await stateOf(opened)) };
        }),
    )
    .onRequest('session/load', ({ params, client }) => answering(() => enter(params, client, true)))
    .onRequest('session/resume', ({ params, client }) => answering(() => enter(params, client, false)))
    .onRequest('session/list', ({ params }) =>
      answering(async () => {
        const folder = await folderOf(params.cwd ?? process.cwd());
        const before = params.cursor ?? undefined;
        const { runs, next } = requireAnswer(
          await asked(servers, folder, (each) => each.listRuns({ limit: 50, ...(before && { before }) })),
        );
        return {
          sessions: runs.map(({ run, target, kind, goal, lastAt }) => ({
            sessionId: run,
            cwd: folder,
            title: [target ?? kind, ...(goal === null ? [] : [goal])].join(': '),
            updatedAt: new Date(lastAt).toISOString(),
          })),
          ...(next === null ? {} : { nextCursor: next }),
        };
      }),
    )
    .onRequest('session/prompt', ({ params, signal }) =>
      answering(() => requireSession(params.sessionId).session.prompt(params.prompt, signal)),
    )
    .onNotification('session/cancel', ({ params }) => sessions.get(params.sessionId)?.session.cancel())
    .onRequest('session/close', ({ params }) =>
      answering(async () => {
        await requireSession(params.sessionId).session.close();
        sessions.delete(params.sessionId);
        return {};
      }),
    )
    .onRequest('session/set_mode', ({ params }) =>
      answering(async () => {
        const { session, folder } = requireSession(params.sessionId);
        const run = session.run();
        const globalMode = modeOf(params.modeId);
        if (
          globalMode === undefined ||
          run === undefined ||
          (await modesOf(servers, folder, run)) === undefined
        )
          throw new Failure('E_ACP_MODE', 'Only the run of a team has modes: PLANNING and IMPLEMENTATION.');
        const id = `acp_${randomUUID()}`;
        requireAnswer(await asked(servers, folder, (each) => each.setMode({ id, run, globalMode })));
        return {};
      }),
    )
    .onRequest('session/set_config_option', ({ params }) =>
      answering(async () => {
        const opened = requireSession(params.sessionId);
        const { session, targets } = opened;
        const value = 'value' in params ? params.value : undefined;
        if (
          options.target !== undefined ||
          params.configId !== TARGET_OPTION ||
          !targets.includes(String(value))
        )
          throw new Failure('E_TARGET', 'There is no such option, or no such target in the project.');
        if (!session.choose(String(value)))
          throw new Failure('E_ACP_BUSY', 'The session has begun: begin another for another target.', {
            exit: 1,
          });
        return { configOptions: [targetOption(session.target(), targets)] };
      }),
    );

  async function enter(
    { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
    client: AgentContext,
    isTold: boolean,
  ): Promise<LoadSessionResponse> {
    if (!runIdSchema.safeParse(sessionId).success) throw unknownSession();
    const folder = await folderOf(cwd);
    const targets = await sessionTargets(folder);
    const target = options.target ?? targets[0] ?? '';
    const opened = await open(sessionId, { folder, target, targets, startId: undefined, client });
    try {
      await opened.session.replay({ isTold });
    } catch (error) {
      opened.session.detach();
      sessions.delete(sessionId);
      throw error;
    }
    return stateOf(opened);
  }
}

interface Opened {
  readonly session: AcpSession;
  readonly folder: string;
  readonly targets: readonly string[];
}

interface Opening extends Pick<Opened, 'folder' | 'targets'> {
  readonly target: string;
  readonly startId: string | undefined;
  readonly client: AgentContext;
}

async function modesOf(
  servers: ProjectServers,
  folder: string,
  run: string | undefined,
): Promise<SessionModeState | undefined> {
  if (run === undefined) return undefined;
  const report = await asked(servers, folder, (each) => each.getReport({ run }));
  if (!report.ok || report.value.kind !== 'team') return undefined;
  const view = await asked(servers, folder, (each) => each.getRun({ run }));
  return view.ok ? teamModes(view.value) : undefined;
}

const OTHER_SERVERS =
  'The MCP servers of the client are not used: the tools of a run are those of its definition, its roles or its package.';
