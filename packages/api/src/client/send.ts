import { z } from 'zod';
import { type ApiAnswer, type ApiError, failed } from '../error.js';
import type { AnswerOf, Route } from '../route/route.js';
import { API_BASE } from '../route/route.js';
import { errorBodySchema } from '../schema/base.js';
import type { ClientOptions } from './options.js';
import { readBody } from './read-body.js';

/** Asks one thing. Never throws. */
export async function send<Each extends Route>(
  options: ClientOptions,
  route: Each,
  input: Readonly<Record<string, unknown>>,
): Promise<ApiAnswer<AnswerOf<Each>>> {
  const request = requestOf(route, input);
  if (!request.ok) return request;
  const { path, body, command } = request.value;
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options;
  try {
    const response = await fetch(`${baseOf(options)}${path}`, {
      method: route.method,
      headers: {
        ...headersOf(options),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(command === undefined ? {} : { 'idempotency-key': command }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      // Another address is not who was asked, and must not hear the token.
      redirect: 'error',
    });
    return await answerOf(route, response, options.maxAnswer ?? MAX_ANSWER);
  } catch (thrown) {
    return failed(thrown instanceof DOMException && thrown.name === 'TimeoutError' ? SLOW : UNREACHABLE);
  }
}

/** What every request carries. */
export const headersOf = ({ token }: ClientOptions): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Where the routes stand. */
export const baseOf = ({ url }: ClientOptions): string => `${url.replace(/\/+$/, '')}${API_BASE}`;

/** The error of an answer that is a no. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await readBody(response, MAX_ERROR).catch(() => undefined);
  const parsed = errorBodySchema.safeParse(parseJson(text));
  if (parsed.success) return { ...parsed.data.error, status: response.status };
  // What carries requests gave up before the server had this one whole.
  if (response.status === 408) return SLOW;
  return { ...NOT_OURS, status: response.status };
}

/** Nobody answered. */
export const UNREACHABLE: ApiError = {
  code: 'E_API_UNREACHABLE',
  message:
    'The server does not answer. Look whether the server of the project is up, and whether the address is right.',
  status: 0,
};

/** Somebody may be at it still. */
const SLOW: ApiError = {
  ...UNREACHABLE,
  message:
    'The server has not answered in time, and may still be at it. Give the same command again with the same id: it is done once.',
};

const NOT_OURS: Omit<ApiError, 'status'> = {
  code: 'E_API_ANSWER',
  message:
    'The answer is not one that this client knows: another program, or another version, answers there.',
};

async function answerOf<Each extends Route>(
  route: Each,
  response: Response,
  limit: number,
): Promise<ApiAnswer<AnswerOf<Each>>> {
  if (!response.ok) return failed(await errorOf(response));
  const text = await readBody(response, limit);
  const parsed = route.answer.safeParse(parseJson(text));
  if (!parsed.success) return failed({ ...NOT_OURS, status: response.status });
  return { ok: true, value: parsed.data as AnswerOf<Each> };
}

interface Request {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The id of the command, where the body has no place for it. */
  readonly command: string | undefined;
}

/** Params and query by their names; what is left is the body. What a body says too stands in both. */
function requestOf(route: Route, input: Readonly<Record<string, unknown>>): ApiAnswer<Request> {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const inBody = keysOf(route.body);
  let path = route.path;
  for (const name of Object.keys(route.params.shape)) {
    const value = left.get(name);
    if (typeof value !== 'string' || value.trim() === '' || /^\.{1,2}$/.test(value))
      return failed(missing(name));
    if (!inBody.has(name)) left.delete(name);
    path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  const query = new URLSearchParams();
  for (const name of Object.keys(route.query.shape)) {
    if (left.has(name)) query.set(name, String(left.get(name)));
    left.delete(name);
  }
  const search = query.toString();
  const command = route.body === undefined || left.has('id') ? undefined : newCommandId();
  if (command !== undefined && inBody.has('id')) left.set('id', command);
  return {
    ok: true,
    value: {
      path: search === '' ? path : `${path}?${search}`,
      body: route.body === undefined ? undefined : Object.fromEntries(left),
      command: inBody.has('id') ? undefined : command,
    },
  };
}

/** The members of a body, of whatever form of it. */
function keysOf(body: z.ZodType | undefined): ReadonlySet<string> {
  const forms = body instanceof z.ZodUnion ? body.options : [body];
  return new Set(forms.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : [])));
}

const missing = (field: string): ApiError => ({
  code: 'E_API_INPUT',
  message: `The request needs "${field}".`,
  field,
  status: 0,
});

/** Unguessable, also where `randomUUID` is kept for secure pages. */
function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `cmd_${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER = 64 * 1024 * 1024;
const MAX_ERROR = 1024 * 1024;
