import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { readBounded } from './bounded.js';
import {
  DEFAULT_OBJECT_LIMIT,
  isObjectPrefix,
  keyProblem,
  MAX_LIST,
  type ObjectError,
  type Objects,
} from './contract.js';

/** Where objects are served, and the token that opens them. */
export interface HttpPlace {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

/**
 * Objects that a Cuebook server serves. At most three tries of half a minute each, and only where a second one is
 * safe; redirections are not followed, because the token would go with them.
 */
export function httpObjects({ url, token }: HttpPlace): Objects {
  const base = url.replace(/\/+$/, '');
  const send = (path: string, init: RequestInit): Promise<Sent> =>
    sendTries(`${base}/${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
      redirect: 'error',
    });
  const objects: Objects = {
    async get(key, { limit = DEFAULT_OBJECT_LIMIT } = {}) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const { response } = await send(key, { method: 'GET' });
      if (response?.status !== 200) return refusal(key, response);
      const bytes = await bodyOf(response, limit);
      if (bytes === 'broken') return refusal(key, undefined);
      return bytes === undefined ? fail({ code: 'E_OBJECT', reason: 'too-large', key }) : ok(bytes);
    },
    async put(key, bytes, { ifAbsent = false } = {}) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const headers: Record<string, string> = ifAbsent ? { 'if-none-match': '*' } : {};
      const { response, tries } = await send(key, { method: 'PUT', headers, body: new Uint8Array(bytes) });
      await response?.body?.cancel();
      if (response?.ok === true) return ok(undefined);
      if (response?.status !== 412 || tries === 1) return refusal(key, response);
      // The answer of an earlier try may have been lost on its way: then the object is the one that was meant.
      const there = await objects.get(key, { limit: bytes.length });
      return there.ok && Buffer.from(there.value).equals(bytes) ? ok(undefined) : refusal(key, response);
    },
    async list(prefix, { after, limit = MAX_LIST } = {}) {
      const problem = keyProblem(prefix, isObjectPrefix(prefix));
      if (problem !== undefined) return fail(problem);
      const query = new URLSearchParams({ prefix, limit: `${limit}`, ...(after ? { after } : {}) });
      const { response } = await send(`?${query}`, { method: 'GET' });
      if (response?.status !== 200) return refusal(prefix, response);
      const bytes = await bodyOf(response, LIST_BYTES);
      const parsed = pageSchema.safeParse(
        bytes === undefined || bytes === 'broken' ? undefined : json(bytes),
      );
      if (!parsed.success) return refusal(prefix, undefined);
      return ok({ keys: parsed.data.keys, next: parsed.data.next ?? undefined });
    },
    async remove(key) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const { response } = await send(key, { method: 'DELETE' });
      await response?.body?.cancel();
      return response?.ok === true ? ok(undefined) : refusal(key, response);
    },
  };
  return objects;
}

interface Sent {
  /** Undefined when no answer came. */
  readonly response: Response | undefined;
  readonly tries: number;
}

async function sendTries(url: string, init: RequestInit): Promise<Sent> {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TRY_MS) });
      if (response.status !== 503 || tries === MAX_TRIES) return { response, tries };
      await response.body?.cancel();
    } catch {
      // Refused, cut off or too late: all that is known is that no answer came.
      if (tries === MAX_TRIES) return { response: undefined, tries };
    }
  }
}

async function bodyOf(response: Response, limit: number): Promise<Buffer | undefined | 'broken'> {
  const told = Number(response.headers.get('content-length') ?? 0);
  if (guard('objects.read-bound', told > limit)) {
    await response.body?.cancel();
    return undefined;
  }
  if (response.body === null) return Buffer.alloc(0);
  try {
    return await readBounded(response.body as unknown as AsyncIterable<Uint8Array>, limit);
  } catch {
    return 'broken'; // The connection ended in the middle.
  }
}

const json = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined; // Not JSON: the schema refuses it.
  }
};

function refusal(key: string, response: Response | undefined): Result<never, ObjectError> {
  void response?.body?.cancel();
  const reason = REASONS[response?.status ?? 0] ?? 'unavailable';
  return fail({
    code: 'E_OBJECT',
    reason,
    key,
    ...(response === undefined ? {} : { detail: `${response.status}` }),
  });
}

const REASONS: Readonly<Record<number, ObjectError['reason'] | undefined>> = {
  400: 'bad-key',
  401: 'denied',
  403: 'denied',
  404: 'not-found',
  405: 'denied',
  412: 'exists',
  413: 'too-large',
};

const pageSchema = z.object({ keys: z.array(z.string()).max(MAX_LIST), next: z.string().nullable() });
const TRY_MS = 30_000;
const MAX_TRIES = 3;
const LIST_BYTES = 1024 * 1024;
