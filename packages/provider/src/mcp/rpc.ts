import { type Fields, isFields } from '../agent/fields.js';
/** What a transport answers to bytes that are not JSON. */
export const PARSE_FAILURE = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'not JSON' },
} as const;

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** The protocol's own. */
export const RESOURCE_NOT_FOUND = -32002;

export type Id = string | number;

/** A request of JSON-RPC, or without an id a notification. */
export interface Request {
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: Fields;
}

export function readRequest(message: unknown): Request | undefined {
  if (!isFields(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return undefined;
  const id = idOf(message);
  if (id === null && 'id' in message) return undefined;
  return {
    id: id ?? undefined,
    method: message.method,
    params: isFields(message.params) ? message.params : {},
  };
}

export function idOf(message: unknown): Id | null {
  const id = isFields(message) ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export const success = (id: Id, result: unknown) => ({ jsonrpc: '2.0', id, result });

export const failure = (id: Id | null, code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});
