import type { Counter, Histogram, Meter, MeterProvider, UpDownCounter } from '@opentelemetry/api';
import type { Usage } from '../turn.js';
import { telemetry } from './api.js';
import { kindOf, TRACER } from './run-trace.js';

/** The numbers that are kept, by the names of the GenAI conventions where they have one. */
interface Instruments {
  readonly tokens: Histogram;
  readonly duration: Histogram;
  readonly cost: Counter;
  readonly runs: Counter;
  readonly ended: Counter;
  readonly refusals: Counter;
  readonly waiting: UpDownCounter;
  readonly lostLeases: Counter;
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
  const about = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': vendor,
    ...(model !== undefined && { 'gen_ai.request.model': model }),
  };
  for (const kept of instruments()) {
    kept.duration.record(seconds, { ...about, ...(error !== undefined && { 'error.type': error }) });
    if (isRefused) kept.refusals.add(1, { 'error.type': error ?? 'unknown' });
    if (usage === undefined) continue;
    kept.tokens.record(usage.inputTokens, { ...about, 'gen_ai.token.type': 'input' });
    kept.tokens.record(usage.outputTokens, { ...about, 'gen_ai.token.type': 'output' });
    if (usage.costUsd !== undefined) kept.cost.add(usage.costUsd, about);
  }
}

/** A run was begun. */
export function countRun(kind: string): void {
  for (const { runs } of instruments()) runs.add(1, { 'cuebook.run.kind': kindOf(kind) });
}

/** A run came to an end: it is done, has failed or was stopped. */
export function countRunEnd(kind: string, status: string): void {
  for (const { ended } of instruments())
    ended.add(1, { 'cuebook.run.kind': kindOf(kind), 'cuebook.run.status': status });
}

/** More or fewer questions wait for a person. */
export function countWaiting(change: number, kind: string): void {
  for (const { waiting } of instruments()) waiting.add(change, { 'cuebook.run.kind': kindOf(kind) });
}

/** A lease that this process held is lost: others may do its work. */
export function countLostLease(): void {
  for (const { lostLeases } of instruments()) lostLeases.add(1);
}

/** Numbers are told to this one too, beside the SDK that the application has set up. Answers how to end that. */
export function addMeterProvider(provider: MeterProviderLike): () => void {
  added.add(provider as MeterProvider);
  return () => {
    added.delete(provider as MeterProvider);
    made.delete(provider as MeterProvider);
  };
}

/** A MeterProvider, written out: who reads our types may not have the API. */
export interface MeterProviderLike {
  getMeter(name: string): object;
}

const added = new Set<MeterProvider>();
const made = new Map<MeterProvider, Instruments>();
let globalProvider: MeterProvider | undefined;

/** Made once for each that numbers are told to; without any, nothing is counted. */
function instruments(): readonly Instruments[] {
  const api = telemetry();
  if (api === undefined) return [];
  const provider = api.metrics.getMeterProvider();
  if (globalProvider !== undefined && globalProvider !== provider && !added.has(globalProvider))
    made.delete(globalProvider);
  globalProvider = provider;
  return [...new Set([provider, ...added])].map((each) => {
    const kept = made.get(each) ?? makeInstruments(each.getMeter(TRACER));
    made.set(each, kept);
    return kept;
  });
}

const makeInstruments = (meter: Meter): Instruments => ({
  tokens: meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Tokens of a turn.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: powers(4, 1, 14) },
  }),
  duration: meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'How long a turn took.',
    unit: 's',
    advice: { explicitBucketBoundaries: powers(2, 0.01, 18) },
  }),
  cost: meter.createCounter('cuebook.cost.usd', {
    description: 'What turns cost by the price list, in US dollars.',
  }),
  runs: meter.createCounter('cuebook.runs', { description: 'Runs that were begun.', unit: '{run}' }),
  ended: meter.createCounter('cuebook.runs.ended', {
    description: 'Runs that came to an end.',
    unit: '{run}',
  }),
  refusals: meter.createCounter('cuebook.gate.refusals', {
    description: 'Prompts that a gate refused.',
    unit: '{refusal}',
  }),
  waiting: meter.createUpDownCounter('cuebook.approvals.waiting', {
    description: 'Questions that this process asked, less those that it answered.',
    unit: '{approval}',
  }),
  lostLeases: meter.createCounter('cuebook.lease.losses', {
    description: 'Leases that were lost to others or not renewed in time.',
    unit: '{lease}',
  }),
});

/** The bounds that the GenAI conventions advise. */
const powers = (base: number, first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Number((first * base ** index).toPrecision(6)));
