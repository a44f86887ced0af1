import { randomUUID } from 'node:crypto';
import type { LiveProject } from '@cuebook/define';
import {
  type BudgetUnit,
  type Clock,
  createEngine,
  describeEngineError,
  type Engine,
  type EngineFault,
  type Outcome,
  UNKNOWN_OUTCOME,
  type WorkFactory,
} from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { VariableVault } from '@cuebook/host';
import { createRecorder, promptHash, type RunId, type Signer, type Store } from '@cuebook/journal';
import {
  createComposeMemo,
  createRedactor,
  fail,
  type JsonValue,
  type LeakContext,
  ok,
  type Result,
} from '@cuebook/prompt';
import { NO_SERVERS, type Servers } from '@cuebook/provider/servers';
import { type ApprovalWord, resolution } from './drive/approve.js';
import { createMessageDriver, createPrepareDriver, createResultDriver } from './drive/hook-effects.js';
import type { Describe, DriveParts, ThreadLiveEvent } from './drive/parts.js';
import { type Beginning, beginning, newMessage, type PersonWords, type Values } from './drive/person.js';
import { createToolDriver } from './drive/tool.js';
import { createStepDriver } from './drive/turn.js';
import { createVoices, type FindProvider } from './drive/voices.js';
import { createCleaners } from './env/cleaners.js';
import { createEnvironments } from './env/layers.js';
import { describeUnopened, unopenedSecrets } from './env/unopened.js';
import { createThreadMachine } from './machine.js';
import type { ThreadCommand } from './run/command.js';
import type { EnvLayer } from './run/env-value.js';
import type { ThreadRunState } from './run/state.js';
import { keepProject } from './run-project.js';
import { withServers } from './servers.js';

/** What threads of a project need to run. */
export interface ThreadsOptions {
  readonly live: LiveProject;
  /** The entry of the vault that the definitions are from; left out: a thread begins with them. */
  readonly entry?: string | undefined;
  /** The MCP servers whose tools prompts list. Whoever opened them closes them. */
  readonly servers?: Servers;
  readonly store: Store;
  readonly signer: Signer;
  readonly vault: VariableVault;
  readonly provider: FindProvider;
  /** What must never be said. Secret variables are added to it. */
  readonly context: LeakContext;
  /** Files that messages may attach. */
  readonly files?: Files;
  /** The project's folder: the record tells which commit it was at. */
  readonly folder?: string;
  /** CUEBOOK_HOME, which nobody attaches anything from. */
  readonly home?: string;
  readonly describe?: Describe;
  /** How long one hook, and one tool, may take. */
  readonly hookMs?: number;
  readonly toolMs?: number;
  /** Whether every model has a known price. */
  readonly priced?: boolean;
  /** How long a person has to allow a call; left out: for ever. */
  readonly approvalMs?: number;
  /** Threads of one kind belong to one process. */
  readonly kind?: string;
  readonly publish?: (event: ThreadLiveEvent) => void;
  readonly clock?: Clock;
  readonly work?: WorkFactory;
  readonly fault?: EngineFault;
  readonly owner?: string;
}

export interface ThreadStart extends Beginning {
  readonly run: RunId;
}

export interface ThreadError {
  readonly code: string;
  readonly message: string;
}

type Answered = Promise<Result<JsonValue, ThreadError>>;

