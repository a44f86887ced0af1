import { usage } from '../failure.js';
import type { Io } from '../io.js';
import { readNamedFile } from '../project/named-file.js';
import { readStdin } from './stdin.js';

/** Answers the text that a value on the command line stands for. */
export type TextReader = (value: string) => Promise<string>;

/** `@FILE` is the text of a file, `@-` standard input, `@@x` the text `@x`; anything else is itself. */
export function textReader(io: Io): TextReader {
  let stdin: Promise<string> | undefined;
  return async (value) => {
    if (!value.startsWith('@')) return value;
    if (value.startsWith('@@')) return value.slice(1);
    if (value === '@')
      throw usage('@ must be followed by a file name; @- is standard input, and @@ is a literal @');
    if (value !== '@-') return readNamedFile(io.cwd, value.slice(1));
    stdin ??= readStdin(io);
    return stdin;
  };
}

/** `NAME=VALUE` of a flag that may be repeated, each name once. An error repeats no value: it may be a credential. */
export async function readPairs(
  flag: string,
  pairs: readonly string[],
  read: TextReader,
): Promise<Readonly<Record<string, string>>> {
  const entries = await inOrder(pairs, async (pair): Promise<readonly [string, string]> => {
    const cut = pair.indexOf('=');
    if (cut < 1) throw usage(`--${flag} takes NAME=VALUE`);
    return [pair.slice(0, cut), await read(pair.slice(cut + 1))];
  });
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw usage(`--${flag} ${twice[0]} is given twice`);
  return Object.fromEntries(entries);
}

/** One after the other: standard input and files are read in the order given. */
export async function inOrder<Value>(
  texts: readonly string[],
  read: (text: string) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (const text of texts) values.push(await read(text));
  return values;
}
