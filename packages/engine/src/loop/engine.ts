import { guard } from '@cuebook/guard';
import type { RunId } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Redactor, type Result } from '@cuebook/prompt';
import { endRunTraces } from '@cuebook/provider';
import type { Drivers } from '../effect/driver.js';
import { runLane, runningKey } from '../effect/lane.js';
import type { CommandShape, EventShape, Machine } from '../machine.js';
import { plain } from '../seal/mark.js';
import { memoryVault } from '../seal/memory-vault.js';
import { createShield, FORMS_ONLY } from '../seal/shield.js';
import type { Clock } from '../timer/clock.js';
import { clockOf } from '../timer/shared-time.js';
import { inProcess } from '../work/in-process.js';
import type { WorkError, WorkFactory, WorkState } from '../work/queue.js';
import type { KeepState } from './commit.js';
import { decideCommand, decideResolve, type EffectResolve } from './decide.js';
import type { EngineStore } from './engine-store.js';
import type { EngineError } from './error.js';
import type { EngineFault } from './fault.js';
import { fireTimer } from './fire-timer.js';
import { firstOfLane } from './ledger.js';
import { OWN_COMMANDS, targetOf } from './names.js';
import { jobsOfOpenWork } from './next-jobs.js';
import { findOpenWork } from './open-work.js';
import { createRunCache } from './run-cache.js';
import type { RunState } from './run-state.js';
import { createTally } from './tally.js';
import { createWriter } from './writer.js';

export interface EngineOptions<State, Command extends CommandShape, Event extends EventShape> {
  readonly store: EngineStore;
  readonly machine: Machine<State, Command, Event>;
  /** By the kind of effect. */
  readonly drivers: Drivers;
  readonly clock?: Clock;
  /** Finds the credentials that the log must not hold; left out: by their form alone. */
  readonly redactor?: Redactor;
  /** Who does the work; left out: this process. */
  readonly work?: WorkFactory;
  /** The name of this process in the log and for others: it should be another one for each process. */
  readonly owner?: string;
  /** Also keeps the newest state of each run as a read model, for machines whose state is JSON. */
  readonly keepState?: KeepState;
  readonly limits?: Partial<EngineLimits>;
  readonly fault?: EngineFault;
  /** What went wrong behind the scenes: what a driver threw, a store that did not answer. */
  readonly onProblem?: (error: unknown, about: ProblemPlace) => void;
}

export interface EngineLimits {
  /** How long an effect that was told to end may take for it. */
  readonly graceMs: number;
  /** Bytes of an outcome as JSON. */
  readonly maxOutputBytes: number;
}

export interface ProblemPlace {
  readonly run?: RunId;
  readonly effect?: string;
}

/** A command and its id. The same id again is the same command, done once. */
export type Identified<Command> = Command & { readonly id: string };

export interface Submitted {
  readonly answer: JsonValue;
  /** The last seq that the command wrote. */
  readonly seq: number;
  /** It had been done before: this is what it answered then. */
  readonly repeated: boolean;
}

/** The durable loop of one kind of run. */
export interface Engine<State, Command extends CommandShape> {
  /** Decides and writes. When it answers ok, the command and what follows from it survive any crash. */
  submit(run: RunId, command: Identified<Command | EffectResolve>): Promise<Result<Submitted, EngineError>>;
  /** Takes up the work: recovers what was open, then does what comes. Without it commands are only written. Safe to call twice. */
  start(): Promise<Result<WorkState, WorkError>>;
  /** Resolves when nothing is in flight in this process and no timer is due. What waits for a person is not in flight. */
  drain(): Promise<void>;
  /** Begins no more effects. What runs is awaited, or told to end; what has no outcome then stays open for recovery. */
  stop(options?: { readonly running?: 'await' | 'abort' }): Promise<void>;
  /** A run as the log has it now. Where a credential was stands a mask that nobody can open. */
  read(run: RunId): Promise<RunState<State>>;
  /**
   * A part of the state as it was given, for who does what a person has decided. Undefined: there is none, or what it
   * needs was erased.
   */
  open<Found>(run: RunId, pick: (state: State) => Found | undefined): Promise<Found | undefined>;
  /** Ends an effect that runs in this process: it fails with `E_EFFECT_ABORTED`. False: it does not run here. */
  abort(run: RunId, effect: string): boolean;
}

