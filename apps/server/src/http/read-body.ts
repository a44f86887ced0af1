import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { HttpError } from './error.js';

/** The body of a request as text: no longer than the limit, and within its time. */
export async function readText(
  request: Request,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<Result<string, HttpError>> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return fail(tooLong(limit));
  const reader = request.body?.getReader();
  if (reader === undefined) return ok('');
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (guard('request.time', signal.aborted)) return fail(TOO_SLOW);
      if (done) return ok(text + decoder.decode());
      size += value.byteLength;
      if (guard('request.size', size > limit)) return fail(tooLong(limit));
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // Bytes that are no UTF-8, or a caller who has gone.
    return fail({
      status: 400,
      code: 'E_REQUEST',
      message: 'The body is not readable as UTF-8.',
      field: 'body',
    });
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

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
