import type { JsonValue } from '@cuebook/api';
import { fail, ok, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import type { HttpError, HttpStatus } from '../http/error.js';

/** A value as it is answered: plain JSON, without what is undefined. */
export const answerOf = (value: object): Result<JsonValue, HttpError> =>
  ok(JSON.parse(JSON.stringify(value)) as JsonValue);

/** What the platform did, or why not. */
export function done(
  result: { readonly ok: true; readonly value: object } | { readonly ok: false; readonly error: object },
  about: string,
): Result<JsonValue, HttpError> {
  if (result.ok) return answerOf(result.value);
  const { code, reason } = result.error as { readonly code: string; readonly reason?: string };
  const status = STATUS[`${code} ${reason}`] ?? STATUS[code] ?? 409;
  const message = `${about}: ${reason ?? 'refused'}. ${hint`help ${code}`} says what to do.`;
  return fail({ status, code, message });
}

/** By code, or by code and reason. Anything else is a conflict with how things stand. */
const STATUS: Readonly<Record<string, HttpStatus | undefined>> = {
  E_CARD: 400,
  E_CARD_VIEW: 400,
  E_ACCESS: 403,
  'E_ACCESS bad-id': 400,
  'E_ACCESS lifetime': 400,
  'E_ACCESS unavailable': 503,
  'E_ACCESS too-many': 503,
  E_ADMISSION: 403,
  'E_ADMISSION unknown-agent': 404,
  E_FEEDBACK: 400,
  'E_FEEDBACK unknown-agent': 404,
  'E_FEEDBACK no-post': 404,
  'E_EXPERIMENT unknown': 404,
  'E_EXPERIMENT bad-plan': 400,
  'E_REVIEW no-card': 404,
  'E_REVIEW not-owner': 403,
  'E_REVIEW own-card': 403,
  E_TRUST: 400,
  E_JSON: 400,
  E_PLATFORM: 503,
  E_OBJECT: 503,
};
