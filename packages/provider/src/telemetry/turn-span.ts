import type { Attributes, Span } from '@opentelemetry/api';
import type { Sent, TurnEvent, TurnInput, Usage } from '../turn.js';
import { type TelemetryApi, telemetry } from './api.js';
import { countTurn } from './metrics.js';
import { contextOfRun, noteTurn, TRACER } from './run-trace.js';

/** What a span says of a turn beside what happens in it. */
export interface TurnSubject {
  readonly provider: string;
  /** `chat` for one call of a model, `invoke_agent` for an agent that works by itself. */
  readonly operation?: 'chat' | 'invoke_agent';
  /** The vendor as the GenAI conventions call it; left out: the provider's name. */
  readonly vendor?: string;
  readonly model?: string;
  readonly input: TurnInput;
}

/** The span of one turn. It holds hashes and counts, never a word of the prompt or the answer. */
export interface TurnSpan {
  sent(sent: Omit<Sent, 'bytes'> & { readonly size: number }): void;
  event(event: TurnEvent): void;
  /** Runs something as a part of the span. */
  within<T>(run: () => T): T;
}

/**
 * Without an SDK this does nothing, at next to no cost. It ends with `turn.end`. A turn of a run belongs to the span
 * of the run; any other to whatever is active.
 */
export function startTurnSpan(subject: TurnSubject): TurnSpan {
  const api = telemetry();
  if (api === undefined) return NO_SPAN;
  const { provider, operation = 'invoke_agent', vendor = provider } = subject;
  const { conversation } = subject.input;
  const parent = (conversation && contextOfRun(conversation.run)) ?? api.context.active();
  const begun = performance.now();
  const span = beginSpan(api, subject, parent);
  const within = api.trace.setSpan(parent, span);
  if (conversation !== undefined) noteTurn(conversation.run, conversation.lane, within);
  let { model } = subject;
  let total: Usage | undefined;
  return {
    sent: ({ channel, hash, ordinal, size }) => {
      span.addEvent('cuebook.sent', {
        'cuebook.sent.channel': channel,
        'cuebook.sent.hash': hash,
        'cuebook.sent.ordinal': ordinal,
        'cuebook.sent.size': size,
      });
    },
    event: (event) => {
      if (event.type === 'usage') total = total === undefined ? event.usage : addUsage(total, event.usage);
      if (event.type === 'turn.start') model = event.model ?? model;
      record(api, span, { event, total, isRun: conversation !== undefined });
      if (event.type !== 'turn.end') return;
      countTurn({
        operation,
        vendor,
        seconds: (performance.now() - begun) / 1_000,
        isRefused: event.reason === 'refused' && event.error?.code === 'E_PROMPT_LEAK',
        ...(model !== undefined && { model }),
        ...(total !== undefined && { usage: total }),
        ...(event.error !== undefined && { error: event.error.code }),
      });
    },
    within: (run) => api.context.with(within, run),
  };
}

const NO_SPAN: TurnSpan = { sent: () => {}, event: () => {}, within: (run) => run() };

function beginSpan(
  { trace, SpanKind }: TelemetryApi,
  subject: TurnSubject,
  parent: Parameters<TelemetryApi['trace']['setSpan']>[0],
): Span {
  const { provider, operation = 'invoke_agent', vendor = provider, model, input } = subject;
  const name = operation === 'chat' && model !== undefined ? `chat ${model}` : `${operation} ${provider}`;
  const attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': vendor,
    ...(model !== undefined && { 'gen_ai.request.model': model }),
    ...(input.conversation !== undefined && {
      'gen_ai.conversation.id': input.conversation.run,
      'cuebook.lane': input.conversation.lane,
    }),
    ...promptAttributes(input),
    ...settingAttributes(input.request.params),
  };
  return trace.getTracer(TRACER).startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
}

function promptAttributes({ request, prompt }: TurnInput): Attributes {
  return {
    'cuebook.prompt.hash': request.prompt.hash,
    ...(prompt?.name !== undefined && { 'cuebook.prompt.name': prompt.name }),
    ...(prompt?.version !== undefined && { 'cuebook.prompt.version': prompt.version }),
  };
}

/** Numbers only: a setting that is text may be part of what is said. */
const SETTINGS: readonly (readonly [param: string, attribute: string])[] = [
  ['temperature', 'gen_ai.request.temperature'],
  ['maxOutputTokens', 'gen_ai.request.max_tokens'],
  ['topP', 'gen_ai.request.top_p'],
  ['topK', 'gen_ai.request.top_k'],
  ['seed', 'gen_ai.request.seed'],
];

function settingAttributes(params: Readonly<Record<string, unknown>>): Attributes {
  const found = SETTINGS.map(([param, attribute]) => [attribute, params[param]] as const);
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'number')) as Attributes;
}

interface Happened {
  readonly event: TurnEvent;
  readonly total: Usage | undefined;
  /** The run is the conversation; elsewhere the provider's session is. */
  readonly isRun: boolean;
}

function record({ SpanStatusCode }: TelemetryApi, span: Span, { event, total, isRun }: Happened): void {
  switch (event.type) {
    case 'turn.start':
      if (event.model !== undefined) span.setAttribute('gen_ai.request.model', event.model);
      if (event.sessionId !== undefined) {
        span.setAttribute(isRun ? 'cuebook.session.id' : 'gen_ai.conversation.id', event.sessionId);
      }
      if (event.rehearsal) span.setAttribute('cuebook.rehearsal', true);
      return;
    case 'tool.end':
      span.addEvent('gen_ai.tool.call', {
        'gen_ai.tool.name': event.name,
        'gen_ai.tool.call.id': event.id,
        'cuebook.tool.by': event.by,
      });
      return;
    case 'turn.end': {
      if (total !== undefined) span.setAttributes(usageAttributes(total));
      span.setAttribute('cuebook.turn.reason', event.reason);
      if (event.stop !== undefined) span.setAttribute('gen_ai.response.finish_reasons', [event.stop]);
      if (event.error !== undefined) {
        span.setAttribute('error.type', event.error.code);
        span.setStatus({ code: SpanStatusCode.ERROR, message: event.error.code });
      }
      span.end();
      return;
    }
    default:
      return;
  }
}

function usageAttributes(usage: Usage): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
    'cuebook.usage.reasoning_tokens': usage.reasoningTokens,
    ...(usage.predictedCachedTokens !== undefined && {
      'cuebook.usage.predicted_cached_tokens': usage.predictedCachedTokens,
    }),
    ...(usage.costUsd !== undefined && { 'cuebook.cost.usd': usage.costUsd }),
  };
}

/** The usage events of a turn add up; what one of them does not know, the sum does not know. */
export function addUsage(first: Usage, second: Usage): Usage {
  const sum = (key: 'predictedCachedTokens' | 'costUsd') => {
    const [a, b] = [first[key], second[key]];
    return a === undefined || b === undefined ? {} : { [key]: a + b };
  };
  return {
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    cachedInputTokens: first.cachedInputTokens + second.cachedInputTokens,
    cacheWriteTokens: first.cacheWriteTokens + second.cacheWriteTokens,
    reasoningTokens: first.reasoningTokens + second.reasoningTokens,
    ...sum('predictedCachedTokens'),
    ...sum('costUsd'),
  };
}
