import { fail, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { badField, type HttpError, type HttpStatus } from '../http/error.js';

/** What the platform did, or why not. */
export function done<Value>(result: Result<Value, object>, about: string): Result<Value, HttpError> {
  if (result.ok) return result;
  const { code, reason } = result.error as { readonly code: string; readonly reason?: string };
  const status = STATUS[`${code} ${reason}`] ?? STATUS[code] ?? 409;
  const message = `${about}: ${reason ?? 'refused'}. ${hint`help ${code}`} says what to do.`;
  return fail({ status, code, message });
}

/** What the platform's own format refuses of a body. */
export const badPart = (
  problems: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): HttpError => {
  const [first = { path: [], message: 'does not fit' }] = problems;
  return badField(first.path.map(String).join('.').slice(0, 200) || 'body', first.message);
};

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
  'E_EXPERIMENT bad-share': 400,
  'E_EXPERIMENT bad-id': 400,
  'E_LIBRARY unknown': 404,
  'E_LIBRARY own-version': 403,
  'E_LIBRARY bad-file': 400,
  'E_LIBRARY no-reason': 400,
  'E_LIBRARY not-listed': 404,
  'E_PROPOSAL bad-id': 400,
  'E_PROPOSAL not-found': 404,
  'E_PROPOSAL no-proposal': 400,
  'E_REVIEW no-card': 404,
  'E_REVIEW not-owner': 403,
  'E_REVIEW own-card': 403,
  'E_INPUT bad-day': 400,
  E_TRUST: 400,
  E_JSON: 400,
  E_PLATFORM: 503,
  E_PLATFORM_HOME: 503,
  E_OBJECT: 503,
};
