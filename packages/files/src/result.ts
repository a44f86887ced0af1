import type { FileError } from './error.js';

/** What every operation of this package answers: nothing here throws or rejects for an expected failure. */
export type FileResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: FileError };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

export const fail = (error: FileError): { readonly ok: false; readonly error: FileError } => ({
  ok: false,
  error,
});
