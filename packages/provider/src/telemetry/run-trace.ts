import { createHash } from 'node:crypto';
import type { Context, Span } from '@opentelemetry/api';
import { type TelemetryApi, telemetry } from './api.js';

/** A context of the application's telemetry, written out: who reads our types may not have the API. */
export interface TraceContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): TraceContext;
  deleteValue(key: symbol): TraceContext;
}

/** Something that is done for a run. */
export interface TracedEffect {
  readonly run: string;
  /** The kind of run: `team`, `thread`, `workflow`. */
  readonly kind: string;
  readonly effect: {
    readonly id: string;
    readonly kind: string;
    readonly lane: string;
    readonly input: unknown;
  };
}

/** A stretch of work on a run in this process. */
interface Work {
  readonly span: Span;
  readonly context: Context;
  /** The newest turn of each lane: its calls are its children. */
  readonly turns: Map<string, Context>;
  active: number;
  idle?: NodeJS.Timeout | undefined;
}

const atWork = new Map<string, Work>();

/** After so long without an effect, a stretch of work is over; the next one has a span of its own in the same trace. */
const IDLE_MS = 5_000;

/**
 * Does an effect of a run as a part of its trace. All of a run is one trace, in whichever process: its id is made
 * from the id of the run. Turns are children of the run's span, tools of the turn that called them.
 */
export async function traceEffect<Answer>(
  traced: TracedEffect,
  act: () => Promise<Answer>,
  failure: (answer: Answer) => string | undefined,
): Promise<Answer> {
  const api = telemetry();
  if (api === undefined) return act();
  const work = enter(api, traced);
  try {
    if (traced.effect.kind !== 'tool.call') return await api.context.with(work.context, act);
    return await traceTool(api, work, traced, act, failure);
  } finally {
    leave(traced.run, work);
  }
}

/** The span that a turn of a run belongs to; undefined where nobody works on the run. */
export const contextOfRun = (run: string): TraceContext | undefined => atWork.get(run)?.context;

/** Notes the span of a turn: calls of the lane belong to it from now on. */
export function noteTurn(run: string, lane: string, context: TraceContext): void {
  atWork.get(run)?.turns.set(lane, context);
}

/** Ends the spans of runs that this process no longer works on. */
export function endRunTraces(runs: Iterable<string>): void {
  for (const run of runs) {
    const work = atWork.get(run);
    if (work !== undefined) endWork(run, work);
  }
}

/** The trace of a run: 32 hex digits for the trace, 16 for the span that stands for the run as a whole. */
export function traceOfRun(run: string): { readonly traceId: string; readonly spanId: string } {
  const digest = createHash('sha256').update(`cuebook run ${run}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

function enter(api: TelemetryApi, { run, kind }: TracedEffect): Work {
  const work = atWork.get(run) ?? beginWork(api, run, kindOf(kind));
  atWork.set(run, work);
  clearTimeout(work.idle);
  work.active += 1;
  return work;
}

/** A machine of one run alone is called by its kind and the run. */
export const kindOf = (kind: string): string => kind.split('/', 1)[0] ?? kind;

function beginWork(api: TelemetryApi, run: string, kind: string): Work {
  const { trace, context, ROOT_CONTEXT, TraceFlags } = api;
  // Whoever asked for the run has a trace of its own: the two are linked, not mixed.
  const asked = trace.getSpanContext(context.active());
  const parent = trace.setSpanContext(ROOT_CONTEXT, {
    ...traceOfRun(run),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
  const attributes = { 'cuebook.run.id': run, 'cuebook.run.kind': kind, 'gen_ai.conversation.id': run };
  const links = asked === undefined ? [] : [{ context: asked }];
  const span = trace.getTracer(TRACER).startSpan(`run ${kind}`, { attributes, links }, parent);
  return { span, context: trace.setSpan(parent, span), turns: new Map(), active: 0 };
}

export const TRACER = '@cuebook/provider';

function leave(run: string, work: Work): void {
  work.active -= 1;
  if (work.active > 0) return;
  work.idle = setTimeout(() => endWork(run, work), IDLE_MS);
  work.idle.unref();
}

function endWork(run: string, work: Work): void {
  clearTimeout(work.idle);
  work.span.end();
  if (atWork.get(run) === work) atWork.delete(run);
}

async function traceTool<Answer>(
  { trace, context, SpanKind, SpanStatusCode }: TelemetryApi,
  work: Work,
  { run, effect }: TracedEffect,
  act: () => Promise<Answer>,
  failure: (answer: Answer) => string | undefined,
): Promise<Answer> {
  const { tool, call } = Object(effect.input) as { readonly tool?: unknown; readonly call?: unknown };
  const name = typeof tool === 'string' ? tool : 'unknown';
  const parent = turnOf(work, effect.lane) ?? work.context;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.conversation.id': run,
    ...(typeof call === 'string' && { 'gen_ai.tool.call.id': call }),
  };
  const options = { kind: SpanKind.INTERNAL, attributes };
  const span = trace.getTracer(TRACER).startSpan(`execute_tool ${name}`, options, parent);
  const fail = (code: string): void => {
    span.setAttribute('error.type', code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  };
  try {
    const answer = await context.with(trace.setSpan(parent, span), act);
    const code = failure(answer);
    if (code !== undefined) fail(code);
    return answer;
  } catch (thrown) {
    fail('thrown');
    throw thrown;
  } finally {
    span.end();
  }
}

/** Calls run in lanes below that of their turn. */
function turnOf({ turns }: Work, lane: string): Context | undefined {
  const lanes = [...turns.keys()].filter((known) => lane === known || lane.startsWith(`${known}/`));
  return turns.get(lanes.sort((a, b) => b.length - a.length)[0] ?? '');
}
