import { isMap } from './yaml-source.js';

/** What a case expects of an answer, in the words of `cuebook test`. */
export interface AssertChecks {
  equals?: string;
  contains?: string[];
  absent?: string[];
  matches?: string[];
}

/** A list of asserts, and where it stands. */
interface AssertList {
  readonly asserts: unknown;
  readonly path: readonly PropertyKey[];
}

/** The deterministic asserts of a test; each other one is named. */
export function checksOf(
  lists: readonly AssertList[],
  lose: (message: string, path: readonly PropertyKey[]) => void,
): AssertChecks {
  const checks: AssertChecks = {};
  const add = (key: 'contains' | 'absent' | 'matches', text: string): void => {
    checks[key] = [...(checks[key] ?? []), text];
  };
  for (const { asserts, path } of lists) {
    if (asserts !== undefined && asserts !== null && !Array.isArray(asserts))
      lose('The asserts of this test are not a list; they were not kept', path);
    for (const [index, each] of (Array.isArray(asserts) ? asserts : []).entries()) {
      const lost = (message: string): void => lose(message, [...path, index]);
      const { type, value, ...more } = isMap(each) ? each : { type: undefined, value: undefined };
      const keys = Object.keys(more).filter((key) => key !== 'metric' && key !== 'weight');
      const isPlain =
        typeof value === 'string' && !/\{\{|\{%|\{#|^file:\/\//.test(value) && keys.length === 0;
      if (keys.length < Object.keys(more).length)
        lost(`The score of an assert of type ${JSON.stringify(String(type))} was not kept`);
      if (type === 'equals' && isPlain && checks.equals === undefined) checks.equals = value;
      else if (type === 'contains' && isPlain) add('contains', value);
      else if (type === 'not-contains' && isPlain) add('absent', value);
      else if (type === 'regex' && isPlain && isPattern(value)) add('matches', value);
      else if (type === 'starts-with' && isPlain) add('matches', `^${escaped(value)}`);
      else if (type === 'icontains' && isPlain && /^[\x20-\x7e]*$/.test(value))
        add('matches', anyCase(value));
      else lost(`An assert of type ${JSON.stringify(String(type))} was not kept${whyNot(value, keys)}`);
    }
  }
  return checks;
}

/** Why an assert of a kind that cases have is not kept all the same. */
function whyNot(value: unknown, keys: readonly string[]): string {
  if (keys.length > 0) return `, for its ${keys.map((key) => JSON.stringify(key)).join(', ')}`;
  if (typeof value !== 'string') return '';
  if (/^file:\/\//.test(value)) return ': its value is in another file';
  return /\{\{|\{%|\{#/.test(value) ? ': its value is a template' : '';
}

/** Patterns of cases are compiled with the flag `u`. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A pattern of exactly this text. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** A pattern of this text of ASCII in small and large letters. */
export const anyCase = (text: string): string =>
  [...text]
    .map((char) => (/[A-Za-z]/.test(char) ? `[${char.toLowerCase()}${char.toUpperCase()}]` : escaped(char)))
    .join('');
