/** What a case expects of an answer, in the words of `cuebook test`. */
export interface AssertChecks {
  equals?: string;
  contains?: string[];
  absent?: string[];
  matches?: string[];
}

type Plain = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The deterministic asserts of a test; each other one is named. */
export function checksOf(asserts: unknown, lost: (message: string) => void): AssertChecks {
  const checks: AssertChecks = {};
  const add = (key: 'contains' | 'absent' | 'matches', text: string): void => {
    checks[key] = [...(checks[key] ?? []), text];
  };
  for (const each of Array.isArray(asserts) ? asserts : []) {
    const { type, value } = isMap(each) ? each : { type: undefined, value: undefined };
    const isPlain = typeof value === 'string' && !/\{\{|\{%|^file:\/\//.test(value);
    if (type === 'equals' && isPlain && checks.equals === undefined) checks.equals = value;
    else if (type === 'contains' && isPlain) add('contains', value);
    else if (type === 'not-contains' && isPlain) add('absent', value);
    else if (type === 'regex' && isPlain) add('matches', value);
    else if (type === 'starts-with' && isPlain) add('matches', `^${escaped(value)}`);
    else if (type === 'icontains' && isPlain && /^[\x20-\x7e]*$/.test(value)) add('matches', anyCase(value));
    else lost(`An assert of type ${JSON.stringify(String(type))} was not kept`);
  }
  return checks;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const anyCase = (text: string): string =>
  [...text]
    .map((char) => (/[A-Za-z]/.test(char) ? `[${char.toLowerCase()}${char.toUpperCase()}]` : escaped(char)))
    .join('');
