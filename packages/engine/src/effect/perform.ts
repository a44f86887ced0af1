import { guard, guarded } from '@cuebook/guard';
import { JournalFailure } from '@cuebook/journal';
import type { EffectIntent, Outcome } from '../machine.js';
import type { Observation } from '../recover/recover.js';
import type { Clock } from '../timer/clock.js';
import type { Driver, ObserveContext, PerformContext } from './driver.js';

/** How an effect ended: with an outcome, or left open because the engine stops, the lane was lost or the journal is away. */
export type Performed = { readonly type: 'outcome'; readonly outcome: Outcome } | { readonly type: 'left' };

export interface PerformOptions {
  readonly clock: Clock;
  /** The engine stops or the lane is lost: what is not done then stays open. */
  readonly leave: AbortSignal;
  /** Somebody wants this effect to end: it ends with a failing outcome. */
  readonly abort: AbortSignal;
  /** How long an effect that was told to end may take for it. */
  readonly graceMs: number;
  readonly maxOutputBytes: number;
  readonly onError: (error: unknown) => void;
}

type Base = Omit<PerformContext, 'signal'>;

/** Runs a driver within its time. It never rejects, and it answers at most the grace after its time is over. */
export async function perform(
  driver: Driver,
  effect: EffectIntent,
  base: Base,
  options: PerformOptions,
): Promise<Performed> {
  const { clock, leave, abort, graceMs } = options;
  const end = new AbortController();
  let why: Ending | undefined;
  const race = deferred<'over'>();
  let cancelGrace = () => {};
  const endIt = (reason: Ending) => {
    if (why !== undefined) return;
    why = reason;
    end.abort();
    cancelGrace = clock.at(clock.now() + graceMs, () => race.resolve('over'));
  };
  const cancelTimeout = clock.at(clock.now() + (driver.timeoutMs ?? DEFAULT_TIMEOUT), () =>
    guarded('effect.timeout', () => endIt('timeout')),
  );
  const unlisten = [listen(leave, () => endIt('leave')), listen(abort, () => endIt('abort'))];
  const outcome = settle(() => driver.perform(effect, { ...base, signal: end.signal }), options);
  const first = await Promise.race([outcome, race.promise]);
  for (const cancel of [cancelTimeout, cancelGrace, ...unlisten]) cancel();
  if (guard('effect.away', first === 'away')) return { type: 'left' };
  // What was done was done, also after the signal.
  if (typeof first === 'object' && (first.ok || why === undefined))
    return { type: 'outcome', outcome: first };
  if (guard('effect.stopped', why === 'leave')) return { type: 'left' };
  return { type: 'outcome', outcome: failing(why === 'abort' ? 'E_EFFECT_ABORTED' : 'E_EFFECT_TIMEOUT') };
}

/**
 * Asks a driver what became of an effect. Whatever goes wrong, nothing is known; undefined: nobody could be asked, because
 * the journal is away.
 */
export async function observe(
  driver: Driver,
  effect: EffectIntent,
  context: ObserveContext,
  options: Pick<PerformOptions, 'clock' | 'onError' | 'maxOutputBytes'>,
): Promise<Observation | undefined> {
  if (!driver.observe) return { state: 'unknown' };
  const race = deferred<Observation>();
  const { clock } = options;
  const unknown = () => race.resolve({ state: 'unknown' });
  const cancels = [clock.at(clock.now() + OBSERVE_TIMEOUT, unknown), listen(context.signal, unknown)];
  try {
    const seen = await Promise.race([driver.observe(effect, context), race.promise]);
    if (seen.state === 'done')
      return { state: 'done', outcome: keepable(seen.outcome, options.maxOutputBytes) };
    return seen.state === 'not-done' ? { state: 'not-done' } : { state: 'unknown' };
  } catch (error) {
    options.onError(error);
    return guard('observe.away', isStoreAway(error)) ? undefined : { state: 'unknown' };
  } finally {
    for (const cancel of cancels) cancel();
  }
}

/** A failing outcome of the engine's own. The text is fixed: what a driver throws may hold paths or secrets. */
export const failing = (code: FailCode): Outcome => ({ ok: false, error: { code, message: MESSAGES[code] } });

type Ending = 'timeout' | 'leave' | 'abort';

async function settle(act: () => Promise<Outcome>, options: PerformOptions): Promise<Outcome | 'away'> {
  try {
    return keepable(await act(), options.maxOutputBytes);
  } catch (error) {
    options.onError(error);
    return isStoreAway(error) ? 'away' : failing('E_EFFECT_FAILED');
  }
}

/** Whether a driver could not read what it needs because nobody can for now: that says nothing about the effect. */
function isStoreAway(thrown: unknown): boolean {
  if (!(thrown instanceof JournalFailure)) return false;
  const { error } = thrown;
  return error.code === 'E_JOURNAL_UNAVAILABLE' && error.reason !== 'failed';
}

/** The outcome as the log will give it back, or why it cannot be kept. */
function keepable(outcome: unknown, maxBytes: number): Outcome {
  const json = toJson(outcome);
  if (guard('effect.output', json === undefined || Buffer.byteLength(json) > maxBytes)) {
    return failing('E_EFFECT_OUTCOME');
  }
  const plain = JSON.parse(json as string) as Partial<Extract<Outcome, { ok: true }> & { error: unknown }>;
  if (plain.ok === true) return { ok: true, output: plain.output ?? null };
  const { code, message } = (plain.error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || typeof message !== 'string') return failing('E_EFFECT_OUTCOME');
  return { ok: false, error: { code, message } };
}

/** The code of an effect that failed, for telemetry: never what was thrown. */
export function failureOf(performed: Performed): string | undefined {
  if (performed.type === 'left') return 'left';
  const { outcome } = performed;
  if (!outcome.ok) return outcome.error.code;
  const { isError } = Object(outcome.output) as { readonly isError?: unknown };
  return isError === true ? 'tool_error' : undefined;
}

function toJson(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // A cycle, or a number that JSON does not know.
  }
}

function listen(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((take) => {
    resolve = take;
  });
  return { promise, resolve };
}

const DEFAULT_TIMEOUT = 30 * 60_000;
const OBSERVE_TIMEOUT = 60_000;

type FailCode = keyof typeof MESSAGES;

const MESSAGES = {
  E_EFFECT_FAILED: 'The driver failed. The log of the process has the error.',
  E_EFFECT_TIMEOUT: 'The driver gave no outcome within its time; whether the effect was done is not known.',
  E_EFFECT_ABORTED: 'The effect was ended on request; whether it was done is not known.',
  E_EFFECT_OUTCOME: 'The driver gave an outcome that cannot be kept: not JSON, or too large.',
  E_EFFECT_SEALED:
    'What the effect needs was erased from the vault, or was sealed in another home. It was not done.',
  E_EFFECT_DRIVER: 'The engine has no driver for this kind of effect.',
} as const;