/** Threads that run. Every step is in the journal before and after it is done. */
export interface Threads {
  readonly engine: Engine<ThreadRunState, ThreadCommand>;
  start(given: ThreadStart): Answered;
  say(run: RunId, said: PersonWords, by?: string): Answered;
  /** Ends the turn under way: what was said so far stays. */
  stop(run: RunId, by?: string, id?: string): Answered;
  /** Goes on after a pause. */
  resume(run: RunId, by?: string, id?: string): Answered;
  raise(run: RunId, to: { readonly [unit in BudgetUnit]?: number }, by?: string, id?: string): Answered;
  setEnv(run: RunId, layer: 'thread' | 'account' | 'instance', values: Values, by?: string): Answered;
  /** A person's word on a call that waits for it. Changed arguments pass every check that the first ones passed. */
  answer(run: RunId, word: ApprovalWord): Answered;
  /** What became of a call that was begun when a process died: it was not done, or nobody knows, or its result. */
  resolve(
    run: RunId,
    effect: string,
    answer: 'not-done' | 'unknown' | { readonly result: string },
    id?: string,
  ): Answered;
  /** Takes up the work, and what an earlier process left of it; false while another process has it. */
  take(): Promise<boolean>;
  read(run: RunId): Promise<ThreadRunState>;
  /** The names of its secret variables that the vault does not open. Whoever has none of the key leaves the run to others. */
  unopened(run: RunId): Promise<readonly string[]>;
  /** Whether a run was moved to other definitions than these: its next turn is for who opens it again. */
  isMoved(run: RunId): Promise<boolean>;
  /** Resolves when nothing is in flight. What waits for a person is not in flight. */
  drain(): Promise<void>;
  close(options?: { readonly running?: 'await' | 'abort' }): Promise<void>;
}

/** Threads that this process works on; of the one that is named, every secret must open but those that are handed in anew. */
export async function openThreads(
  options: ThreadsOptions,
  named?: { readonly run: RunId; readonly handed: readonly string[] },
): Promise<Result<Threads, ThreadError>> {
  const threads = createThreads(options);
  const unopened = named === undefined ? [] : await threads.unopened(named.run);
  const missing = unopened.filter((name) => !named?.handed.includes(name));
  if (guard('thread.unopened', missing.length > 0))
    return fail({ code: 'E_SECRET_SEAL', message: describeUnopened(missing) });
  if (await threads.take()) return ok(threads);
  return fail({ code: 'E_THREAD_HELD', message: 'Another process does the work of this thread.' });
}

