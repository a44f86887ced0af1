import { guard } from '@cuebook/guard';
import type { JsonValue } from './schema/base.js';

/** What a person is asked about, in parts that together leave nothing out. */
export interface AskedParts {
  /** The command, where one field alone can hold it. */
  readonly command?: string;
  /** The file, where one field alone can name it. */
  readonly file?: string;
  /** All that neither of them nor the changes tell; undefined when that is nothing. */
  readonly rest?: JsonValue;
}

interface Asked {
  readonly input: JsonValue;
  readonly changes?: readonly Change[] | undefined;
}

interface Change {
  readonly file: string;
  /** JSON pointers of the fields of the input that its patch tells exactly. */
  readonly tells?: readonly string[] | undefined;
}

/**
 * The parts of a call that waits for a person. Agents write its fields, and which of two commands one of them would run
 * is its own affair: where several fields could hold the command, or name the file, each stands in the rest with its
 * name. A field is left out only where it names the file of a change, or all of it stands among what the changes tell: who
 * made them has shown by applying them that they do. So a person is shown all that is allowed, and no edit twice.
 */
export function askedParts({ input, changes = [] }: Asked): AskedParts {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { rest: input };
  const fields = Object.entries(input);
  const command = onlyOf(fields, COMMAND_KEYS);
  const file = changes.length === 0 ? onlyOf(fields, PLACE_KEYS) : undefined;
  const told = new Set([command?.[0], file?.[0]]);
  const places = new Set(changes.flatMap(({ tells = [] }) => tells));
  const isTold = (key: string, value: JsonValue): boolean =>
    (PLACE_KEYS.has(key) && changes.some((change) => change.file === value)) ||
    isAmong(places, `/${escaped(key)}`, value);
  const rest = fields.filter(([key, value]) => !told.has(key) && guard('asked.untold', !isTold(key, value)));
  return {
    ...(command && { command: command[1] }),
    ...(file && { file: file[1] }),
    ...(rest.length > 0 && { rest: fieldsOf(rest) }),
  };
}

const COMMAND_KEYS: ReadonlySet<string> = new Set(['cmd', 'command']);
const PLACE_KEYS: ReadonlySet<string> = new Set(['path', 'file_path']);

/** A field of these names, when there is no other one of them and it holds a text. */
function onlyOf(
  fields: readonly (readonly [string, JsonValue])[],
  names: ReadonlySet<string>,
): readonly [key: string, text: string] | undefined {
  const found = fields.filter(([key]) => names.has(key));
  const [key, value] = found[0] ?? [];
  if (key === undefined || typeof value !== 'string') return undefined;
  return guard('asked.several', found.length > 1) ? undefined : [key, value];
}

/** Whether a value, or each field in it, stands at one of the places. */
function isAmong(places: ReadonlySet<string>, at: string, value: JsonValue): boolean {
  if (places.has(at)) return true;
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return fields.length > 0 && fields.every(([key, each]) => isAmong(places, `${at}/${escaped(key)}`, each));
}

/** A key as JSON pointers have it. */
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Also a field that is called as one that all objects have. */
const fieldsOf = (fields: readonly (readonly [string, JsonValue])[]): JsonValue =>
  Object.fromEntries(fields) as JsonValue;
