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
  readonly changes?: readonly { readonly file: string; readonly patch: string }[] | undefined;
}

/**
 * The parts of a call that waits for a person. Agents write its fields, and which of two commands one of them would run
 * is its own affair: where several fields could hold the command, or name the file, each stands in the rest with its
 * name. A field of an edit is left out only when the changes beside it tell every line of it.
 */
export function askedParts({ input, changes = [] }: Asked): AskedParts {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { rest: input };
  const fields = Object.entries(input);
  const command = onlyOf(fields, COMMAND_KEYS);
  const file = changes.length === 0 ? onlyOf(fields, PLACE_KEYS) : undefined;
  const told = new Set([command?.[0], file?.[0]]);
  const rest = fields.filter(
    ([key, value]) => !told.has(key) && guard('asked.untold', !isTold(key, value, changes)),
  );
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

/** The fields that hold words of an edit, which the changes of files may tell. */
const WORD_KEYS: ReadonlySet<string> = new Set(
  'content old_string new_string replace_all edits changes newText oldText diff type kind'.split(' '),
);

/** Whether the changes tell each line of a field of an edit: as the name of a file, or within a line of a patch. */
function isTold(key: string, value: JsonValue, changes: NonNullable<Asked['changes']>): boolean {
  if (changes.length === 0) return false;
  if (typeof value === 'string') {
    if (PLACE_KEYS.has(key)) return changes.some(({ file }) => file === value);
    if (!WORD_KEYS.has(key)) return false;
    const isMark = (key === 'type' || key === 'kind') && /^[a-z_]{1,12}$/.test(value);
    return isMark || value.split(/\r?\n/).every((line) => changes.some(({ patch }) => patch.includes(line)));
  }
  if (!WORD_KEYS.has(key)) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value)
    ? value.every((item) => isTold(key, item, changes))
    : Object.entries(value).every(([name, item]) => isTold(name, item, changes));
}

/** Also a field that is called as one that all objects have. */
const fieldsOf = (fields: readonly (readonly [string, JsonValue])[]): JsonValue =>
  Object.fromEntries(fields) as JsonValue;
