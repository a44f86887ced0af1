import { guarded } from '@cuebook/guard';
import {
  type Diagnostic,
  type JsonValue,
  problemWithoutCredentials,
  type Redactor,
  valueWithoutCredentials,
} from '@cuebook/prompt';

/**
 * An answer that is a yes may tell what is wrong with files of the project: names, keys and words of them. The problems in
 * it, wherever they stand, are told without credentials; all else stays as it is, but for a list of names, of which each
 * is told without.
 */
export function toldAnswer(
  value: unknown,
  redactor: Redactor,
  { tellsNames = false }: { readonly tellsNames?: boolean } = {},
): unknown {
  if (tellsNames)
    return guarded('answer.name', (held) => valueWithoutCredentials(redactor, held as JsonValue), value);
  const text = JSON.stringify(value);
  if (!text.includes('"severity":"')) return value;
  return guarded('answer.problem', (held) => told(held, redactor), value);
}

function told(value: unknown, redactor: Redactor): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => told(each, redactor));
  if (isProblem(value)) return problemWithoutCredentials(redactor, value);
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, told(held, redactor)]));
}

const isProblem = (value: object): value is Diagnostic => {
  const { code, severity, message } = value as Partial<Diagnostic>;
  return [code, severity, message].every((each) => typeof each === 'string');
};