/** The same before the work is taken up: what is said is written, and whoever has the work goes on. */
export function createThreads(options: ThreadsOptions): Threads {
  const { servers = NO_SERVERS, store, vault, context, kind = 'thread' } = options;
  const live = servers === NO_SERVERS ? options.live : withServers(options.live, servers);
  const environments = createEnvironments(live.catalog, vault);
  const voices = createVoices(options.provider);
  const stops = new Map<string, AbortController>();
  const closing = new AbortController();
  /** Fires when somebody stops the run, in whichever process: the log says so. */
  const stopOf = (run: RunId): AbortController => {
    const known = stops.get(run);
    if (known !== undefined) return known;
    const stop = new AbortController();
    stops.set(run, stop);
    // A journal that does not answer cannot stop a turn; the turn ends by its own limits.
    heedStop(run, stop).catch(() => undefined);
    return stop;
  };
  const heedStop = async (run: RunId, stop: AbortController): Promise<void> => {
    const { state, seq } = await engine.read(run);
    const signal = AbortSignal.any([closing.signal, stop.signal]);
    let isStopping = state.mode === 'stopping';
    if (!isStopping)
      for await (const { type } of store.subscribe({ run, after: seq, signal })) {
        isStopping = type === 'thread.stopping';
        if (isStopping) break;
      }
    if (!isStopping) return;
    stops.delete(run);
    stop.abort();
  };
  const { maskOf, redactorOf } = createCleaners(environments.secrets, context);
  const parts: DriveParts = {
    live,
    refresh: () => servers.refresh(),
    environments,
    store,
    recorder: createRecorder({ store, signer: options.signer }),
    // What drivers make of it for a model passes the gates of the prompt; what tools and hooks are given is not masked.
    state: async (run) => (await engine.open(run as RunId, (whole) => whole)) ?? read(run as RunId),
    files: options.files,
    home: options.home,
    hash: promptHash,
    memo: createComposeMemo(),
    maskOf,
    redactorOf,
    voices,
    describe: options.describe,
    hookMs: options.hookMs ?? 10_000,
    toolMs: options.toolMs ?? 120_000,
    stopOf: (run) => stopOf(run as RunId).signal,
    publish: options.publish ?? (() => undefined),
  };
  let { entry } = options;
  const config = {
    ...{ catalog: live.catalog, priced: options.priced ?? false, entry: () => entry },
    ...given('approvalMs', options.approvalMs),
  };
  const engine: Engine<ThreadRunState, ThreadCommand> = createEngine({
    store,
    machine: createThreadMachine(config, kind),
    redactor: createRedactor(context),
    drivers: {
      'model.turn': createStepDriver(parts),
      'tool.call': createToolDriver(parts),
      'message.hook': createMessageDriver(parts),
      'result.hook': createResultDriver(parts),
      'thread.prepare': createPrepareDriver(parts),
    },
    ...given('clock', options.clock),
    ...given('work', options.work),
    ...given('fault', options.fault),
    ...given('owner', options.owner),
  });

  const submit = async (run: RunId, command: ThreadCommand, id: string = randomUUID()): Answered => {
    const done = await engine.submit(run, { ...command, id });
    return done.ok ? ok(done.value.answer) : fail(describeEngineError(done.error));
  };
  const keepAll = (values: Values = {}): EnvLayer =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, environments.keep(name, value)]));
  const read = async (run: RunId): Promise<ThreadRunState> => (await engine.read(run)).state;

  return {
    engine,
    async start({ run, ...given }) {
      const command = await beginning(parts, config, given);
      if (!command.ok) return command;
      const kept = await keepProject({ store, run, folder: options.folder }, live);
      if (!kept.ok) return kept;
      entry = kept.value.sources?.entry;
      return submit(run, { ...command.value, ...kept.value }, given.id);
    },
    async say(run, said, by = 'user') {
      const message = await newMessage(parts, await read(run), said);
      return message.ok ? submit(run, { type: 'thread.say', ...message.value, by }, said.id) : message;
    },
    async stop(run, by = 'user', id = randomUUID()) {
      const done = await submit(run, { type: 'thread.stop', by }, id);
      stops.get(run)?.abort();
      stops.delete(run);
      return done;
    },
    resume: (run, by = 'user', id = randomUUID()) => submit(run, { type: 'thread.resume', by }, id),
    raise: (run, to, by = 'user', id = randomUUID()) => submit(run, { type: 'budget.raise', to, by }, id),
    setEnv: (run, layer, values, by = 'user') =>
      submit(run, { type: 'env.change', layer, values: keepAll(values), by }),
    async answer(run, { id, ...word }) {
      const command = await resolution(parts, await read(run), { by: 'user', ...word });
      return command.ok ? submit(run, command.value, id) : command;
    },
    async resolve(run, effect, answer, id = randomUUID()) {
      const outcome: Outcome | 'not-done' =
        answer === 'unknown'
          ? UNKNOWN_OUTCOME
          : answer === 'not-done'
            ? 'not-done'
            : { ok: true, output: { text: maskOf(await read(run)).text(answer.result) } };
      const done = await engine.submit(run, {
        type: 'effect.resolve',
        effect,
        outcome,
        id,
      });
      return done.ok ? ok(done.value.answer) : fail(describeEngineError(done.error));
    },
    take: async () => (await engine.start()).ok,
    read,
    unopened: async (run) => unopenedSecrets(await read(run), vault),
    async isMoved(run) {
      const { sources } = await read(run);
      return entry !== undefined && sources !== undefined && sources.entry !== entry;
    },
    drain: () => engine.drain(),
    async close({ running = 'await' } = {}) {
      await engine.stop({ running });
      closing.abort();
      await voices.close();
    },
  };
}

const given = <Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [key in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [key in Key]: Value });
