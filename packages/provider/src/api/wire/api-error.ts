import { wordCut } from '@cuebook/prompt';
import { statusError } from '../../stream/http-status.js';
import type { TurnError } from '../../turn.js';

/** A failure on the way there or back, before there was an answer to read. */
export class WireFailure extends Error {
  readonly detail: string;

  constructor(cause: unknown) {
    super('the connection failed');
    this.name = 'WireFailure';
    this.detail = networkDetail(cause);
  }
}

/** What went wrong with a call, in the terms of a turn. `retryAfterMs` where the vendor says how long to wait. */
export interface ApiFailure {
  readonly error: TurnError;
  readonly retryAfterMs?: number;
}

/** Reads whatever the AI SDK throws or puts into a stream. Its classes are told by their fields, not their identity. */
export function readFailure(thrown: unknown, vendor: string): ApiFailure {
  const broken = causes(thrown).find((cause) => cause instanceof WireFailure);
  if (broken) return { error: networkError(broken.detail) };
  const status = fieldOf(thrown, 'statusCode');
  if (typeof status === 'number') return statusFailure(thrown, status, vendor);
  if (isUnreadable(thrown)) return { error: protocolError('What came back is not what this API says.') };
  const name = fieldOf(thrown, 'name');
  if (name === 'AI_UnsupportedFunctionalityError' || name === 'AI_InvalidPromptError') {
    const message = `${vendor} cannot be asked this: ${messageOf(thrown)}`;
    return { error: { code: 'E_PROVIDER_REJECTED', message, retryable: false } };
  }
  return streamFailure(thrown, vendor);
}

const isUnreadable = (thrown: unknown): boolean =>
  /^AI_(?:JSONParse|TypeValidation|InvalidResponseData)Error$/.test(String(fieldOf(thrown, 'name')));

export const protocolError = (message: string): TurnError => ({
  code: 'E_PROVIDER_PROTOCOL',
  message,
  retryable: true,
});

const networkError = (detail: string): TurnError => ({
  code: 'E_PROVIDER_NETWORK',
  message: `The connection to the provider failed: ${detail}.`,
  retryable: true,
});

function statusFailure(thrown: unknown, status: number, vendor: string): ApiFailure {
  const body = bodyOf(thrown);
  const said = messageIn(body) ?? messageOf(thrown);
  // A body that could not be read is a failure of the answer, not of the request.
  if (status < 300) return { error: protocolError('The answer could not be read.') };
  // The SDK makes up a status for an error that is the first thing in a stream.
  const isFirst = status >= 500 && fieldOf(body, 'error') === undefined;
  if (isFirst && isUnreadable(body))
    return { error: protocolError('What came back is not what this API says.') };
  if (isFirst && typeof fieldOf(body, 'type') === 'string' && messageIn(body))
    return streamFailure(body, vendor);
  const error = statusError(status, `${vendor} answered ${status}: ${said}`);
  const wait = retryAfter(fieldOf(thrown, 'responseHeaders'));
  return {
    error: refine(error, said, JSON.stringify(body ?? '')),
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

/** Some answers mean more than their status. */
function refine(error: TurnError, said: string, body: string): TurnError {
  if (/insufficient_quota|credit balance|billing_hard_limit/i.test(body)) {
    return { ...error, code: 'E_PROVIDER_QUOTA', retryable: false };
  }
  // Whatever the status: an error inside a stream has none of its own.
  const isOther = error.code === 'E_PROVIDER_AUTH' || error.code === 'E_PROVIDER_RATE';
  return !isOther && TOO_LONG.test(`${said} ${body}`)
    ? { ...error, code: 'E_PROVIDER_CONTEXT', retryable: false }
    : error;
}

/** How vendors and servers say that a prompt is longer than the model can read. */
const TOO_LONG =
  /context_length_exceeded|model_context_window_exceeded|exceed_context_size|prompt is too long|exceeds? the (?:available |maximum |model'?s? )*context|maximum context length|max(?:imum)? (?:model|context) len|input token count|context window|longer than the context|exceed context limit|exceeds the maximum number of tokens/i;

/** An error in mid-stream has a type where a status would have been. */
function streamFailure(thrown: unknown, vendor: string): ApiFailure {
  const type = [fieldOf(thrown, 'type'), fieldOf(thrown, 'code'), fieldOf(thrown, 'status')].join(' ');
  const inner = fieldOf(thrown, 'error');
  if (inner !== undefined && inner !== null && typeof inner === 'object') return streamFailure(inner, vendor);
  const status = STREAM_STATUS.find(([pattern]) => pattern.test(type))?.[1] ?? 500;
  const said = messageOf(thrown);
  if (/context_length_exceeded/i.test(type) || (status === 400 && TOO_LONG.test(said))) {
    const message = `${vendor} broke off: ${said}`;
    return { error: { code: 'E_PROVIDER_CONTEXT', message, retryable: false } };
  }
  const { status: _unsaid, ...error } = statusError(status, `${vendor} broke off: ${said}`);
  return { error: refine(error, said, type) };
}

const STREAM_STATUS: readonly (readonly [RegExp, number])[] = [
  [/rate_limit|RESOURCE_EXHAUSTED/i, 429],
  [/authentication|permission|UNAUTHENTICATED|PERMISSION/i, 401],
  [/invalid_request|INVALID_ARGUMENT|invalid_prompt/i, 400],
  [/not_found/i, 404],
];

/** Seconds, or a date; milliseconds where the vendor is that exact. */
export function retryAfter(headers: unknown, now = Date.now()): number | undefined {
  const exact = Number(fieldOf(headers, 'retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = fieldOf(headers, 'retry-after');
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The code of a network error, or its kind: never the address, which may hold more than one thinks. */
function networkDetail(thrown: unknown): string {
  for (const at of causes(thrown)) {
    const code = fieldOf(at, 'code');
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
    const message = fieldOf(at, 'message');
    if (typeof message === 'string' && /redirect/i.test(message)) return 'it was redirected elsewhere';
  }
  return 'it broke off';
}

/** What was thrown and what caused it, down to the bottom. */
function causes(thrown: unknown): readonly unknown[] {
  const found = new Set<unknown>();
  for (let at = thrown; at !== undefined && at !== null && !found.has(at); at = fieldOf(at, 'cause'))
    found.add(at);
  return [...found];
}

function bodyOf(thrown: unknown): unknown {
  const data = fieldOf(thrown, 'data');
  if (data !== undefined && data !== null) return data;
  const text = fieldOf(thrown, 'responseBody');
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text.slice(0, 100_000));
  } catch {
    return { message: text.slice(0, wordCut(text, 500)) };
  }
}

function messageIn(body: unknown): string | undefined {
  const first = Array.isArray(body) ? body[0] : body;
  const inner = fieldOf(first, 'error');
  const message =
    fieldOf(inner, 'message') ?? (typeof inner === 'string' ? inner : fieldOf(first, 'message'));
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function messageOf(thrown: unknown): string {
  const message = typeof thrown === 'string' ? thrown : fieldOf(thrown, 'message');
  return typeof message === 'string' && message !== '' ? message : 'no reason was given';
}

const fieldOf = (value: unknown, key: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined;
