import type { Reporter } from '../diagnostic.js';
import { lineIndex } from './mapped.js';
import { sayNumbers } from './numbers.js';

/** What has letters and signs of its own (texts, comments), a number, or a sign that says whether a key or a value follows. */
const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[-+]?[\w.:+-]+|[=[\]{},\n]/g;

const FLOAT = /^[-+]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d[\d_]*)?$/;

/** Names the numbers of a valid TOML file that lose digits. Integers that would are refused by its parser. */
export function sayTomlNumbers(text: string, report: Reporter): void {
  const at = lineIndex(text);
  const found: { readonly written: string; readonly start: number }[] = [];
  /** The brackets that are open around a value; undefined where a key or the head of a table stands. */
  let open: string[] | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '=') open ??= [];
    else if (open === undefined) continue;
    else if (token === '[' || token === '{') open.push(token);
    else if (token === ']' || token === '}') open.pop();
    else if (token === '\n' && open.length === 0) open = undefined;
    else if (
      FLOAT.test(token) &&
      !/^[ \t]*[.=]/.test(text.slice(index + token.length, index + token.length + 80))
    )
      found.push({ written: token, start: index });
  }
  sayNumbers(
    found.map(({ written, start }) => {
      const digits = written.replaceAll('_', '');
      return { written: digits, value: Number(digits), at: () => at(start) };
    }),
    report,
  );
}
