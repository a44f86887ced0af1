import type { Redactor } from '@cuebook/prompt';
import { addMeterProvider, hasTelemetry } from '@cuebook/provider';
import type { WorkLook } from '../work/look-at-work.js';
import { boundLabels } from './bound-labels.js';

/** The numbers of this process and its project for a Prometheus server. */
export interface ProcessMetrics {
  /** In the text format of Prometheus; undefined where telemetry is off or not installed. */
  text(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** What is looked up when the numbers are read. */
export interface MetricsParts {
  readonly redactor: Redactor;
  look(): Promise<WorkLook>;
  /** Runs at a time and runs taken, where machines share the work. */
  slots(): { readonly slots: number; readonly used: number } | undefined;
  isReady(): Promise<boolean>;
  /** Why numbers cannot be kept. */
  onProblem(error: unknown): void;
}

/**
 * Keeps the numbers of OpenTelemetry for Prometheus, beside the SDK that the application may have set up. Its libraries
 * are loaded only here, for the first number or the first reader: a process starts without them.
 */
export function openMetrics(parts: MetricsParts): ProcessMetrics {
  let kept: Kept | undefined;
  const own = addMeterProvider(async () => {
    kept = await keep(parts).catch((error: unknown) => {
      parts.onProblem(error);
      return undefined;
    });
    return kept?.provider;
  });
  return {
    async text() {
      if (!hasTelemetry()) return undefined;
      await own.opened();
      if (kept === undefined) return undefined;
      const { resourceMetrics } = await kept.reader.collect();
      return kept.serializer.serialize(resourceMetrics);
    },
    async close() {
      await (await own.leave())?.shutdown();
    },
  };
}

type Kept = Awaited<ReturnType<typeof keep>>;

async function keep(parts: MetricsParts) {
  const [{ MeterProvider }, { PrometheusExporter, PrometheusSerializer }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-prometheus'),
  ]);
  const bound = boundLabels(parts.redactor);
  const attributesProcessors = [{ process: bound }];
  const reader = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({
    readers: [reader],
    // The first view that names an instrument counts alone: each has exactly one.
    views: Object.entries(NAMES).map(([instrumentName, name]) => ({
      ...{ instrumentName, name, attributesProcessors, aggregationCardinalityLimit: MAX_SERIES },
    })),
  });
  addGauges(provider.getMeter('@cuebook/server'), parts);
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  return { provider, reader, serializer };
}

/** Series of one metric; OpenTelemetry counts further ones together. */
export const MAX_SERIES = 500;

/** What Prometheus calls each number: with its unit, in base units. Counters end with `_total` beside. */
const NAMES: Readonly<Record<string, string>> = {
  'gen_ai.client.token.usage': 'gen_ai_client_token_usage_tokens',
  'gen_ai.client.operation.duration': 'gen_ai_client_operation_duration_seconds',
  'cuebook.cost.usd': 'cuebook_cost_usd',
  'cuebook.runs': 'cuebook_runs_started',
  'cuebook.runs.ended': 'cuebook_runs_ended',
  'cuebook.gate.refusals': 'cuebook_gate_refusals',
  // Each process counts only what it asked and answered itself: `cuebook_waits` has the truth.
  'cuebook.approvals.waiting': 'cuebook_process_approvals_waiting',
  'cuebook.lease.losses': 'cuebook_lease_losses',
  'cuebook.runs.running': 'cuebook_runs_running',
  'cuebook.queue.depth': 'cuebook_queue_depth',
  'cuebook.queue.oldest': 'cuebook_queue_oldest_seconds',
  'cuebook.waits': 'cuebook_waits',
  'cuebook.approvals.oldest': 'cuebook_approvals_oldest_seconds',
  'cuebook.slots': 'cuebook_slots',
  'cuebook.slots.used': 'cuebook_slots_used',
  'cuebook.ready': 'cuebook_ready',
};

type Meter = ReturnType<InstanceType<typeof import('@opentelemetry/sdk-metrics').MeterProvider>['getMeter']>;

/** Numbers of the project as a whole, the same in every process, and the slots of this one. */
function addGauges(meter: Meter, { look, slots, isReady }: MetricsParts): void {
  const gauge = (name: string, description: string, unit = '') =>
    meter.createObservableGauge(name, { description, unit });
  const running = gauge('cuebook.runs.running', 'Runs of which work is open.');
  const depth = gauge('cuebook.queue.depth', 'Runs that are due and that no process has taken.');
  const oldest = gauge('cuebook.queue.oldest', 'How long the run that is due longest has waited.', 's');
  const waits = gauge('cuebook.waits', 'What waits for a person.');
  const approvals = gauge('cuebook.approvals.oldest', 'How long the oldest approval has waited.', 's');
  const all = gauge('cuebook.slots', 'Runs that this process works on at a time.');
  const used = gauge('cuebook.slots.used', 'Runs that this process has taken.');
  const ready = gauge('cuebook.ready', '1 while this process can do its work, else 0.');
  meter.addBatchObservableCallback(
    async (result) => {
      const own = slots();
      if (own) result.observe(all, own.slots);
      if (own) result.observe(used, own.used);
      const isUp = await isReady();
      result.observe(ready, isUp ? 1 : 0);
      // Nobody can count what records that are away say.
      const seen = isUp ? await look().catch(() => undefined) : undefined;
      if (seen === undefined) return;
      for (const { kind, count } of seen.running)
        result.observe(running, count, { 'cuebook.run.kind': kind });
      for (const [kind, tasks] of byKind(seen.queued)) {
        const about = { 'cuebook.run.kind': kind };
        result.observe(depth, sumOf(tasks), about);
        result.observe(oldest, Math.max(...tasks.map(({ oldestMs }) => oldestMs)) / 1_000, about);
      }
      for (const wait of seen.waits) result.observe(waits, wait.count, { 'cuebook.wait.for': wait.for });
      result.observe(approvals, seen.oldestApprovalMs / 1_000);
    },
    [running, depth, oldest, waits, approvals, all, used, ready],
  );
}

function byKind(queued: WorkLook['queued']): ReadonlyMap<string, WorkLook['queued']> {
  const kinds = new Map<string, WorkLook['queued']>();
  for (const each of queued) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each]);
  return kinds;
}

const sumOf = (tasks: WorkLook['queued']): number => tasks.reduce((sum, { count }) => sum + count, 0);
