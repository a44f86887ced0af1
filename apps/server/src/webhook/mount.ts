import type { Host, Webhooks } from '@cuebook/host';
import type { JsonValue, Redactor } from '@cuebook/prompt';
import type { HttpMount } from '../http/app.js';
import { bodyOf, fromHost, type HttpError } from '../http/error.js';
import { NOT_READABLE, readBytes } from '../http/read-body.js';
import { keptId, parseJson } from '../http/read-request.js';
import { HEADERS } from '../http/security.js';

/** Where deliveries come in, below `/api/v1`. */
export const WEBHOOK_PATH = '/hooks';

/**
 * Takes deliveries of webhooks. Who sends one proves it by a signature and has no token. Whatever keeps a delivery from
 * being believed is told alike, so that nobody learns which webhooks there are.
 */
export function webhookMount(
  webhooks: Pick<Webhooks, 'verify' | 'deliver'>,
  host: Pick<Host, 'begin' | 'answer' | 'waiting' | 'report'>,
  redactor: Redactor,
): HttpMount {
  const refused = (error: HttpError): Response =>
    Response.json(bodyOf(error, redactor), { status: error.status, headers: HEADERS });
  return {
    path: WEBHOOK_PATH,
    async serve(request, rest) {
      if (request.method !== 'POST') return refused(NOT_POST);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const body = await readBytes(request, { limit: MAX_BODY, signal });
      if (!body.ok) return refused(body.error);
      const { headers } = request;
      const delivery = {
        id: headers.get('webhook-id') ?? '',
        timestamp: headers.get('webhook-timestamp') ?? '',
        signature: headers.get('webhook-signature') ?? '',
        body: body.value,
      };
      const webhook = await webhooks.verify(rest.slice(1), delivery);
      if (webhook === undefined) return refused(NOT_SIGNED);
      const value = readValue(body.value);
      if (!value.ok) return refused(value.error);
      const done = await webhooks.deliver(
        webhook,
        { ...delivery, id: keptId(delivery.id, redactor), value: value.value },
        host,
      );
      if (!done.ok) return refused(fromHost(done.error));
      return Response.json(done.value, { status: 200, headers: HEADERS });
    },
  };
}

function readValue(
  bytes: Uint8Array,
): { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: HttpError } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const parsed = parseJson(text === '' ? '{}' : text);
    return parsed.ok ? { ok: true, value: parsed.value as JsonValue } : parsed;
  } catch {
    return { ok: false, error: NOT_READABLE };
  }
}

const NOT_SIGNED: HttpError = {
  status: 401,
  code: 'E_WEBHOOK_SIGNATURE',
  message: 'The delivery is not signed for this address, or its time is too far from now.',
};

const NOT_POST: HttpError = { status: 405, code: 'E_METHOD', message: 'This address is asked with POST.' };

const MAX_BODY = 256 * 1024;
const TIMEOUT_MS = 60_000;
