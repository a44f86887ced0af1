import { context, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../test/model-server/index.js';
import { runs } from '../../../../test/runs.js';
import { conversation, said } from '../../test/conversation.js';
import { play, redactor } from '../../test/play.js';
import { createApiProvider } from '../api/provider.js';
import type { Usage } from '../turn.js';
import { switchTelemetry } from './api.js';
import { addUsage } from './turn-span.js';

const exporter = new InMemorySpanExporter();
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
});
afterEach(() => exporter.reset());
afterAll(async () => {
  trace.disable();
  context.disable();
  await server.close();
});

function open(lane: string) {
  const baseUrl = server.laneUrl(lane);
  const provider = createApiProvider({ api: 'anthropic', apiKey: 'sk-test-0123456789', baseUrl });
  return provider.open({ model: 'claude-sonnet-4-5', redactor });
}

describe('the span of a turn', () => {
  it('says what was asked and what it cost, by hash and by number, and not a word of it', async () => {
    const usage = { input: 1_000, output: 100, cached: 400, cacheWrite: 100 };
    server.script('span', [
      { text: 'A telling answer', usage, toolCalls: [{ id: 'c1', name: 'look', args: { at: 'zebra' } }] },
    ]);
    const request = conversation([said('system', 'Very private words'), said('user', 'Curious question')], {
      tools: [{ name: 'look', parameters: { type: 'object' } }],
      params: { temperature: 0.5, maxOutputTokens: 64 },
    });
    await play(open('span'), { request, prompt: { name: 'greeter', version: '3' } });
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe('chat claude-sonnet-4-5');
    expect(span?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 64,
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.cache_creation.input_tokens': 100,
      'gen_ai.response.finish_reasons': ['tool-calls'],
      'cuebook.prompt.name': 'greeter',
      'cuebook.prompt.version': '3',
      'cuebook.prompt.hash': request.prompt.hash,
      'cuebook.turn.reason': 'done',
    });
    expect(span?.attributes['cuebook.cost.usd']).toBeCloseTo(0.003_495, 9);
    expect(span?.events.map(({ name }) => name)).toEqual(['cuebook.sent', 'gen_ai.tool.call']);
    const all = JSON.stringify([span?.attributes, span?.events, span?.status]);
    for (const word of ['telling', 'private', 'Curious', 'zebra']) expect(all).not.toContain(word);
  });

  it('says by which code a turn failed, also when it never began', async () => {
    server.script('failed', [{ error: { status: 401 } }]);
    await play(open('failed'), {});
    await play(open('failed'), { signal: AbortSignal.abort() });
    const [failed, aborted] = exporter.getFinishedSpans();
    expect(failed?.attributes).toMatchObject({
      'error.type': 'E_PROVIDER_AUTH',
      'cuebook.turn.reason': 'error',
    });
    expect(aborted?.attributes['cuebook.turn.reason']).toBe('aborted');
  });
});

it('there is none when telemetry is off, and the environment goes first', async () => {
  server.script('off', [{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  switchTelemetry(false);
  await play(open('off'), {});
  expect(exporter.getFinishedSpans()).toHaveLength(0);
  vi.stubEnv('CUEBOOK_TELEMETRY', 'on');
  await play(open('off'), {});
  expect(exporter.getFinishedSpans()).toHaveLength(1);
  vi.stubEnv('CUEBOOK_TELEMETRY', 'off');
  switchTelemetry(undefined);
  await play(open('off'), {});
  expect(exporter.getFinishedSpans()).toHaveLength(1);
  vi.unstubAllEnvs();
});

it('usage adds up, and what is unknown once is unknown in the sum', () => {
  const count = fc.nat(1_000_000);
  const usage = fc.record<Usage>(
    {
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: count,
      cacheWriteTokens: count,
      reasoningTokens: count,
      costUsd: count,
      predictedCachedTokens: count,
    },
    {
      requiredKeys: [
        'inputTokens',
        'outputTokens',
        'cachedInputTokens',
        'cacheWriteTokens',
        'reasoningTokens',
      ],
    },
  );
  fc.assert(
    fc.property(usage, usage, (first, second) => {
      const sum = addUsage(first, second);
      expect(sum).toEqual(addUsage(second, first));
      expect(sum.inputTokens).toBe(first.inputTokens + second.inputTokens);
      expect('costUsd' in sum).toBe('costUsd' in first && 'costUsd' in second);
    }),
    runs(300, 10_000),
  );
});
