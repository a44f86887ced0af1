import { clockOf } from '@cuebook/engine';
import { describeFileError, type Files, withLock } from '@cuebook/files';
import { guard, guarded } from '@cuebook/guard';
import { openPeople, openQuotas, openSchedules, openWebhooks } from '@cuebook/host';
import { describeJournalError } from '@cuebook/journal';
import type { TryCases } from '@cuebook/platform';
import { ok, type Result } from '@cuebook/prompt';
import { createApp } from '../http/app.js';
import { type Auth, anyAuth, metricsAuth, ownerAuth } from '../http/auth.js';
import type { AnyGroup } from '../http/group.js';
import { bracketed, isLoopback, ownHosts } from '../http/security.js';
import type { ReadClusterFragments } from '../library/fragments.js';
import { loadPages } from '../page/pages.js';
import { createPeopleAuth } from '../people/people-auth.js';
import { askHost } from '../platform/ask-host.js';
import type { PlatformMount } from '../platform/mount.js';
import { comparisonRoutes, type PageMarks, type ReadComparison } from '../routes/comparison.js';
import { fragmentRoutes } from '../routes/fragments.js';
import { graphRoutes } from '../routes/graph.js';
import { hostRoutes } from '../routes/host.js';
import { libraryRoutes } from '../routes/library.js';
import { requireAny } from '../routes/parts.js';
import { peopleRoutes } from '../routes/people.js';
import { projectRoutes } from '../routes/project.js';
import { quotaRoutes } from '../routes/quota.js';
import { recordRoutes } from '../routes/record.js';
import { runRoutes } from '../routes/runs.js';
import { scheduleRoutes } from '../routes/schedules.js';
import { searchRoutes } from '../routes/search.js';
import { signInRoutes } from '../routes/sign-in.js';
import { turnRoutes } from '../routes/turn.js';
import { webhookRoutes } from '../routes/webhooks.js';
import { workerRoutes } from '../routes/workers.js';
import { signInOptions } from '../sign-in/options.js';
import { openSignIn } from '../sign-in/sign-in.js';
import { createEventStream } from '../stream/event-stream.js';
import { createNews } from '../stream/news.js';
import type { StreamLimits } from '../stream/subscriber.js';
import { webhookMount } from '../webhook/mount.js';
import { cannotStart, orEnd, type StartError } from './error.js';
import { keepProjectSchedules } from './keep-project-schedules.js';
import { type ListeningServer, listen } from './listen.js';
import { openHome, openProject, type ServedProject, type ServedProjectOptions } from './open-project.js';
import { findPlace, lastPort, removePlace, writePlace } from './place.js';
import { openPlatformOf, portOfPlatform } from './platform.js';
import { atMost, DRAIN_MS } from './start-worker.js';
import { keepToken, TOKEN_FILE } from './token.js';
import { watchProcess } from './watch-process.js';

/** How a server is started. */
export interface ServerStartOptions extends ServedProjectOptions {
  /** Left out: that of its platform, the one of the last time if it is free, else any. */
  readonly port?: number;
  /** Left out: 127.0.0.1. */
  readonly host?: string;
  /** Must be set for an address that other machines reach: they can then try tokens, and see what goes by. */
  readonly allowRemote?: boolean;
  /** Names that others reach it by, beside its addresses. */
  readonly names?: readonly string[];
  /** Whose tokens count beside the owner's. */
  readonly auth?: Auth;
  /** The cluster whose fragments are shown. Left out: only those of the project's manifests. */
  readonly cluster?: ReadClusterFragments;
  /** Further groups of routes, made when the project is open. */
  readonly groups?: (project: ServedProject) => readonly AnyGroup[] | Promise<readonly AnyGroup[]>;
  readonly stream?: Partial<StreamLimits>;
  /** Tells what an eval or a comparison has come to: the command knows how. */
  readonly readComparison?: ReadComparison;
  /** Hands out answers to mark: the command knows how. */
  readonly marks?: PageMarks;
  /** Runs the test cases of versions that are approved: the command knows how. */
  readonly tryCases?: TryCases;
  /** Answers, and begins no work: runs stay as they are. Others do not find it. For one question of this process. */
  readonly idle?: boolean;
  /** How long turns under way may take to end where other machines go on with the rest; half a minute. */
  readonly drainMs?: number;
  /** Runs that are due for so long, while nobody takes them, show that work is stalled; half a minute. */
  readonly stallMs?: number;
}

/** A server at work. */
export interface RunningServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly token: string;
  /** The address with the token in its fragment, which browsers do not send: for a person to open. */
  readonly link: string;
  readonly port: number;
  /** Resolves when nothing of any run is in flight. */
  drain(): Promise<void>;
  /** Ends: streams are closed, answers under way are given, turns in flight are left for the next start. */
  close(): Promise<void>;
}

