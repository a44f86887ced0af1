import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { LibraryVersions } from '@cuebook/bundle/profiles';
import { type Clock, clockOf, type PerRunWork, perRunWork, postgresRuns } from '@cuebook/engine';
import { describeFileError, type Files, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import {
  createHost,
  createLive,
  type Ground,
  type Handing,
  type HandingShare,
  headVersion,
  type RunKind,
} from '@cuebook/host';
import {
  anchorFileOf,
  describeJournalError,
  openOwner,
  openStore,
  type PublicKeys,
  promptHash,
  type RunId,
  type Store,
} from '@cuebook/journal';
import { CONFIG_FILE, loadConfig } from '@cuebook/profile';
import { type LeakContext, ok, type Redactor, type Result } from '@cuebook/prompt';
import {
  defaultProvider,
  detectProviders,
  NO_CONFIG,
  type ProviderConfig,
  pricesOf,
  providerCatalog,
  readProviderConfig,
} from '@cuebook/provider';
import {
  createTeamHost,
  type HostFault,
  type HostLimits,
  type TeamHost,
  teamRuns,
  worksInProject,
} from '@cuebook/team';
import { createVersions, type RemoteOptions, reachRemote, type VersionArchive } from '@cuebook/workspace';
import { askGitIn } from '@cuebook/workspace/history';
import type { Library } from '../library/library.js';
import { createLog, type Log } from '../log/create-log.js';
import type { LogEntry } from '../log/log-entry.js';
import type { TeamParts } from '../routes/parts.js';
import { createWorkerBook, type WorkerBook, type WorkerBookParts } from '../work/worker-book.js';
import { cannotStart, type StartError } from './error.js';
import { evalRecords } from './eval-records.js';
import { createRunLabels, labelName, type RunLabels } from './label.js';
import { createRunMachines, type RunMachines } from './machine.js';
import { ownKinds } from './own-kinds.js';
import { aloneVersions, runVersions } from './run-versions.js';
import { otherKinds, SHIPPED } from './shipped-kinds.js';
import { teamGate } from './team-gate.js';
import { readSource } from './version-archive.js';

/** What is opened. */
export interface ServedProjectOptions {
  /** The project's folder. */
  readonly folder: string;
  /** CUEBOOK_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Knows what of this machine must not be told to a provider. */
  readonly redactor: Redactor;
  /** What it knows. */
  readonly context: LeakContext;
  readonly clock?: Clock;
  readonly limits?: Partial<HostLimits>;
  readonly fault?: HostFault;
  readonly log: (line: string) => void;
  /** Entries instead of lines: for programs that collect logs. */
  readonly logEntry?: (entry: LogEntry) => void;
  /** The version of the program, for those who look at the machines of a project. */
  readonly version?: string;
  /** What the library of its platform lists, for `scenario:NAME#VERSION`. */
  readonly versions?: LibraryVersions;
  /** Where the records lie in a database: what this process takes of the work. Left out: runs of all kinds. */
  readonly take?: Partial<HandingShare>;
  /** How often to look for commits that no notification told of; a second where it is left out. */
  readonly pollMs?: number;
  /** Only a project that the database has already is opened. */
  readonly isJoining?: boolean;
}

/** An open project: its records and the host of its runs, which has not begun to work. */
export interface ServedProject extends TeamParts {
  readonly library: Library;
  /** The id of the project. */
  readonly id: string;
  /** Whether other machines may work on the project too. */
  readonly isShared: boolean;
  /** The name of this process among those of the project. */
  readonly worker: string;
  readonly log: Log;
  /** Says who of the project is up. `onDrain`: somebody wants this process to end. */
  openBook(parts: Pick<WorkerBookParts, 'isDraining' | 'onDrain'>): WorkerBook;
  close(): Promise<void>;
}

/** CUEBOOK_HOME, made where it is missing. Nobody else may look into it. */
export async function openHome(folder: string): Promise<Result<Files, StartError>> {
  const home = await openFolder(folder, { create: 'ignored' });
  if (!home.ok) return cannotStart('E_HOME', describeFileError(home.error));
  const stat = await home.value.stat('.');
  if (!stat.ok) return cannotStart('E_HOME', describeFileError(stat.error));
  if (guard('start.private', (stat.value.mode & 0o077) !== 0))
    return cannotStart(
      'E_HOME_OPEN',
      'CUEBOOK_HOME can be read by other users of this machine: give it mode 0700.',
    );
  return ok(home.value);
}

/** Opens the records and the host of a project. */
export async function openProject(
  home: Files,
  options: ServedProjectOptions,
): Promise<Result<ServedProject, StartError>> {
  const folder = resolve(options.folder);
  const homeFolder = resolve(options.home);
  const withhold = { from: 'agent', home: homeFolder } as const;
  const files = await openFolder(folder, { access: 'ro', withhold });
  if (!files.ok) return cannotStart('E_HOME', `The project: ${describeFileError(files.error)}`);
  const writable = await openFolder(folder, { withhold });
  if (!writable.ok) return cannotStart('E_HOME', `The project: ${describeFileError(writable.error)}`);
  const config = await readConfig(files.value);
  if (!config.ok) return config;
  const loaded = await loadConfig(files.value);
  const project = loaded.ok ? loaded.value : loaded.partial;
  const own = ownKinds(project.kinds ?? {}, { folder, taken: SHIPPED });
  if (!own.ok) return own;
  const { env } = options;
  const owner = await openOwner(home, { folder, anchorFile: anchorFileOf(homeFolder, env), env });
  if (!owner.ok)
    return cannotStart(
      owner.error.code,
      owner.error.code === 'E_JOURNAL_PROJECT_KEY'
        ? describeJournalError(owner.error)
        : 'The key of the records cannot be used.',
    );
  const { CUEBOOK_DATABASE_URL: databaseUrl } = env;
  const place = databaseUrl ? { databaseUrl } : { file: join(homeFolder, JOURNAL_FILE) };
  const { isJoining = false, pollMs } = options;
  const role = isJoining ? 'worker' : 'server';
  const opened = await openStore(place, {
    ...{ owner: owner.value, home: homeFolder, isJoining },
    ...(pollMs === undefined ? {} : { pollMs }),
  });
  if (!opened.ok) return cannotStart(opened.error.code, describeJournalError(opened.error));
  const store = opened.value;
  const id = store.project ?? owner.value.project.id;
  const shared = store.share(home);
  const machines = createRunMachines(home, shared);
  const address = env.CUEBOOK_WORKSPACES || project.workspaces;
  const isKept = databaseUrl !== undefined && databaseUrl !== '' && address !== undefined;
  const reached = isKept
    ? await reachRemote(address, { env: definedOf(env), cwd: homeFolder })
    : ok(undefined);
  const found = await readSource(env.CUEBOOK_SOURCE || project.source, { env, cwd: folder });
  const unfit = reached.ok ? found.problem : reached.error;
  if (unfit) {
    await store.close();
    return cannotStart(unfit.code, unfit.message);
  }
  return ok(
    partsOf({
      ...options,
      folder,
      homeFolder,
      files: files.value,
      writable: writable.value,
      home: shared,
      machines,
      labels: createRunLabels(shared, project.labels ?? {}),
      ...{ source: found.source, archive: found.archive },
      ...(isKept && { remote: { address, shared, machine: () => machines.own, project: id } }),
      id,
      worker: workerName(role),
      role,
      databaseUrl,
      config: config.value,
      own: own.value,
      store,
      signer: owner.value.signer,
      publicKeys: owner.value.publicKeys,
    }),
  );
}

/** Another one for each process: after a start it is another worker. */
const workerName = (role: LogEntry['role']): string => `${role}-${randomBytes(5).toString('hex')}`;

type Parts = Omit<ServedProjectOptions, 'home'> & {
  readonly worker: string;
  readonly role: LogEntry['role'];
  readonly homeFolder: string;
  readonly home: Files;
  readonly machines: RunMachines;
  readonly labels: RunLabels;
  readonly remote?: RemoteOptions;
  /** A git repository that has the project. */
  readonly source: string | undefined;
  /** Where its versions are kept as one file each. */
  readonly archive: VersionArchive | undefined;
  readonly databaseUrl: string | undefined;
  readonly id: string;
  readonly files: Files;
  readonly writable: Files;
  readonly config: ProviderConfig;
  readonly own: readonly RunKind[];
  readonly store: Store;
  readonly publicKeys: PublicKeys;
  readonly signer: Parameters<typeof createTeamHost>[0]['signer'];
};

function partsOf(parts: Parts): ServedProject {
  const { store, home, homeFolder, folder, files, redactor, config, env, signer, worker } = parts;
  const log = createLog(parts, { role: parts.role, worker, project: parts.id });
  const ground: Omit<Parameters<typeof createTeamHost>[0], 'limits' | 'fault'> = {
    ...{ store, signer, home, homeFolder, folder, files, redactor, hash: promptHash },
    providers: { config, env },
    ...(parts.clock && { clock: parts.clock }),
    owner: worker,
    onProblem: log.problem,
  };
  const shared = shareWork(parts, { onProblem: ground.onProblem, host: () => host });
  const live = createLive((error) => ground.onProblem?.(error, {}), store.broadcast);
  const host: TeamHost = createTeamHost({
    ...ground,
    live,
    remote: parts.remote,
    ...(shared && { work: shared.teams.work }),
    ...(parts.limits && { limits: parts.limits }),
    ...(parts.fault && { fault: parts.fault }),
  });
  const leaseMs = parts.limits?.leaseMs;
  const runs = createHost({
    ...ground,
    context: parts.context,
    live,
    ...(shared ? { handing: shared.handing } : { versions: aloneVersions(parts, definedOf(env)) }),
    kinds: [teamRuns(host, shared?.teams), ...otherKinds(parts.versions), evalRecords, ...parts.own],
    ...(leaseMs === undefined ? {} : { leaseMs }),
    ...(parts.fault?.engine && { fault: parts.fault.engine }),
  });
  const catalog = providerCatalog(config);
  const scripts = new Set(catalog.filter(({ kind }) => kind === 'rehearsal').map(({ name }) => name));
  return {
    id: parts.id,
    isShared: shared !== undefined,
    ...{ worker, log },
    openBook: (given) =>
      createWorkerBook({
        ...{
          store,
          home,
          clock: parts.clock ?? clockOf(store),
          share: runs.share,
          isShared: shared !== undefined,
        },
        ...{ onProblem: (error) => log.problem(error), ...given },
        own: {
          ...{ id: worker, role: parts.role, version: parts.version ?? 'unknown', pid: process.pid },
          machine: parts.machines.own,
        },
      }),
    host,
    runs,
    store,
    files,
    config,
    publicKeys: parts.publicKeys,
    git: askGitIn(folder, definedOf(env)),
    library: {
      ...{ folder, files, writable: parts.writable, home, homeFolder, env, redactor },
      ...{ hash: promptHash, context: parts.context },
    },
    detect: async () => {
      const name = defaultProvider(config);
      const home = env.HOME ?? '';
      return {
        default: name,
        providers: await detectProviders(catalog, { env, home, defaultName: name, folder }),
        models: Object.keys(pricesOf(config).models),
      };
    },
    isRehearsal: (provider) => scripts.has(provider),
    close: () => store.close(),
  };
}

/** How the machines of a project share its runs; undefined where one works alone. */
function shareWork(
  parts: Parts,
  { onProblem, host }: { readonly onProblem: Ground['onProblem'] | undefined; readonly host: () => TeamHost },
): { readonly handing: Handing; readonly teams: PerRunWork } | undefined {
  const { store, home, machines, labels: wanted, remote, databaseUrl, limits, take, clock } = parts;
  const { homeFolder, folder, source } = parts;
  const { queueSchema: schema } = store;
  if (schema === undefined || databaseUrl === undefined) return undefined;
  const tell = (error: unknown): void => onProblem?.(error, {});
  const machine = (): Promise<string> => machines.own;
  const versions = createVersions({
    ...{ folder, home: homeFolder, env: definedOf(parts.env), project: parts.id, source },
    ...{ workspaces: remote?.address, archive: parts.archive },
  });
  /** Another machine may be the one that works on it: it finds the version where the workspaces are kept. */
  const publish = async (named?: string): Promise<void> => {
    const commit = named ?? (await headVersion(folder))?.commit;
    const sent = commit === undefined ? ok(undefined) : await versions.publish(commit);
    if (!sent.ok) tell(`${sent.error.code} ${sent.error.message}`);
  };
  const queue = postgresRuns({
    ...{ connectionString: databaseUrl, schema, onProblem: tell },
    ...(clock && { clock }),
  });
  /** Whether the files of a team lie on one machine only, and the run with them. */
  const stays = async (run: RunId): Promise<boolean> => {
    if (remote === undefined || (await machines.find(run)) !== undefined) return true;
    const read = await host().read(run);
    return read.ok && worksInProject(read.value.state);
  };
  /** The machine of a run, or else the label that it wants. */
  const labelOf = async (kind: string, run: RunId): Promise<string | undefined> => {
    const machine = kind === 'team' && (await stays(run)) ? await machines.find(run) : undefined;
    const wants = machine === undefined ? await wanted.find(kind, run) : undefined;
    return machine ?? (wants === undefined ? undefined : labelName(wants));
  };
  const mayTake = teamGate({
    ...{ read: (run) => host().read(run) },
    store,
    home,
    machines,
    stays,
    hasRemote: remote !== undefined,
    onProblem,
  });
  const teams = perRunWork({
    ...(limits?.parallel === undefined ? {} : { parallel: limits.parallel }),
    ...(limits?.leaseMs === undefined ? {} : { leaseMs: limits.leaseMs }),
    hand: (run, at) => {
      const put = async () => queue.add({ kind: 'team', run, at, label: await labelOf('team', run) });
      put().catch(tell);
    },
    mayTake,
  });
  const { parallel = DEFAULT_PARALLEL, kinds, labels = [] } = take ?? {};
  return {
    teams,
    handing: {
      queue,
      labelOf,
      wants: wanted.find,
      async note(run, call) {
        await publish();
        return wanted.note(run, call);
      },
      versions: runVersions({ store, home, homeFolder, folder, machine, versions, publish }),
      take: async () => ({
        ...{ parallel, ...(kinds && { kinds }) },
        labels: [...labels.map(labelName), await machines.own],
      }),
    },
  };
}

/** Runs at a time in one process. */
const DEFAULT_PARALLEL = 16;

const definedOf = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

async function readConfig(files: Files): Promise<Result<ProviderConfig, StartError>> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok)
    return text.error.code === 'E_FILE_NOT_FOUND'
      ? ok(NO_CONFIG)
      : cannotStart('E_HOME', describeFileError(text.error));
  const read = readProviderConfig(text.value, CONFIG_FILE);
  if (read.ok) return read;
  const [first] = read.error;
  return {
    ok: false,
    error: {
      code: first?.code ?? 'E_HOME',
      message: first?.message ?? 'The configuration does not fit.',
      diagnostics: read.error,
    },
  };
}

const JOURNAL_FILE = 'journal.db';
