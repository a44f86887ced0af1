import type { Counter, Histogram, MeterProvider, UpDownCounter } from '@opentelemetry/api';
import type { Usage } from '../turn.js';
import { telemetry } from './api.js';
import { kindOf, TRACER } from './run-trace.js';

/** The numbers that are kept, by the names of the GenAI conventions where they have one. */
interface Instruments {
  readonly tokens: Histogram;
  readonly duration: Histogram;
  readonly runs: Counter;
  readonly refusals: Counter;
  readonly waiting: UpDownCounter;
}

/** What one turn adds up to. */
export interface TurnNumbers {
  readonly operation: string;
  readonly vendor: string;
  readonly model?: string;
  readonly seconds: number;
  readonly usage?: Usage;
  /** The code of a turn that failed. */
  readonly error?: string;
  /** Whether a gate refused what was to be sent. */
  readonly isRefused: boolean;
}

export function countTurn({ operation, vendor, model, seconds, usage, error, isRefused }: TurnNumbers): void {
  const kept = instruments();
  if (kept === undefined) return;
  const about = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': vendor,
    ...(model !== undefined && { 'gen_ai.request.model': model }),
  };
  kept.duration.record(seconds, { ...about, ...(error !== undefined && { 'error.type': error }) });
  if (usage !== undefined) {
    kept.tokens.record(usage.inputTokens, { ...about, 'gen_ai.token.type': 'input' });
    kept.tokens.record(usage.outputTokens, { ...about, 'gen_ai.token.type': 'output' });
  }
  if (isRefused) countRefusal(error ?? 'unknown');
}

/** A gate refused what was to be sent. */
const countRefusal = (code: string): void => instruments()?.refusals.add(1, { 'error.type': code });

/** A run was begun. */
export const countRun = (kind: string): void =>
  instruments()?.runs.add(1, { 'cuebook.run.kind': kindOf(kind) });

/** More or fewer questions wait for a person. */
export const countWaiting = (change: number, kind: string): void =>
  instruments()?.waiting.add(change, { 'cuebook.run.kind': kindOf(kind) });

let made: { readonly provider: MeterProvider; readonly kept: Instruments } | undefined;

/** Made once for the SDK that is set up now; without one they count nothing. */
function instruments(): Instruments | undefined {
  const api = telemetry();
  if (api === undefined) return undefined;
  const provider = api.metrics.getMeterProvider();
  if (made?.provider === provider) return made.kept;
  const meter = provider.getMeter(TRACER);
  const kept = {
    tokens: meter.createHistogram('gen_ai.client.token.usage', { unit: '{token}' }),
    duration: meter.createHistogram('gen_ai.client.operation.duration', { unit: 's' }),
    runs: meter.createCounter('cuebook.runs', { unit: '{run}' }),
    refusals: meter.createCounter('cuebook.gate.refusals', { unit: '{refusal}' }),
    waiting: meter.createUpDownCounter('cuebook.approvals.waiting', { unit: '{approval}' }),
  };
  made = { provider, kept };
  return kept;
}