/**
 * Starts a server for a project. Ready when it answers; the runs that an earlier one left go on. Of several
 * processes that start one at the same moment one does, and the others are answered with `E_SERVER_RUNNING`.
 */
export async function startServer(options: ServerStartOptions): Promise<Result<RunningServer, StartError>> {
  const { host = LOOPBACK } = options;
  if (guard('start.remote', !isLoopback(host) && options.allowRemote !== true))
    return cannotStart(
      'E_ADDRESS',
      `${host} can be reached from other machines. Say that it shall with --allow-remote.`,
    );
  const signIn = signInOptions(options.env);
  if (!signIn.ok) return cannotStart('E_SIGN_IN_OPTIONS', signIn.error);
  const home = await openHome(options.home);
  if (!home.ok) return home;
  if (options.idle === true) return startAlone(home.value, options);
  // Held until others can find this server: whoever dies in between leaves the lock free.
  const inLock = (work: () => ReturnType<typeof startAlone>) => async () => {
    const started = await withLock(home.value, START_LOCK, work, { patienceMs: PATIENCE_MS });
    if (started.ok) return started.value;
    const isWait = started.error.code === 'E_FILE_CHANGED';
    return isWait
      ? cannotStart('E_SERVER_RUNNING', STARTING)
      : cannotStart('E_HOME', describeFileError(started.error));
  };
  return guarded('start.once', inLock, () => startAlone(home.value, options))();
}

const START_LOCK = 'server.lock';
/** How long another process may take to start a server. */
const PATIENCE_MS = 120_000;
const STARTING = 'Another process is starting a server for this project and has not come to an end.';

/** The ports to try: the one that is asked for, or that of the platform, the last one, and any. */
async function portsFor(home: Files, asked: number | undefined, platform: number | undefined) {
  if (asked !== undefined) return [asked];
  const last = await lastPort(home);
  return [...new Set([platform, last, 0])].filter((port) => port !== undefined);
}

/** Starts it unless one runs. Nobody else of this home starts one meanwhile. */
async function startAlone(
  home: Files,
  options: ServerStartOptions,
): Promise<Result<RunningServer, StartError>> {
  const { host = LOOPBACK, log } = options;
  const running = await findPlace(home);
  if (running && running.pid !== process.pid)
    return cannotStart(
      'E_SERVER_RUNNING',
      `A server runs for this project: ${running.url} (process ${running.pid}).`,
    );
  const token = await keepToken(home);
  if (!token.ok) return token;
  const platform = await openPlatformOf(home, options);
  if (!platform.ok) return platform;
  // Who only asks a question takes no address from those who look for the platform.
  const wanted = options.idle === true ? undefined : portOfPlatform(platform.value);
  const listening = await listen(host, await portsFor(home, options.port, wanted));
  if (!listening.ok) {
    await platform.value?.close();
    return listening;
  }
  const versions = platform.value && { versions: platform.value.versions };
  const project = await openProject(home, { ...options, ...versions });
  if (!project.ok) {
    await listening.value.close();
    await platform.value?.close();
    return project;
  }
  const ends = [
    listening.value.close,
    async () => platform.value?.close(),
    () => project.value.runs.stop({ running: 'abort' }),
    project.value.close,
  ];
  const sharing = await orEnd(() => shareToken(home, project.value, token.value), ends);
  if (!sharing.ok) return sharing;
  if (!sharing.value.ok) {
    for (const end of ends) await end();
    return sharing.value;
  }
  const shared = sharing.value.value;
  const { port } = listening.value;
  const url = `http://${bracketed(host)}:${port}`;
  const serving = await orEnd(
    () =>
      serve(options, {
        project: project.value,
        listening: listening.value,
        token: shared,
        platform: platform.value,
      }),
    ends,
  );
  if (!serving.ok) return serving;
  const stop = serving.value;
  if (options.idle !== true) {
    platform.value?.renew(log);
    await writePlace(home, { host, port, url, version: options.version ?? '' });
  }
  const { warn } = project.value.log;
  if (!isLoopback(host))
    warn(`${url} can be reached from other machines, and what goes by is not encrypted.`);
  if (wanted !== undefined && wanted !== port)
    warn(
      `Agents look for this platform at ${platform.value?.url}, and that port is not the one of this server (${url}). Free the port and start again, or tell agents the new address.`,
    );
  let closed: Promise<void> | undefined;
  return ok({
    url,
    token: shared,
    link: `${url}/#token=${shared}`,
    port,
    drain: () => project.value.runs.drain(),
    close() {
      closed ??= stop().then(() => removePlace(home));
      return closed;
    },
  });
}

const LOOPBACK = '127.0.0.1';