export function createEngine<State, Command extends CommandShape, Event extends EventShape>(
  options: EngineOptions<State, Command, Event>,
): Engine<State, Command> {
  const { store, machine, clock = clockOf(options.store), owner = `process ${process.pid}` } = options;
  const onProblem = options.onProblem ?? warn;
  const fault = options.fault ?? (() => undefined);
  const cache = createRunCache(store, machine);
  const shield = createShield(options.redactor ?? FORMS_ONLY, store.vault ?? memoryVault());
  const shown = showPlain<State>();
  const tally = createTally();
  let stopping = false;
  let started: ReturnType<Engine<State, Command>['start']> | undefined;
  let stopped: Promise<void> | undefined;

  const isStopping = () => stopping;
  const commits = { store, machine, cache, keepState: options.keepState ?? false, shield };
  const writer = createWriter<State>({
    parts: commits,
    fault,
    clock,
    isStopping,
    enqueue: (jobs) => work.enqueue(jobs),
    onProblem,
  });
  const running = new Map<string, AbortController>();
  /** Runs that were worked on here: their spans end with the engine. */
  const worked = new Set<RunId>();
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const lanes = {
    ...{ machine, clock, cache, writer, shield, fault, limits, isStopping, running, onProblem },
    drivers: options.drivers,
    isShared: store.kind === 'postgres',
  };

  const work = (options.work ?? inProcess())({
    store,
    clock,
    kind: machine.kind,
    owner,
    tally,
    runLane: (job, hold) => {
      worked.add(job.run);
      return runLane(lanes, job, hold).catch((error: unknown) => {
        onProblem(error, { run: job.run });
        return 'left';
      });
    },
    fireTimer: (job) =>
      fireTimer(lanes, job).catch((error: unknown) => {
        onProblem(error, { run: job.run });
        return false;
      }),
    async nextOfLane({ run, lane }) {
      const open = firstOfLane((await cache.refresh(run)).ledger, lane);
      return open && !open.asked ? { type: 'lane', run, lane, effect: open.intent.id } : undefined;
    },
    openJobs: async (run) => (await findOpenWork(store, machine.kind, run)).flatMap(jobsOfOpenWork),
    onProblem: (error) => onProblem(error, {}),
  });

  const submitNow = async (run: RunId, command: Identified<Command | EffectResolve>) => {
    const parts = { machine, run, command: command.id };
    const { id: _, ...given } = command;
    // A person who changes a call may leave a mask of it where it is; words from anywhere else open nothing.
    const said = guard('seal.forged', given.type !== 'approval.resolve') ? plain(given) : given;
    const written = await writer.write({
      run,
      command: command.id,
      // A hash of a credential would tell a short one to who tries them all.
      target: targetOf(await shield.hide(command)),
      decide: (state) =>
        said.type === 'effect.resolve'
          ? decideResolve({ ...parts, now: clock.now() }, state, said as unknown as EffectResolve)
          : decideCommand({ ...parts, now: clock.now() }, state, said as CommandShape),
    });
    if (!written.ok) return written;
    const { answer, seq, repeated } = written.value;
    return ok({ answer, seq, repeated });
  };

  return {
    async submit(run, command) {
      if (stopping) return fail({ type: 'stopped' });
      const bad = flawOf(command);
      if (bad) return fail(bad);
      const leave = tally.enter();
      return submitNow(run, command).finally(leave);
    },
    async start() {
      started ??= work.start();
      const answer = await started;
      if (!answer.ok) started = undefined;
      return answer;
    },
    drain: () => tally.empty(),
    stop({ running: what = 'await' } = {}) {
      stopping = true;
      stopped ??= work
        .stop({ abort: what === 'abort' })
        .then(() => tally.empty())
        .then(() => endRunTraces(worked));
      return stopped;
    },
    read: async (run) => shown(await cache.refresh(run)),
    async open(run, pick) {
      const { state, marked } = await cache.refresh(run);
      const found = pick(state);
      return found === undefined || !marked ? found : shield.open(run, found);
    },
    abort(run, effect) {
      const found = running.get(runningKey(run, effect));
      found?.abort();
      return found !== undefined;
    },
  };
}

/** States without the names of what is sealed: whoever composes words or shows them has no use for those. */
function showPlain<State>(): (run: RunState<State>) => RunState<State> {
  const known = new WeakMap<RunState<State>, RunState<State>>();
  return (run) => {
    if (!run.marked) return run;
    const found = known.get(run) ?? { ...run, state: plain(run.state) };
    known.set(run, found);
    return found;
  };
}

const DEFAULT_LIMITS: EngineLimits = { graceMs: 5_000, maxOutputBytes: 3 * 1024 * 1024 };

function flawOf({ id, type }: { readonly id: string; readonly type: string }): EngineError | undefined {
  const isName = typeof id === 'string' && id.length > 0 && id.length <= LONGEST_ID && id.isWellFormed();
  if (guard('command.id', !isName)) return { type: 'command', why: 'id' };
  const isOwn = id.startsWith(OWN_COMMANDS) || type === 'effect.settle' || type === 'timer.fire';
  if (guard('command.reserved', isOwn)) return { type: 'command', why: 'reserved' };
  return undefined;
}

const LONGEST_ID = 150;

function warn(error: unknown, { effect }: ProblemPlace): void {
  const what = error instanceof Error ? error.message : String(error);
  process.emitWarning(`engine${effect ? ` (effect ${effect})` : ''}: ${what}`);
}
