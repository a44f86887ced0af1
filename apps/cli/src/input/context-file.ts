import type { LeakContext } from '@cuebook/prompt';
import { Failure } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';

/** The context in a JSON file: the object itself, or the one under the key `ctx`. */
export async function readContextFile(cwd: string, named: string): Promise<LeakContext> {
  const text = await readNamedFile(cwd, named);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may be private.
    throw new Failure('E_CONTEXT', `${named} is not JSON`);
  }
  const context = isRecord(value) && isRecord(value.ctx) ? value.ctx : value;
  if (!isRecord(context)) throw new Failure('E_CONTEXT', `${named} is not an object`);
  const unknown = Object.keys(context).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    throw new Failure('E_CONTEXT', `${named} has a key that no context has: ${JSON.stringify(unknown)}`);
  const strings = (key: string): readonly string[] => {
    const list = context[key] ?? [];
    if (Array.isArray(list) && list.every(isText)) return list;
    throw new Failure('E_CONTEXT', `${named}: ${key} is not a list of strings`);
  };
  const roots: unknown = context.roots ?? [];
  if (!Array.isArray(roots) || !roots.every(isRoot)) {
    throw new Failure('E_CONTEXT', `${named}: roots is not a list of ["@alias", "PATH"]`);
  }
  return {
    roots,
    private: strings('private'),
    names: strings('names'),
    credentials: strings('credentials'),
    public: strings('public'),
  };
}

const KEYS: ReadonlySet<string> = new Set(['roots', 'private', 'names', 'credentials', 'public']);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/\p{Surrogate}/u.test(value);

/** Whether an alias can stand for a root in a text. */
export const isAlias = (alias: string): boolean => /^@[A-Za-z0-9][\w-]*$/.test(alias);

const isRoot = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every(isText) && isAlias(String(value[0]));
