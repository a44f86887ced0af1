import { literalRuns } from './literal.js';
import { skipBlank, skipPattern, skipString, skipWord } from './skip.js';

/** A text that somebody wrote out in a file of code: a string, or what stands between the holes of a template. */
export interface Literal {
  readonly text: string;
  /** Where it starts in the source. */
  readonly at: number;
  /** Whether the source has it as it is, without escapes. */
  readonly verbatim: boolean;
}

/** Deeper templates within templates are not looked into. */
const MAX_DEPTH = 40;
/** More literals than this are a table, and no words to a model. */
const MAX_LITERALS = 20_000;

/** All texts that are written out in a source, in order. It reads what is written and runs nothing. */
export function literalsOf(source: string): readonly Literal[] {
  const found: Literal[] = [];
  const add = (start: number, end: number, quote: string): void => {
    const runs = literalRuns(`${quote}${source.slice(start, end)}${quote}`, 0, end - start + 2) ?? [];
    const text = runs.map((run) => run.text).join('');
    if (text === '' || found.length >= MAX_LITERALS) return;
    found.push({ text, at: start, verbatim: runs.every(({ verbatim }) => verbatim) });
  };
  /** Behind the code that starts at `at`: at the brace that closes it, or at the end. */
  const readCode = (from: number, depth: number): number => {
    let at = skipBlank(source, from);
    let braces = 0;
    let isValue = false;
    while (at < source.length && found.length < MAX_LITERALS) {
      const char = source.charAt(at);
      if (char === "'" || char === '"') {
        const end = skipString(source, at);
        add(at + 1, end - 1, char);
        at = end;
        isValue = true;
      } else if (char === '`') {
        at = readTemplate(at + 1, depth + 1);
        isValue = true;
      } else if (char === '/' && !isValue) {
        at = skipPattern(source, at);
        isValue = true;
      } else if (/[\w$]/.test(char)) {
        const end = skipWord(source, at);
        isValue = !/^(?:return|typeof|case|in|of|new|void|delete|await|yield|throw|else|do)$/.test(
          source.slice(at, end),
        );
        at = end;
      } else {
        if (char === '}' && braces === 0 && depth > 0) return at;
        if (char === '{') braces += 1;
        if (char === '}') braces -= 1;
        isValue = char === ')' || char === ']' || char === '}';
        at += 1;
      }
      at = skipBlank(source, at);
    }
    return source.length;
  };
  /** Behind the template whose text starts at `from`. */
  const readTemplate = (from: number, depth: number): number => {
    let start = from;
    let at = from;
    while (at < source.length) {
      const char = source.charAt(at);
      if (char === '\\') at += 2;
      else if (char === '`') {
        add(start, at, '`');
        return at + 1;
      } else if (char === '$' && source.charAt(at + 1) === '{') {
        add(start, at, '`');
        if (depth > MAX_DEPTH) return source.length;
        at = readCode(at + 2, depth) + 1;
        start = at;
      } else at += 1;
    }
    return source.length;
  };
  readCode(0, 0);
  return found;
}
