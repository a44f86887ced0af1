import { guard } from '@cuebook/guard';
import type { AppendBatch, RunId } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';
import { traceEffect } from '@cuebook/provider';
import type { Decided, WrittenDecision } from '../loop/commit.js';
import { decideAsk, decideBegin } from '../loop/decide.js';
import type { EngineError } from '../loop/error.js';
import type { EngineFault } from '../loop/fault.js';
import { firstOfLane, type OpenEffect } from '../loop/ledger.js';
import { askCommand, beginCommand, settleCommand } from '../loop/names.js';
import { pause, pauseAfter } from '../loop/patience.js';
import type { RunState } from '../loop/run-state.js';
import type { EffectIntent, EffectSettled, Outcome } from '../machine.js';
import { type EffectAction, nextAction } from '../recover/recover.js';
import type { Clock } from '../timer/clock.js';
import type { LaneEnd, LaneHold, LaneJob } from '../work/queue.js';
import { type BesideWrite, createLastWrite } from './beside.js';
import type { Driver, Drivers } from './driver.js';
import { failing, observe, type Performed, type PerformOptions, perform } from './perform.js';

/** What working on a lane needs of the engine. */
export interface LaneParts<State> {
  /** The kind of run, for telemetry. */
  readonly kind: string;
  readonly drivers: Drivers;
  readonly clock: Clock;
  readonly fault: EngineFault;
  readonly limits: { readonly graceMs: number; readonly maxOutputBytes: number };
  /** Nothing more is to be begun. */
  isStopping(): boolean;
  refresh(run: RunId): Promise<RunState<State>>;
  /** Writes once, however often it takes; the jobs that follow are handed out, those of `lane` excepted. */
  write(request: LaneWrite<State>): Promise<Result<WrittenDecision<State>, EngineError>>;
  /** Appends a batch, and a decision behind it in the same commit. */
  readonly writeBehind: WriteBehind<State>;
  /** Appends what is nobody's decision. */
  readonly append: AppendBatch;
  settle(run: RunState<State>, at: Settling): Result<Decided, EngineError>;
  /** Others may work on the same runs, also newer versions. */
  readonly isShared: boolean;
  /** Whether the machine lets this process begin an effect. */
  mayBegin(run: RunState<State>, effect: EffectIntent): boolean;
  /** The intent as its driver needs it, with nothing sealed; undefined where a part cannot be opened any more. */
  open(run: RunId, intent: EffectIntent): Promise<EffectIntent | undefined>;
  /** The signal by which somebody ends this one effect; `over` when it has ended. */
  abortable(run: RunId, effect: string): { readonly signal: AbortSignal; over(): void };
  onProblem(error: unknown, about: { readonly run: RunId; readonly effect: string }): void;
}

export interface LaneWrite<State> {
  readonly run: RunId;
  readonly lane: string;
  readonly command: string;
  readonly target: string;
  readonly hold: LaneHold;
  readonly decide: (run: RunState<State>) => Result<Decided, EngineError>;
  /** What its driver writes in front of it. */
  readonly beside?: BesideWrite;
}

type WriteBehind<State> = (
  write: Pick<LaneWrite<State>, 'run' | 'decide'>,
  batch: Parameters<AppendBatch>[0],
) => ReturnType<AppendBatch>;

export type Settling = EffectSettled & {
  readonly seq: number;
  readonly run: RunId;
  readonly command: string;
};

/**
 * Does what is open in a lane, one effect after the other in the order of their intents, until nothing is left,
 * a person has to say something, the engine stops, or the hold is lost. Begun effects are settled by their policy first: who holds
 * the lane is alone, so a begun effect without an outcome is one that somebody left.
 */
export async function runLane<State>(
  parts: LaneParts<State>,
  job: LaneJob,
  hold: LaneHold,
): Promise<LaneEnd> {
  while (!hold.signal.aborted && !parts.isStopping()) {
    const run = await parts.refresh(job.run);
    const open = firstOfLane(run.ledger, job.lane);
    if (open === undefined || open.asked) return 'idle';
    if (!(await step({ parts, run: job.run, state: run, open, hold }))) return 'left';
  }
  return 'left';
}

