import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import {
  createSigner,
  openStore,
  type RunId,
  type Signer,
  type Store,
  type StoreFault,
} from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { NO_CONFIG, type ProviderConfig } from '@cuebook/provider';
import type { HostLimits, StartRun, TeamHost, TeamHostOptions } from '../src/host/contract.js';
import { createTeamHost } from '../src/host/host.js';
import { type NodeState, nodesOf, type TeamState } from '../src/run/state.js';

/** A project, its CUEBOOK_HOME and its journal, in a throw-away folder; hosts come and go. */
export interface HostStand {
  readonly root: string;
  readonly project: string;
  readonly homeFolder: string;
  /** The home of agents, with `inHome`. */
  readonly agentHome: string;
  readonly store: Store;
  /** What a host is made of here. */
  readonly options: TeamHostOptions;
  open(more?: Partial<TeamHostOptions>): Promise<TeamHost>;
  write(path: string, text: string): void;
  /** Stops every host that is open. */
  stopAll(running?: 'wait' | 'abort'): Promise<void>;
  remove(): Promise<void>;
}

export interface StandOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly git?: boolean;
  readonly config?: ProviderConfig | ((root: string) => ProviderConfig);
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<HostLimits>;
  /** An existing folder, for a process that comes later. */
  readonly root?: string;
  readonly fault?: StoreFault;
  /** Agents have a home of their own here. */
  readonly inHome?: boolean;
}

export const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

export async function hostStand(given: StandOptions = {}): Promise<HostStand> {
  const root = given.root ?? realpathSync(mkdtempSync(join(tmpdir(), 'team-host-')));
  const [project, homeFolder] = [join(root, 'project'), join(root, 'home')];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  if (given.root === undefined) {
    for (const folder of [project, homeFolder]) mkdirSync(folder, { mode: 0o700 });
    for (const [path, text] of Object.entries(given.files ?? {})) write(path, text);
    if (given.git) initRepository(project);
  }
  const agentHome = join(root, 'agent');
  if (given.inHome) mkdirSync(agentHome, { recursive: true });
  const config = typeof given.config === 'function' ? given.config(root) : (given.config ?? NO_CONFIG);
  const files = await folderOf(project);
  const home = await folderOf(homeFolder);
  const place = { file: join(homeFolder, 'journal.db') };
  const opened = await openStore(place, given.fault ? { fault: given.fault } : {});
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const store = opened.value;
  const env = { PATH: process.env.PATH, ...(given.inHome ? { HOME: agentHome } : {}), ...given.env };
  const options: TeamHostOptions = {
    ...{ store, home, homeFolder, folder: project, files, hash: sha256 },
    signer: await signerIn(home),
    redactor: createRedactor({
      roots: [['@project', project]],
      private: [root],
      names: [],
    }),
    providers: { config, env },
    ...(given.limits ? { limits: given.limits } : {}),
    onProblem: (error) => problems.push(error),
  };
  const hosts: TeamHost[] = [];
  const stopAll = async (running: 'wait' | 'abort' = 'abort') => {
    for (const host of hosts.splice(0)) await host.stop({ running });
  };
  return {
    ...{ root, project, homeFolder, agentHome, store, options, write, stopAll },
    async open(more = {}) {
      const host = createTeamHost({ ...options, ...more });
      hosts.push(host);
      await host.start();
      return host;
    },
    async remove() {
      await stopAll();
      await store.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** A host on a machine of its own: its folders are its own, and workspaces come and go through a repository. */
export function onMachine(
  { root, options }: Pick<HostStand, 'root' | 'options'>,
  name: string,
): Pick<TeamHostOptions, 'homeFolder' | 'remote'> {
  const homeFolder = join(root, `home-${name}`);
  const address = join(root, 'workspaces.git');
  mkdirSync(homeFolder, { recursive: true, mode: 0o700 });
  execFileSync('git', ['init', '--quiet', '--bare', address]);
  const machine = async () => name;
  return { homeFolder, remote: { address, shared: options.home, machine, project: 'prj_test' } };
}

/** What hosts said went wrong, for a look when a test fails. */
export const problems: unknown[] = [];

export const initRepository = (folder: string): void => {
  gitIn(folder, 'init', '-q', '-b', 'main');
  commitAll(folder);
};

/** Everything that is in the folder now is in its repository. */
export const commitAll = (folder: string): void => {
  gitIn(folder, 'add', '-A');
  gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'all');
};

const gitIn = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, stdio: 'pipe' });

async function folderOf(folder: string): Promise<Files> {
  const opened = await openFolder(folder);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

async function signerIn(home: Files): Promise<Signer> {
  const signer = await createSigner(home);
  if (!signer.ok) throw new Error(signer.error.code);
  return signer.value;
}

/** A call as an agent writes it in its answer. */
export const call = (name: string, args: object, id?: string): string =>
  JSON.stringify({ tool_call: { ...(id === undefined ? {} : { id }), name, args } });

/** A script as a host takes it. */
export const scriptOf = (lanes: Readonly<Record<string, readonly object[]>>): string =>
  JSON.stringify({ lanes });

let started = 0;
/** Starts a run; what is wrong with it fails the test. */
export async function startRun(
  host: TeamHost,
  given: Partial<StartRun> & Pick<StartRun, 'team'>,
): Promise<RunId> {
  started += 1;
  const begun = await host.startRun({ id: `test ${started} ${process.pid}`, by: 'ann', ...given });
  if (!begun.ok) throw new Error(JSON.stringify(begun.error));
  return begun.value.run;
}

/** The state of a run. */
export async function stateOf(host: TeamHost, run: RunId): Promise<TeamState> {
  const read = await host.read(run);
  if (!read.ok) throw new Error(read.error.code);
  return read.value.state;
}

/** A node by its alias. */
export function nodeOf(state: TeamState, alias: string): NodeState {
  const found = nodesOf(state).find(({ node }) => node.alias === alias);
  if (!found) throw new Error(`no node ${alias}`);
  return found;
}

/** Waits until the state of a run is as wanted: by its events, never by time. */
export async function until(
  host: TeamHost,
  run: RunId,
  isSo: (state: TeamState) => boolean,
): Promise<TeamState> {
  const stop = new AbortController();
  const now = await host.read(run);
  if (!now.ok) throw new Error(now.error.code);
  if (isSo(now.value.state)) return now.value.state;
  try {
    for await (const _event of host.events(run, { after: now.value.seq, signal: stop.signal })) {
      const state = await stateOf(host, run);
      if (isSo(state)) return state;
    }
  } finally {
    stop.abort();
  }
  throw new Error('the events ended');
}
