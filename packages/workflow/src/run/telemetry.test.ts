import { context, metrics, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { calls, runDesk } from '../../test/run-desk.js';

const exporter = new InMemorySpanExporter();
const counted: (readonly [name: string, value: number, about: Readonly<Record<string, unknown>>])[] = [];
const instrument = (name: string) => {
  const keep = (value: number, about: Readonly<Record<string, unknown>> = {}) =>
    counted.push([name, value, about]);
  return { add: keep, record: keep };
};
/** As much of a meter as Cuebook asks for. */
const METERS = {
  getMeter: () => ({
    createHistogram: instrument,
    createCounter: instrument,
    createUpDownCounter: instrument,
  }),
};

beforeEach(() => {
  exporter.reset();
  counted.length = 0;
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  metrics.setGlobalMeterProvider(METERS as never);
});
afterEach(() => {
  trace.disable();
  metrics.disable();
  context.disable();
  vi.unstubAllEnvs();
});

const steps = [
  calls(['fs.read', { path: '@project/zebra.md' }], ['fs.list', { path: '@project' }]),
  { text: 'Seen.' },
];
const spans = () =>
  exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    attributes: span.attributes,
    id: span.spanContext().spanId,
    trace: span.spanContext().traceId,
    parent: span.parentSpanContext?.spanId,
  }));

describe('the trace of a run', () => {
  it('is one, in whichever process: turns below the run, tools below the turn that called them, and no word of it', async () => {
    const desk = await runDesk({ steps, project: { 'zebra.md': 'secret stripes' } });
    const first = await desk.open();
    await first.play('Curious question');
    await first.close();
    const second = await desk.open({ steps: [...steps, { text: 'Again.' }] });
    await second.take();
    await second.say('Another question');
    await second.drain();
    await second.close();
    const all = spans();
    const named = (name: string) => all.filter((span) => span.name === name);
    const runs = named('run workflow');
    expect(runs).toHaveLength(2);
    expect(new Set(all.map((span) => span.trace)).size).toBe(1);
    expect(new Set(runs.map(({ parent }) => parent)).size).toBe(1);
    const turns = named('invoke_agent rehearsal');
    expect(turns).toHaveLength(3);
    for (const turn of turns) expect(runs.map(({ id }) => id)).toContain(turn.parent);
    for (const name of ['execute_tool fs.read', 'execute_tool fs.list']) {
      const [tool] = named(name);
      expect(turns.map(({ id }) => id)).toContain(tool?.parent);
      expect(tool?.attributes['gen_ai.operation.name']).toBe('execute_tool');
    }
    expect(new Set(all.map((span) => span.attributes['gen_ai.conversation.id']))).toEqual(new Set(['run_1']));
    const words = JSON.stringify([all, counted]);
    for (const word of ['zebra', 'stripes', 'Curious', 'Another', 'Seen']) expect(words).not.toContain(word);
  });

  it('has its numbers', async () => {
    const desk = await runDesk({
      steps: [calls(['ui.ask_user', { widgetId: 'w', type: 'feedback', message: 'Well?' }])],
    });
    const run = await desk.open();
    await run.play();
    await run.close();
    const names = counted.map(([name]) => name);
    for (const name of ['cuebook.runs', 'gen_ai.client.operation.duration', 'gen_ai.client.token.usage'])
      expect(names).toContain(name);
    expect(counted).toContainEqual(['cuebook.approvals.waiting', 1, { 'cuebook.run.kind': 'workflow' }]);
    expect(counted).toContainEqual(['cuebook.runs', 1, { 'cuebook.run.kind': 'workflow' }]);
  });

  it('is not there when it is switched off', async () => {
    vi.stubEnv('CUEBOOK_TELEMETRY', 'off');
    const desk = await runDesk({ steps });
    const run = await desk.open();
    await run.play();
    await run.close();
    expect([exporter.getFinishedSpans(), counted]).toEqual([[], []]);
  });
});