interface Work<State> {
  readonly parts: LaneParts<State>;
  readonly run: RunId;
  /** The run as it was looked at. */
  readonly state: RunState<State>;
  readonly open: OpenEffect;
  readonly hold: LaneHold;
}

/** One effect, one step. False: it could not be done or written. */
async function step<State>(work: Work<State>): Promise<boolean> {
  const { parts, run, open } = work;
  const isStrange = parts.isShared && !Object.hasOwn(parts.drivers, open.intent.kind);
  if (guard('lane.newer', isStrange)) {
    const { id: effect, kind } = open.intent;
    parts.onProblem(new Error(`E_EFFECT_DRIVER: the effect ${kind} is left to a process that knows it`), {
      run,
      effect,
    });
    return false;
  }
  const action = await decideStep(work);
  switch (action.type) {
    case 'perform':
      return performStep(work, action.attempt);
    case 'settle':
      return settleStep(work, action.outcome, 'world');
    case 'ask':
      return askStep(work);
    default:
      return false;
  }
}

/** By the policy, with a look into the world where the policy asks for one. */
async function decideStep<State>({ parts, run, open, hold }: Work<State>): Promise<EffectAction> {
  const action = nextAction(open, undefined);
  if (action.type !== 'observe') return action;
  const driver = parts.drivers[open.intent.kind];
  const intent = await parts.open(run, open.intent);
  if (driver === undefined || intent === undefined) return nextAction(open, { state: 'unknown' });
  const seen = await observe(
    driver,
    intent,
    { run, signal: hold.signal, fence: hold.fence },
    performOptions(parts, run, open),
  );
  const isKnown = seen !== undefined && !hold.signal.aborted;
  return isKnown ? nextAction(open, seen) : { type: 'wait', effect: open.intent };
}

async function performStep<State>(work: Work<State>, attempt: number): Promise<boolean> {
  const { parts, run, open, hold } = work;
  const { intent } = open;
  const driver = Object.hasOwn(parts.drivers, intent.kind) ? parts.drivers[intent.kind] : undefined;
  if (driver === undefined) return settleStep(work, failing('E_EFFECT_DRIVER'), 'engine');
  const opened = await parts.open(run, intent);
  if (opened === undefined) return settleStep(work, failing('E_EFFECT_SEALED'), 'engine');
  const begin = isLate(driver, work, attempt) ? lateBegin(work, attempt) : undefined;
  if (!(begin ? begin.may : await beginNow(work, attempt))) return false;
  if (begin === undefined) await parts.fault('begun');
  const last = isRepeatable(intent) ? createLastWrite() : undefined;
  const abort = parts.abortable(run, intent.id);
  const { clock } = parts;
  const tryAgain = async (tries: number): Promise<boolean> => {
    const ms = pauseAfter(tries, hold.isPatient === true && !parts.isStopping());
    if (ms === undefined) return false;
    await pause(clock, ms, hold.signal);
    return !hold.signal.aborted;
  };
  const beside = {
    ...(begin && { begin: begin.append }),
    ...(last && { settleWith: last.settleWith }),
  };
  const base = {
    ...{ run, attempt, fence: hold.fence, now: () => clock.now(), stands: hold.stands, tryAgain },
    ...beside,
  };
  const options = { ...performOptions(parts, run, open), leave: hold.signal, abort: abort.signal };
  const performed = await traceEffect(
    { run, kind: parts.kind, effect: intent },
    () => perform(driver, opened, base, options),
    failureOf,
  );
  abort.over();
  const write = last?.take();
  const isRefused = guard('lane.refused', begin?.isRefused() === true);
  if (performed.type === 'left' || isRefused) {
    await write?.(parts.append);
    return false;
  }
  await parts.fault('performed');
  return settleStep(work, performed.outcome, 'driver', write);
}

/** Whether the driver marks the effect as begun. A second try is marked before: its words may depend on it. */
const isLate = <State>({ beginsLate }: Driver, { open }: Work<State>, attempt: number): boolean =>
  guard('lane.late', beginsLate === true) && attempt === 1 && isRepeatable(open.intent);

