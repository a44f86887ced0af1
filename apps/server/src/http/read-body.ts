import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { HttpError } from './error.js';

interface BodyLimits {
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The body of a request as text: no longer than the limit, and within its time. */
export async function readText(request: Request, limits: BodyLimits): Promise<Result<string, HttpError>> {
  const bytes = await readBytes(request, limits);
  if (!bytes.ok) return bytes;
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value));
  } catch {
    return fail(NOT_READABLE);
  }
}

/** The same as bytes. */
export async function readBytes(
  request: Request,
  { limit, signal }: BodyLimits,
): Promise<Result<Uint8Array, HttpError>> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return fail(tooLong(limit));
  const reader = request.body?.getReader();
  if (reader === undefined) return ok(new Uint8Array());
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (guard('request.time', signal.aborted)) return fail(TOO_SLOW);
      if (done) return ok(Buffer.concat(parts));
      size += value.byteLength;
      if (guard('request.size', size > limit)) return fail(tooLong(limit));
      parts.push(value);
    }
  } catch {
    // A caller who has gone.
    return fail(NOT_READABLE);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Bytes that are no UTF-8, or that did not come. */
export const NOT_READABLE: HttpError = {
  status: 400,
  code: 'E_REQUEST',
  message: 'The body is not readable as UTF-8.',
  field: 'body',
};

const tooLong = (limit: number): HttpError => ({
  status: 413,
  code: 'E_REQUEST_SIZE',
  message: `The body is longer than ${limit} bytes.`,
  field: 'body',
});

const TOO_SLOW: HttpError = {
  status: 408,
  code: 'E_REQUEST_TIME',
  message: 'The body did not come in time.',
  field: 'body',
};
