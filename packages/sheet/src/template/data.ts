import { nilSlice, readJson, slice, struct, tagged, type Value } from '@cuebook/template';
import type { Sheet, SheetInput } from '../schema.js';

/** A text of an input, for as long as a template prints it unchanged. */
export interface InputTag {
  readonly input: string;
  readonly text: string;
}

/** The most values that an input may hold. */
const MAX_VALUES = 100_000;

/** The inputs of a sheet as a template sees them: fields of the dot. */
export function dataOf({ inputs }: Sheet, values: Readonly<Record<string, string>>): Value {
  return struct(
    'sheet.Inputs',
    Object.fromEntries(
      Object.entries(inputs).map(([name, { type }]) => [
        name,
        inputValue(name, type ?? 'text', Object.hasOwn(values, name) ? values[name] : undefined),
      ]),
    ),
  );
}

function inputValue(name: string, type: SheetInput['type'], given: string | undefined): Value {
  const mark = (text: string): Value => tagged(text, { input: name, text } satisfies InputTag);
  if (type === 'text') return mark(given ?? '');
  const read = given === undefined || given === '' ? undefined : readJson(given);
  const value = read?.ok === true ? read.value : undefined;
  if (type === 'json') return marked(value, mark);
  const items = Array.isArray(value) ? (value as readonly Value[]) : [];
  return items.length === 0
    ? nilSlice('string')
    : slice(
        'string',
        items.map((each) => mark(String(each))),
      );
}

/** Every text inside a value with its mark. Values were counted before: nothing here is deep or long. */
function marked(value: Value | undefined, mark: (text: string) => Value): Value {
  if (typeof value === 'string') return mark(value);
  if (Array.isArray(value)) return value.map((each) => marked(each, mark)) as unknown as Value;
  if (value instanceof Map) {
    return new Map([...value].map(([key, each]) => [key, marked(each as Value, mark)])) as unknown as Value;
  }
  return value as Value;
}

/** What is wrong with a value that is handed in as JSON; nothing of it is repeated. */
export function jsonProblem({ type }: Pick<SheetInput, 'type'>, given: string): string | undefined {
  if (type === 'text') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    return 'it is not JSON';
  }
  if (type === 'list' && !(Array.isArray(value) && value.every((each) => typeof each === 'string'))) {
    return 'it is not a JSON list of texts';
  }
  return isBounded(value) ? undefined : 'it holds too many values, or nests too deep';
}

/** Values may nest no deeper than this. */
const MAX_DEPTH = 100;

function isBounded(value: unknown): boolean {
  let layer: readonly unknown[] = [value];
  let count = 0;
  for (let depth = 0; layer.length > 0; depth += 1) {
    count += layer.length;
    if (depth > MAX_DEPTH || count > MAX_VALUES) return false;
    layer = layer.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return true;
}
