import { json, type LargeFile, list } from './large-file.js';
import { MARKDOWN } from './markdown.js';

const TOML: Readonly<Record<string, (n: number) => string>> = {
  keys: (n) => list(n, (i) => `k${i} = "v"\n`).join(''),
  tables: (n) => list(n, (i) => `[t${i}]\nk = 1\n`).join(''),
  'dotted keys': (n) => list(n, (i) => `a.b${i} = 1\n`).join(''),
  'a deep key': (n) => `${'a.'.repeat(n)}b = 1\n`,
  'deep lists': (n) => `k = ${'['.repeat(n)}${']'.repeat(n)}\n`,
  'lists of tables': (n) => '[[t]]\nk = 1\n'.repeat(n),
  'an error at the end': (n) => `${'# c\n'.repeat(n)}k = [`,
};
/** Commands of Gemini CLI, which are TOML. */
export const GEMINI: readonly LargeFile[] = [
  ...Object.entries(MARKDOWN).map(
    ([what, make]): LargeFile => ({
      reader: 'gemini',
      path: '.gemini/commands/a.toml',
      what: `command: ${what}`,
      text: (n) => `description = "x"\nprompt = ${json(make(n))}\n`,
    }),
  ),
  ...Object.entries(TOML).map(
    ([what, make]): LargeFile => ({
      reader: 'gemini',
      path: '.gemini/commands/a.toml',
      what: `command: TOML: ${what}`,
      text: (n) => `prompt = "words {{args}}"\n${make(n)}`,
    }),
  ),
];