/** All servers of a project take the same token. The file on this machine, by which others here find it, follows. */
async function shareToken(
  home: Files,
  { library, isShared }: ServedProject,
  own: string,
): Promise<Result<string, StartError>> {
  const token = await keepToken(library.home);
  // What machines share lies in the database: that is what did not answer.
  if (!token.ok && isShared)
    return cannotStart(AWAY.code, describeJournalError({ ...AWAY, reason: 'connection' }));
  if (!token.ok || token.value === own) return token;
  const written = await home.writeText(TOKEN_FILE, `${token.value}\n`, { mode: 0o600 });
  return written.ok ? token : cannotStart('E_HOME', describeFileError(written.error));
}

const AWAY = { code: 'E_JOURNAL_UNAVAILABLE' } as const;

interface Serving {
  readonly project: ServedProject;
  readonly listening: ListeningServer;
  readonly token: string;
  readonly platform: PlatformMount | undefined;
}

/** Puts everything together; the answer ends it again, in the opposite order. */
async function serve(
  options: ServerStartOptions,
  { project, listening, token, platform }: Serving,
): Promise<() => Promise<void>> {
  const { host = LOOPBACK, names = [], env } = options;
  const { log } = project;
  const onProblem = (error: unknown, about: string) => log.problem(error, { about });
  const watch = watchProcess(project, options);
  const book = project.openBook({ isDraining: watch.readiness.isDraining, onDrain: () => undefined });
  const events = createEventStream({
    host: {
      ...{ events: project.runs.events, watch: project.runs.watch },
      head: (run) => requireAny(project, run),
    },
    store: project.store,
    onProblem,
    ...(options.stream && { limits: options.stream }),
  });
  const limits = options.stream && { limits: options.stream };
  const news = createNews({ store: project.store, onProblem, ...limits });
  const { clock = clockOf(project.store) } = options;
  const people = openPeople(project.store, clock.now);
  const schedules = openSchedules(project.store, clock.now);
  const isOwnHost = ownHosts({ host, port: listening.port, names });
  const found = signInOptions(options.env);
  const signIn =
    found.ok &&
    found.value &&
    openSignIn({ ...{ people, secret: token, isOwnHost }, options: found.value, store: project.store });
  const webhooks = openWebhooks(project.store, clock.now);
  const own = [
    runRoutes(project),
    hostRoutes(project),
    graphRoutes(project),
    recordRoutes(project),
    turnRoutes(project),
    comparisonRoutes(project, options),
    searchRoutes(project),
    projectRoutes(project, watch.probes),
    peopleRoutes(people),
    quotaRoutes(openQuotas(project.store, clock.now), project.runs),
    signInRoutes(people, signIn || undefined),
    scheduleRoutes(schedules),
    workerRoutes({ ...project, book }),
    webhookRoutes(webhooks, clock.now),
    libraryRoutes(project.library),
    fragmentRoutes({ library: project.library, cluster: options.cluster }),
  ];
  const peopleTokens = createPeopleAuth(people, (error) => onProblem(error, 'the tokens of people'), clock);
  const ask = askHost(project.runs, project.config.provider !== undefined);
  const app = createApp({
    gate: {
      auth: anyAuth([
        ownerAuth(token),
        peopleTokens,
        metricsAuth(env.CUEBOOK_METRICS_TOKEN),
        ...[platform?.auth, options.auth],
      ]),
      isOwnHost,
    },
    groups: [
      ...own,
      ...(platform?.groups(ask, options.tryCases) ?? []),
      ...((await options.groups?.(project)) ?? []),
    ],
    mounts: [webhookMount(webhooks, project.runs, options.redactor), ...(platform?.mounts ?? [])],
    events,
    news,
    pages: await loadPages(),
    ...{ probes: watch.probes, refusal: watch.refusal, onProblem, redactor: options.redactor },
  });
  if (options.idle !== true) {
    try {
      await project.runs.start();
      await book.start();
    } catch (thrown) {
      for (const each of [peopleTokens, events, news]) each.close();
      await book.stop().catch(() => undefined);
      await watch.close();
      throw thrown;
    }
  }
  listening.serve((request) => app.fetch(request));
  const keeper = options.idle === true ? undefined : keepProjectSchedules(project, options);
  const endJobs =
    options.idle === true ? undefined : platform?.begin(ask, (error) => onProblem(error, 'schedule'));
  log.info('started');
  return async () => {
    // Not ready at once; who asks and follows is answered until nothing is under way.
    watch.readiness.drain();
    log.info('draining');
    endJobs?.();
    await book.tell().catch(log.problem);
    await keeper?.stop();
    // Where others go on with the rest, turns under way may end first.
    if (project.isShared) await atMost(project.runs.stop({ running: 'wait' }), options.drainMs ?? DRAIN_MS);
    peopleTokens.close();
    events.close();
    news.close();
    await listening.close();
    if (!project.isShared) await project.runs.stop({ running: 'abort' });
    await book.stop().catch(log.problem);
    await watch.close();
    await platform?.close();
    await project.close();
    log.info('ended');
  };
}
