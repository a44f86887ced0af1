import { describeFileError, type FileError } from '@cuebook/files';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue } from '@cuebook/prompt';
import { describeStateError, type StateError } from '../state/error.js';

/** What a tool answers: JSON, told to the model as it is. */
export type WorkflowToolResult =
  | ({ readonly ok: true } & { readonly [key: string]: JsonValue })
  | { readonly ok: false; readonly error: ToolError };

export type ToolError = {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonValue;
};

export const failed = (code: string, message: string, details?: JsonValue): WorkflowToolResult => ({
  ok: false,
  error: { code, message, ...(details === undefined ? {} : { details }) },
});

/** A file error in the codes of the tools. It names the alias path and nothing of the system. */
export function fromFileError(error: FileError): WorkflowToolResult {
  const message = describeFileError(error);
  switch (error.code) {
    case 'E_FILE_NOT_FOUND':
      return failed('ENOENT', message);
    case 'E_READ_ONLY':
      return failed('E_SANDBOX_VIOLATION', message);
    case 'E_FILE_CHANGED':
      return failed(
        'E_PRECONDITION_FAILED',
        message,
        error.found === undefined ? undefined : { found: error.found },
      );
    case 'E_FILE_TOO_LARGE':
      return failed('E_READ_LIMIT', `${message} Find the place with fs.search.`);
    default:
      return failed(error.code, message);
  }
}

export function fromStateError(error: StateError): WorkflowToolResult {
  const { code, ...details } = error;
  return failed(code, describeStateError(error), asJson(details));
}
