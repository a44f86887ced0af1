import { guarded } from '@cuebook/guard';
import type { HostError } from '@cuebook/host';
import {
  type Diagnostic,
  problemWithoutCredentials,
  type Redactor,
  withoutCredentials,
} from '@cuebook/prompt';

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

/** The answer's body. It may repeat what the caller wrote, and callers keep logs: credentials are masked. */
export const bodyOf = ({ code, message, field, diagnostics }: HttpError, redactor: Redactor) => {
  const told = (text: string): string =>
    guarded('answer.credential', (said) => withoutCredentials(redactor, said), text);
  return {
    error: {
      code,
      message: told(message),
      ...(field === undefined ? {} : { field: told(field) }),
      ...(diagnostics === undefined
        ? {}
        : { diagnostics: diagnostics.map((each) => problemWithoutCredentials(redactor, each)) }),
    },
  };
};

/** Something that the path or the host does not have. */
export const notFound = (code: string, message: string): HttpError => ({ status: 404, code, message });

/** A field of the request that does not fit. */
export const badField = (field: string, message: string): HttpError => ({
  status: 400,
  code: 'E_REQUEST',
  message: `${field}: ${message}`,
  field,
});
