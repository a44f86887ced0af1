import type { Diagnostic, JsonValue } from '@cuebook/prompt';
import { diagnosticAt } from '@cuebook/yaml';
import type { Sheet } from './schema.js';
import type { SheetSource } from './source.js';

/** The parameters of a sheet, with the answer that it asks for as providers take it. */
export function paramsOf({ params, answer }: Sheet): Readonly<Record<string, unknown>> {
  if (answer === undefined) return params;
  const { schema, name } = answer;
  return { ...params, responseFormat: { schema, ...(name === undefined ? {} : { name }) } };
}

/** Where a value beside the prompt is written. */
export const besidePath = (
  path: readonly (string | number)[],
  { answer }: Sheet,
): readonly (string | number)[] =>
  answer !== undefined && path[0] === 'params' && path[1] === 'responseFormat'
    ? ['answer', ...path.slice(2)]
    : path;

/** What the answer is held to, as plain JSON: it goes with the run that asks for it. */
export const contractOf = ({ answer }: Sheet): JsonValue | undefined =>
  answer === undefined ? undefined : ({ schema: answer.schema } as JsonValue);

/** One way to say it: a parameter beside the answer would be a second. */
export function checkAnswer({ sheet, yaml }: SheetSource): readonly Diagnostic[] {
  if (sheet.answer === undefined || !Object.hasOwn(sheet.params, 'responseFormat')) return [];
  const message = 'params.responseFormat and answer say the same thing. Keep answer';
  return [diagnosticAt(yaml, ['params', 'responseFormat'], { code: 'E_SHEET', severity: 'error', message })];
}
