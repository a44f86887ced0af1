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
  count((kept) => {
    kept.duration.record(seconds, { ...about, ...(error !== undefined && { 'error.type': error }) });
    if (isRefused) kept.refusals.add(1, { 'error.type': error ?? 'unknown' });
    if (usage === undefined) return;
    kept.tokens.record(usage.inputTokens, { ...about, 'gen_ai.token.type': 'input' });
    kept.tokens.record(usage.outputTokens, { ...about, 'gen_ai.token.type': 'output' });
    if (usage.costUsd !== undefined) kept.cost.add(usage.costUsd, about);
  });
}

/** A run was begun. */
export function countRun(kind: string): void {
  count(({ runs }) => runs.add(1, { 'cuebook.run.kind': kindOf(kind) }));
}

/** A run came to an end: it is done, has failed or was stopped. */
export function countRunEnd(kind: string, status: string): void {
  count(({ ended }) => ended.add(1, { 'cuebook.run.kind': kindOf(kind), 'cuebook.run.status': status }));
}

/** More or fewer questions wait for a person. */
export function countWaiting(change: number, kind: string): void {
  count(({ waiting }) => waiting.add(change, { 'cuebook.run.kind': kindOf(kind) }));
}

/** A lease that this process held is lost: others may do its work. */
export function countLostLease(): void {
  count(({ lostLeases }) => lostLeases.add(1));
}

/**
 * Numbers are told to this one too, beside the SDK that the application has set up. It is opened once, for the first
 * number or when `opened` is asked; what is counted meanwhile is told as soon as it is open. `open` never rejects:
 * undefined stands for one that cannot be opened, and nothing is told to it.
 */
export function addMeterProvider<Provider extends MeterProviderLike>(
  open: () => Promise<Provider | undefined>,
): AddedMeterProvider<Provider> {
  const one: Added = { open, untold: [] };
  added.add(one);
  return {
    opened: () => openAdded(one) as Promise<Provider | undefined>,
    leave() {
      added.delete(one);
      if (one.provider) made.delete(one.provider);
      return one.opening as Promise<Provider | undefined> | undefined;
    },
  };
}

/** One that numbers are told to. */
export interface AddedMeterProvider<Provider> {
  /** Opens it where it is not open. Everything that was counted before has been told to it. */
  opened(): Promise<Provider | undefined>;
  /** Nothing more is told to it. Answers the one to end, if it was opened. */
  leave(): Promise<Provider | undefined> | undefined;
}

/** A MeterProvider, written out: who reads our types may not have the API. */
export interface MeterProviderLike {
  getMeter(name: string): object;
}

/** Tells one number to instruments. */
type Tell = (kept: Instruments) => void;

interface Added {
  readonly open: () => Promise<MeterProviderLike | undefined>;
  opening?: Promise<MeterProvider | undefined>;
  /** Once it is open. */
  provider?: MeterProvider;
  /** It cannot be opened. */
  isUnfit?: boolean;
  /** What was counted while it is being opened; empty before and after. */
  untold: Tell[];
}

const added = new Set<Added>();
const made = new Map<MeterProvider, Instruments>();
let globalProvider: MeterProvider | undefined;

/** Tells a number to everyone who keeps numbers; without any, nothing is counted. */
function count(tell: Tell): void {
  const api = telemetry();
  if (api === undefined) return;
  const provider = api.metrics.getMeterProvider();
  if (globalProvider !== undefined && globalProvider !== provider && !isAdded(globalProvider))
    made.delete(globalProvider);
  globalProvider = provider;
  tell(instrumentsOf(provider));
  for (const one of added) {
    if (one.provider === undefined) tellOnceOpen(one, tell);
    else if (one.provider !== provider) tell(instrumentsOf(one.provider));
  }
}

function tellOnceOpen(one: Added, tell: Tell): void {
  if (one.isUnfit) return;
  one.untold.push(tell);
  void openAdded(one);
}

function openAdded(one: Added): Promise<MeterProvider | undefined> {
  one.opening ??= one.open().then((opened) => {
    const { untold } = one;
    one.untold = [];
    one.isUnfit = opened === undefined;
    if (opened === undefined) return undefined;
    const provider = opened as MeterProvider;
    one.provider = provider;
    // The application's own SDK was told already.
    if (provider !== globalProvider) for (const tell of untold) tell(instrumentsOf(provider));
    return provider;
  });
  return one.opening;
}

const isAdded = (provider: MeterProvider): boolean => [...added].some((each) => each.provider === provider);

/** Made once for each that numbers are told to. */
function instrumentsOf(provider: MeterProvider): Instruments {
  const kept = made.get(provider) ?? makeInstruments(provider.getMeter(TRACER));
  made.set(provider, kept);
  return kept;
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
