import type { z } from 'zod';
import type { errorBodySchema } from './schema/base.js';

/** Why a server said no, or why nothing came from it. */
export type ApiError = z.output<typeof errorBodySchema>['error'] & {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
};

/** An answer, or why there is none. Nothing of the client throws or rejects. */
export type ApiAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ApiError };

/** A failure as a value. */
export const failed = (error: ApiError): { readonly ok: false; readonly error: ApiError } => ({
  ok: false,
  error,
});
