import { guard, guarded } from '@cuebook/guard';
import type { Append, RunId } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';
import { traceEffect } from '@cuebook/provider';
import type { Write } from '../loop/commit.js';
import { decideAsk, decideBegin, decideSettle } from '../loop/decide.js';
import type { EngineError } from '../loop/error.js';
import type { EngineFault } from '../loop/fault.js';
import { firstOfLane, type OpenEffect } from '../loop/ledger.js';
import { askCommand, beginCommand, settleCommand } from '../loop/names.js';
import { rest } from '../loop/patience.js';
import type { RunCache } from '../loop/run-cache.js';
import type { AnyMachine, RunState } from '../loop/run-state.js';
import type { Writer } from '../loop/writer.js';
import type { EffectIntent, EffectSettled, Outcome } from '../machine.js';
import { type EffectAction, nextAction } from '../recover/recover.js';
import { plain } from '../seal/mark.js';
import type { Shield } from '../seal/shield.js';
import type { Clock } from '../timer/clock.js';
import type { LaneEnd, LaneHold, LaneJob } from '../work/queue.js';
import { type BesideWrite, createFirstWrite, createLastWrite } from './beside.js';
import type { Driver, Drivers } from './driver.js';
import { failing, failureOf, observe, type PerformOptions, perform } from './perform.js';

/** What working on a lane needs of the engine. */
export interface LaneParts<State> {
  readonly machine: AnyMachine<State>;
  readonly drivers: Drivers;
  readonly clock: Clock;
  readonly cache: RunCache<State>;
  readonly writer: Writer<State>;
  readonly shield: Shield;
  readonly fault: EngineFault;
  readonly limits: { readonly graceMs: number; readonly maxOutputBytes: number };
  /** Nothing more is to be begun. */
  isStopping(): boolean;
  /** Others may work on the same runs, also newer versions. */
  readonly isShared: boolean;
  /** By which somebody ends one effect that runs here: under `runningKey`. */
  readonly running: Map<string, AbortController>;
  onProblem(error: unknown, about: { readonly run: RunId; readonly effect: string }): void;
}

/** One text for one effect of one run. */
export const runningKey = (run: RunId, effect: string): string => JSON.stringify([run, effect]);

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
  while (!hold.signal.aborted && !guard('lane.stop', parts.isStopping())) {
    const run = await parts.cache.refresh(job.run);
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
  const { id: effect, kind } = open.intent;
  if (guard('lane.newer', parts.isShared && !Object.hasOwn(parts.drivers, kind))) {
    const left = new Error(`E_EFFECT_DRIVER: the effect ${kind} is left to a process that knows it`);
    parts.onProblem(left, { run, effect });
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
async function decideStep<State>(work: Work<State>): Promise<EffectAction> {
  const { parts, run, open, hold } = work;
  const action = nextAction(open, undefined);
  if (action.type !== 'observe') return action;
  const driver = parts.drivers[open.intent.kind];
  const intent = await openIntent(work);
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
  const opened = await openIntent(work);
  if (opened === undefined) return settleStep(work, failing('E_EFFECT_SEALED'), 'engine');
  const decide = marking(work, attempt);
  const { writer, clock } = parts;
  const mark = (batch: Append) => writer.writeBehind({ run, decide }, batch);
  const begun = () => parts.fault('begun');
  const isFirst = isLate(driver, work, attempt);
  const first = isFirst ? createFirstWrite({ mark, append: writer.append, begun }) : undefined;
  if (!(first ? decide(work.state).ok : await beginNow(work, attempt, decide))) return false;
  if (first === undefined) await begun();
  const last = isRepeatable(intent) ? createLastWrite() : undefined;
  const key = runningKey(run, intent.id);
  const abort = new AbortController();
  parts.running.set(key, abort);
  const tryAgain = async (tries: number): Promise<boolean> => {
    const isPatient = hold.isPatient === true && !parts.isStopping();
    return (await rest(clock, tries, { isPatient, signal: hold.signal })) && !hold.signal.aborted;
  };
  const base = {
    ...{ run, attempt, fence: hold.fence, now: () => clock.now(), stands: hold.stands, tryAgain },
    ...(first && { begin: first.append }),
    ...(last && { settleWith: last.settleWith }),
  };
  const options = { ...performOptions(parts, run, open), leave: hold.signal, abort: abort.signal };
  const performed = await traceEffect(
    { run, kind: parts.machine.kind, effect: intent },
    () => perform(driver, opened, base, options),
    failureOf,
  );
  parts.running.delete(key);
  const write = last?.take();
  const isRefused = guard('lane.refused', first?.isRefused() === true);
  if (performed.type === 'left' || isRefused) {
    await write?.(writer.append);
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

async function beginNow<State>(
  work: Work<State>,
  attempt: number,
  decide: Write<State>['decide'],
): Promise<boolean> {
  const { seq, intent } = work.open;
  const command = beginCommand(intent.id, { seq, attempt, token: work.hold.fence.token });
  const written = await writeHeld(work, command, decide);
  return written.ok;
}

/** The mark that this process is about to do the effect. */
function marking<State>({ parts, open, hold }: Work<State>, attempt: number): Write<State>['decide'] {
  const { intent, seq } = open;
  const mark = { id: intent.id, seq, attempt, owner: hold.owner };
  return (state) =>
    guard('lane.may-begin', parts.machine.mayBegin?.(state.state, intent) === false)
      ? LEFT
      : decideBegin(state, mark);
}

/** It is none of this process's to begin. */
const LEFT: Result<never, EngineError> = { ok: false, error: { type: 'closed' } };

async function settleStep<State>(
  work: Work<State>,
  outcome: Outcome,
  by: EffectSettled['by'],
  beside?: BesideWrite,
): Promise<boolean> {
  const { parts, run, open } = work;
  const { machine, clock } = parts;
  const { id } = open.intent;
  const command = settleCommand(id, open.seq);
  const settled = { id, outcome: guarded('seal.echo', plain, outcome), by, seq: open.seq };
  const decide: Write<State>['decide'] = (state) =>
    decideSettle({ machine, run, command, now: clock.now() }, state, settled);
  const written = await writeHeld(work, command, decide, beside);
  if (written.ok) {
    await parts.fault('settled');
    return true;
  }
  // The log does not take this outcome, and would not take it the next time: the run learns that instead.
  const tooMuch = written.error.type === 'journal' && UNFIT.has(written.error.code);
  if (!tooMuch || !isFit(outcome)) return false;
  return settleStep(work, failing('E_EFFECT_OUTCOME'), 'engine');
}

async function askStep<State>(work: Work<State>): Promise<boolean> {
  const { seq, attempts, intent } = work.open;
  const command = askCommand(intent.id, seq, attempts);
  const written = await writeHeld(work, command, (state) => decideAsk(state, { id: intent.id, seq }));
  return written.ok;
}

/** One decision about the effect; its driver may have something to write in front of it. */
function writeHeld<State>(
  { parts, run, open, hold }: Work<State>,
  command: string,
  decide: Write<State>['decide'],
  beside?: BesideWrite,
) {
  const { id: target, lane } = open.intent;
  return parts.writer.writeHeld({ run, lane, command, target, hold, decide, ...(beside && { beside }) });
}

/** The intent as its driver needs it, with nothing sealed; undefined where a part cannot be opened any more. */
async function openIntent<State>({ parts, run, open }: Work<State>): Promise<EffectIntent | undefined> {
  const input = await parts.shield.open(run, open.intent.input);
  return input === undefined ? undefined : { ...open.intent, input };
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
