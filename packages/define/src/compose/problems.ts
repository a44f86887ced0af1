import { type Diagnostic, describeIncludeError, type IncludeError, type Place } from '@cuebook/prompt';

/** An include that cannot be resolved, at its place. */
export const includeDiagnostic = (error: IncludeError): Diagnostic => ({
  code: error.code,
  severity: 'error',
  message: describeIncludeError(error),
  ...placed(error.at),
});

/** A variable of the text that no layer has a value for. */
export const missingVariable = (name: string, at: Place): Diagnostic => ({
  code: 'E_VARIABLE_MISSING',
  severity: 'error',
  message: `The variable "${name}" has no value in any layer: thread, account, instance, agent, tool or prompt. Hand it in with --env ${name}=…`,
  ...placed(at),
});

const placed = ({ ref, line, column }: Place): Partial<Diagnostic> => ({
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});
