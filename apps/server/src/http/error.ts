import type { HostError } from '@cuebook/host';
import type { Diagnostic } from '@cuebook/prompt';

/** Why a request is not done, as it is answered. */
export interface HttpError {
  readonly status: HttpStatus;
  readonly code: string;
  readonly message: string;
  /** Which field of the request it is about. */
  readonly field?: string;
  readonly diagnostics?: readonly Diagnostic[];
}

/** The statuses of answers that are a no. */
export type HttpStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 500 | 503;

/** The one table from what a host says to what HTTP says. */
const STATUS: Readonly<Record<HostError['kind'], HttpStatus>> = {
  invalid: 400,
  notFound: 404,
  conflict: 409,
  unavailable: 503,
};

/** A failure of the host as an answer. */
export const fromHost = ({ kind, code, message, diagnostics }: HostError): HttpError => ({
  status: STATUS[kind],
  code,
  message,
  ...(diagnostics === undefined ? {} : { diagnostics }),
});

/** The answer's body. */
export const bodyOf = ({ code, message, field, diagnostics }: HttpError) => ({
  error: {
    code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(diagnostics === undefined ? {} : { diagnostics }),
  },
});

/** Something that the path or the host does not have. */
export const notFound = (code: string, message: string): HttpError => ({ status: 404, code, message });

/** A field of the request that does not fit. */
export const badField = (field: string, message: string): HttpError => ({
  status: 400,
  code: 'E_REQUEST',
  message: `${field}: ${message}`,
  field,
});
