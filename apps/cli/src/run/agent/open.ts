import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { KeptProject, LiveProject } from '@cuebook/define';
import { findWorker, inProcess } from '@cuebook/engine';
import { describeFileError, openFolder } from '@cuebook/files';
import { openLogins, openVault, type VariableVault } from '@cuebook/host';
import { createSigner, type RunId } from '@cuebook/journal';
import { loadConfig } from '@cuebook/profile';
import {
  openRunProject,
  openServers,
  openThreads,
  type RunProject,
  type ThreadLiveEvent,
  type Threads,
  threadKind,
} from '@cuebook/thread';
import { diagnosed, Failure } from '../../failure.js';
import type { Io } from '../../io.js';
import type { Bench } from '../../project/bench.js';
import { homeFolder } from '../../project/home.js';
import { projectContext } from '../../project/leak-context.js';
import { machineContext, thisMachine } from '../../project/machine.js';
import { requireFile } from '../../project/named-file.js';
import { type Journal, keyFailure } from '../../record/journal.js';
import type { AgentVoices } from './voices.js';

/** A thread that this process works on. */
export interface OpenedThread {
  readonly threads: Threads;
  readonly live: LiveProject;
  readonly close: (running?: 'await' | 'abort') => Promise<void>;
}

export interface OpenInput {
  readonly run: RunId;
  readonly bench: Bench;
  readonly journal: Journal;
  readonly voices: AgentVoices;
  readonly io: Io;
  readonly publish: (event: ThreadLiveEvent) => void;
  /** The project, where the caller has opened it and will close it. */
  readonly live?: LiveProject;
  /** The project as it was read for a thread that begins. */
  readonly now?: KeptProject | undefined;
  /** Names of variables that the call hands in anew. */
  readonly handed?: readonly string[];
}

/** Opens the project and takes up the work of one thread. A process that died a moment ago is waited out. */
export async function openThread({
  run,
  bench,
  journal,
  voices,
  io,
  publish,
  live: given,
  now,
  handed = [],
}: OpenInput): Promise<OpenedThread> {
  const signer = await createSigner(journal.home);
  if (!signer.ok) throw keyFailure(signer.error);
  const vault = await requireVault(journal);
  const { live, entry } = given ? { live: given } : await requireProject(run, bench, journal, now);
  const servers = await openServers(
    { catalog: live.catalog, files: bench.files },
    {
      env: io.env,
      cwd: bench.folder,
      redactor: bench.redactor,
      logins: openLogins(async () => journal.home),
    },
  );
  if (!servers.ok) {
    if (given === undefined) await live.close();
    throw diagnosed(servers.error);
  }
  for (const problem of servers.value.problems) io.err(`warning: ${problem}\n`);
  const closeLive = async (): Promise<void> => {
    await servers.value.close();
    if (given === undefined) await live.close();
  };
  const models = [...live.catalog.models.values()].map(({ data }) => data);
  const context = await contextOf(bench, io);
  const home = homeFolder(bench.folder, io);
  // What a person attaches is theirs to choose; threads withhold from models what models name.
  const files = requireFile(await openFolder(bench.folder, { access: 'ro' }), 'the project');
  const open = () =>
    openThreads(
      {
        live,
        entry,
        servers: servers.value,
        store: journal.store,
        signer: signer.value,
        vault,
        files,
        folder: bench.folder,
        home,
        provider: voices.find,
        priced: voices.isPriced(models),
        context,
        // A kind of its own, because work of one kind belongs to one process: threads side by side do not wait.
        kind: threadKind(run),
        work: inProcess({ whenHeld: 'refuse' }),
        publish,
      },
      { run, handed },
    );
  let opened = await open();
  for (let tries = 0; !opened.ok && opened.error.code === 'E_THREAD_HELD' && tries < TRIES; tries += 1) {
    if (io.stop.aborted) break;
    await wait(WAIT_MS);
    opened = await open();
  }
  if (!opened.ok) {
    await closeLive();
    if (opened.error.code !== 'E_THREAD_HELD')
      throw new Failure(opened.error.code, opened.error.message, { exit: 3 });
    const worker = (await findWorker(journal.store, run)) ?? 'another process';
    throw new Failure('E_THREAD_HELD', `${run} is worked on by ${worker}: wait until it has ended.`, {
      exit: 1,
    });
  }
  const threads = opened.value;
  return {
    threads,
    live,
    async close(running = 'await') {
      await threads.close({ running });
      await closeLive();
    },
  };
}

/** The definitions of a thread: those of its beginning, once it has begun. */
export async function requireProject(
  run: RunId,
  { project, folder }: Bench,
  { store }: Journal,
  now?: KeptProject,
): Promise<RunProject> {
  const place = pathToFileURL(`${folder}/`).href;
  const opened = await openRunProject({ run, store, project, folder: place, now });
  if (opened.ok) return opened.value;
  throw new Failure(opened.error.code, opened.error.message, { exit: 3 });
}

/** Between looks at whether a thread is free. What a dead process held is free at once. */
const WAIT_MS = 500;
const TRIES = 6;

/** The vault of the threads of a home. */
async function requireVault({ home }: Journal): Promise<VariableVault> {
  const vault = await openVault(home);
  if (vault.ok) return vault.value;
  const message =
    vault.error.code === 'E_SECRET_SEAL'
      ? 'keys/threads.key is not a key of threads'
      : describeFileError(vault.error);
  throw new Failure(vault.error.code, message, { exit: 3 });
}

/** What no word of a thread may hold: of this machine, and as the project says. */
async function contextOf({ folder, files }: Bench, io: Io) {
  const config = await loadConfig(files);
  const machine = thisMachine(io.env);
  const own = machineContext(machine, folder);
  return config.ok ? projectContext(own, config.value, { project: folder, home: machine.home }) : own;
}