/** Whether a crash loses nothing that a person or the world would have to be asked about. */
const isRepeatable = ({ onCrash }: EffectIntent): boolean => !guard('lane.asks', onCrash !== 'repeat');

/** The mark of an effect that its driver sets, with the first batch that it appends. */
function lateBegin<State>(work: Work<State>, attempt: number) {
  const { parts, run, state } = work;
  const decide = marking(work, attempt);
  let standing: 'none' | 'begun' | 'refused' = 'none';
  const append: AppendBatch = async (batch) => {
    if (standing === 'begun') return parts.append(batch);
    const appended = await parts.writeBehind({ run, decide }, batch);
    standing = appended.ok ? 'begun' : 'refused';
    if (appended.ok) await parts.fault('begun');
    return appended;
  };
  return { may: decide(state).ok, append, isRefused: () => standing === 'refused' };
}

/** The code of an effect that failed, for telemetry: never what was thrown. */
function failureOf(performed: Performed): string | undefined {
  if (performed.type === 'left') return 'left';
  const { outcome } = performed;
  if (!outcome.ok) return outcome.error.code;
  const { isError } = Object(outcome.output) as { readonly isError?: unknown };
  return isError === true ? 'tool_error' : undefined;
}

async function beginNow<State>(work: Work<State>, attempt: number): Promise<boolean> {
  const { parts, run, open, hold } = work;
  const { intent, seq } = open;
  const written = await parts.write({
    run,
    lane: intent.lane,
    command: beginCommand(intent.id, { seq, attempt, token: hold.fence.token }),
    target: intent.id,
    hold,
    decide: marking(work, attempt),
  });
  return written.ok;
}

/** The mark that this process is about to do the effect. */
function marking<State>({ parts, open, hold }: Work<State>, attempt: number): LaneWrite<State>['decide'] {
  const { intent, seq } = open;
  const mark = { id: intent.id, seq, attempt, owner: hold.owner };
  return (state) =>
    guard('lane.may-begin', !parts.mayBegin(state, intent)) ? LEFT : decideBegin(state, mark);
}

/** It is none of this process's to begin. */
const LEFT: Result<never, EngineError> = { ok: false, error: { type: 'closed' } };

async function settleStep<State>(
  work: Work<State>,
  outcome: Outcome,
  by: EffectSettled['by'],
  beside?: BesideWrite,
): Promise<boolean> {
  const { parts, run, open, hold } = work;
  const { id, lane } = open.intent;
  const command = settleCommand(id, open.seq);
  const settling = { id, outcome, by, seq: open.seq, run, command };
  const decide = (state: RunState<State>) => parts.settle(state, settling);
  const request = { run, lane, command, target: id, hold, decide };
  const written = await parts.write(beside ? { ...request, beside } : request);
  if (written.ok) {
    await parts.fault('settled');
    return true;
  }
  // The log does not take this outcome, and would not take it the next time: the run learns that instead.
  const tooMuch = written.error.type === 'journal' && UNFIT.has(written.error.code);
  if (!tooMuch || !isFit(outcome)) return false;
  return settleStep(work, failing('E_EFFECT_OUTCOME'), 'engine');
}

async function askStep<State>({ parts, run, open, hold }: Work<State>): Promise<boolean> {
  const { id, lane } = open.intent;
  const command = askCommand(id, open.seq, open.attempts);
  const written = await parts.write({
    run,
    lane,
    command,
    target: id,
    hold,
    decide: (state) => decideAsk(state, { id, seq: open.seq }),
  });
  return written.ok;
}

function performOptions<State>(parts: LaneParts<State>, run: RunId, open: OpenEffect) {
  return {
    clock: parts.clock,
    ...parts.limits,
    onError: (error: unknown) => parts.onProblem(error, { run, effect: open.intent.id }),
  } satisfies Partial<PerformOptions>;
}

const isFit = (outcome: Outcome) => outcome.ok || outcome.error.code !== 'E_EFFECT_OUTCOME';

const UNFIT: ReadonlySet<string> = new Set(['E_JOURNAL_TOO_LARGE', 'E_JOURNAL_INVALID']);
