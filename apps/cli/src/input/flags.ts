import { resolve } from 'node:path';
import type { AnyProfile } from '@cuebook/profile';
import type { Flag, Flags } from '../command.js';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import { inputFlags } from '../table/inputs.js';
import { inOrder, readPairs, type TextReader, textReader } from './pairs.js';

/** The flags that the input schema of a profile asks for. */
export const flagsOfProfile = (profile: AnyProfile): readonly Flag[] => fieldsOf(profile).map(toFlag);

/**
 * What the flags hand in, in the shape of the profile's schema, which judges it; undefined when no input flag
 * is given. A flag that only other profiles know is refused.
 */
export async function readInput(
  profile: AnyProfile,
  flags: Flags,
  io: Io,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const fields = fieldsOf(profile);
  const known = new Set(fields.map(({ flag }) => flag));
  const stray = inputFlags().find(({ name }) => flags[name] !== undefined && !known.has(name));
  if (stray !== undefined) {
    const own = fields.map(({ flag }) => `--${flag}`);
    const takes = own.length === 0 ? 'no input' : own.join(', ');
    throw usage(`The target ${profile.prefix}: takes no --${stray.name}; it takes ${takes}`);
  }
  const texts = textReader(io);
  const input: [string, unknown][] = [];
  for (const field of fields) {
    const given = flags[field.flag];
    if (given !== undefined) input.push([field.key, await readField(field, given, texts, io.cwd)]);
  }
  return input.length === 0 ? undefined : Object.fromEntries(input);
}

interface Field {
  readonly key: string;
  readonly flag: string;
  readonly kind: 'text' | 'number' | 'switch' | 'list' | 'record' | 'file' | 'named';
  readonly description: string;
}

const fieldsOf = (profile: AnyProfile): readonly Field[] =>
  Object.entries(profile.input.shape).map(([key, schema]) => ({
    key,
    flag: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    ...readSchema(schema as SchemaNode),
  }));

function toFlag({ flag, kind, description }: Field): Flag {
  switch (kind) {
    case 'switch':
      return { name: flag, description };
    case 'record':
      return { name: flag, value: 'NAME=VALUE', description, repeatable: true };
    case 'list':
      return { name: flag, value: 'VALUE', description, repeatable: true };
    case 'number':
      return { name: flag, value: 'NUMBER', description };
    case 'file':
    case 'named':
      return { name: flag, value: 'FILE', description, values: 'path' };
    case 'text':
      return { name: flag, value: 'VALUE', description };
  }
}

async function readField(
  field: Field,
  given: Flags[string],
  read: TextReader,
  cwd: string,
): Promise<unknown> {
  if (given === true) return true;
  if (typeof given === 'string' && field.kind === 'named') {
    return { path: resolve(cwd, given), text: await read(`@${given}`) };
  }
  if (typeof given === 'string' && field.kind === 'file')
    return read(given.startsWith('@') ? given : `@${given}`);
  if (typeof given === 'string') return field.kind === 'number' ? toNumber(field, given) : read(given);
  if (field.kind === 'list') return inOrder(given, read);
  return readPairs(field.flag, given, read);
}

function toNumber(field: Field, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw usage(`--${field.flag} takes a number`);
  return number;
}

/** The part of a zod schema that is read here. */
interface SchemaNode {
  readonly description?: string;
  readonly meta?: () => { readonly file?: unknown } | undefined;
  readonly _zod: {
    readonly def: { readonly type: string; readonly innerType?: SchemaNode; readonly in?: SchemaNode };
  };
}

const KINDS: Readonly<Record<string, Field['kind']>> = {
  string: 'text',
  enum: 'text',
  number: 'number',
  int: 'number',
  boolean: 'switch',
  array: 'list',
  record: 'record',
};

/** Looks through `optional`, `default` and the like to the type that is written on the command line. */
function readSchema(schema: SchemaNode): Pick<Field, 'kind' | 'description'> {
  let description = schema.description;
  let node = schema;
  // `.meta({ file: true })`: the flag takes the name of a file, and the schema its text; with `named` also its path.
  const file = schema.meta?.()?.file;
  for (let inner = innerOf(node); inner !== undefined; inner = innerOf(node)) {
    node = inner;
    description ??= node.description;
  }
  const kind = file === 'named' ? 'named' : file === true ? 'file' : (KINDS[node._zod.def.type] ?? 'text');
  return { kind, description: description ?? '' };
}

const innerOf = (node: SchemaNode): SchemaNode | undefined => node._zod.def.innerType ?? node._zod.def.in;
