import type { IncomingHttpHeaders } from 'node:http';

/** Why a call was not answered with what it asked for. */
export interface KubeFailure {
  /** Of the answer; 0: there was none. */
  readonly status: number;
  /** The API's own word for it, such as `Conflict`, `NotFound` or `Expired`. */
  readonly reason: string;
  readonly message: string;
  /** When the server wants to be asked again. */
  readonly retryAfterMs?: number;
}

/**
 * Whether the same call may be answered later, without anybody changing anything. A conflict is: the next look reads what
 * the other writer wrote.
 */
export const isTransient = ({ status }: Pick<KubeFailure, 'status'>): boolean =>
  status === 0 || status === 408 || status === 409 || status === 429 || status >= 500;

/** Whether what a watch or a page of a list goes on from is not kept any more. */
export const isGone = ({ status, reason }: KubeFailure): boolean => status === 410 || reason === 'Expired';

/** What an answer says of its failure; the server's own words are bounded. */
export function failureFrom(status: number, body: string, headers: IncomingHttpHeaders = {}): KubeFailure {
  const told = statusIn(body);
  const seconds = Number(headers['retry-after'] ?? told.details?.retryAfterSeconds ?? Number.NaN);
  return {
    status: typeof told.code === 'number' && told.code > 0 ? told.code : status,
    reason: typeof told.reason === 'string' && told.reason !== '' ? told.reason : `Status${status}`,
    message: bounded(typeof told.message === 'string' ? told.message : `The server answered ${status}`),
    ...(Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {}),
  };
}

/** A failure without an answer. */
export const unreachable = (error: unknown): KubeFailure => ({
  status: 0,
  reason: 'Unreachable',
  message: bounded(error instanceof Error ? error.message : 'The server does not answer'),
});

interface StatusBody {
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly retryAfterSeconds?: unknown };
}

function statusIn(body: string): StatusBody {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === 'object' && read !== null ? (read as StatusBody) : {};
  } catch {
    return {};
  }
}

const MAX_MESSAGE = 1_000;
const bounded = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
