import { skipBlank, skipExpression, skipString, skipTemplate, skipWord } from './skip.js';

/** Where the parts of an object literal stand in its source. Offsets count UTF-16 units. */
export interface Outline {
  readonly start: number;
  /** Where the property's key stands, for a value that has one. */
  readonly key?: number;
  /** The end of a string literal that is the whole value. */
  readonly literalEnd?: number;
  readonly entries?: ReadonlyMap<string, Outline>;
  readonly items?: readonly Outline[];
}

/**
 * The outline of the definition in a file: the object that is handed to a definer, or that is exported by
 * default. Undefined where it is not written as an object. It reads what is written and runs nothing; whatever
 * is computed has only the place where that is done.
 */
export function outlineOf(text: string): Outline | undefined {
  const at = findDefinition(text);
  return at === undefined ? undefined : readValue(text, at, 0).outline;
}

/** Deeper nesting than this has the place of what it stands in. */
const MAX_DEPTH = 40;

function findDefinition(text: string): number | undefined {
  let exported: number | undefined;
  // Only what could be the definition, or could hide one: literals, comments and patterns.
  const mark = /\bdefine(?:Prompt|Tool|Model|Agent|Hook)\b|\bdefault\b|['"`]|\/[/*]/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const at = found.index;
    const [word] = found;
    const end = at + word.length;
    if (word === "'" || word === '"') mark.lastIndex = skipString(text, at);
    else if (word === '`') mark.lastIndex = skipTemplate(text, at);
    else if (word.startsWith('/')) mark.lastIndex = skipBlank(text, at);
    else if (word === 'default') {
      const next = skipBlank(text, end);
      if (text.charAt(next) === '{') exported = next;
    } else {
      const argument = argumentAt(text, end);
      if (argument !== undefined) return argument;
    }
  }
  return exported;
}

/** The object in `name<Types>({`. */
function argumentAt(text: string, at: number): number | undefined {
  let next = skipBlank(text, at);
  if (text.charAt(next) === '<') {
    const close = text.indexOf('>(', next);
    if (close === -1) return undefined;
    next = close + 1;
  }
  if (text.charAt(next) !== '(') return undefined;
  const argument = skipBlank(text, next + 1);
  return text.charAt(argument) === '{' ? argument : undefined;
}

interface Read {
  readonly outline: Outline;
  /** Behind the value. */
  readonly end: number;
}

function readValue(text: string, from: number, depth: number): Read {
  const start = skipBlank(text, from);
  const char = text.charAt(start);
  if (depth > MAX_DEPTH) return { outline: { start }, end: skipExpression(text, start) };
  if (char === '{') return readObject(text, start, depth);
  if (char === '[') return readArray(text, start, depth);
  const literalEnd = literalFrom(text, start);
  if (literalEnd !== undefined) {
    const behind = skipBlank(text, literalEnd);
    if (/[,)\]}]/.test(text.charAt(behind))) return { outline: { start, literalEnd }, end: behind };
  }
  return { outline: { start }, end: skipExpression(text, start) };
}

function literalFrom(text: string, at: number): number | undefined {
  const char = text.charAt(at);
  if (char === '`') return skipTemplate(text, at);
  return char === "'" || char === '"' ? skipString(text, at) : undefined;
}

function readObject(text: string, start: number, depth: number): Read {
  const entries = new Map<string, Outline>();
  let at = start + 1;
  for (;;) {
    const key = skipBlank(text, at);
    if (key >= text.length || text.charAt(key) === '}') {
      const end = skipExpression(text, Math.min(key + 1, text.length));
      return { outline: { start, entries }, end };
    }
    const named = readKey(text, key);
    const colon = skipBlank(text, named.end);
    let end: number;
    if (named.name !== undefined && text.charAt(colon) === ':') {
      const value = readValue(text, colon + 1, depth + 1);
      entries.set(named.name, { ...value.outline, key });
      end = value.end;
    } else {
      if (named.name !== undefined) entries.set(named.name, { start: key, key });
      end = skipExpression(text, key);
    }
    at = text.charAt(end) === ',' ? end + 1 : end;
    // Not an object after all: nothing moves on.
    if (at <= key) return { outline: { start, entries }, end: text.length };
  }
}

function readArray(text: string, start: number, depth: number): Read {
  const items: Outline[] = [];
  let at = start + 1;
  for (;;) {
    const item = skipBlank(text, at);
    if (item >= text.length || text.charAt(item) === ']') {
      const end = skipExpression(text, Math.min(item + 1, text.length));
      return { outline: { start, items }, end };
    }
    const value = readValue(text, item, depth + 1);
    // Behind a spread the positions are not the indexes any more.
    if (text.startsWith('...', item)) return { outline: { start }, end: skipExpression(text, start) };
    items.push(value.outline);
    at = text.charAt(value.end) === ',' ? value.end + 1 : value.end;
    if (at <= item) return { outline: { start, items }, end: text.length };
  }
}

function readKey(text: string, at: number): { readonly name?: string; readonly end: number } {
  const char = text.charAt(at);
  if (char === "'" || char === '"') {
    const end = skipString(text, at);
    return { name: text.slice(at + 1, end - 1), end };
  }
  const end = skipWord(text, at);
  const word = text.slice(at, end);
  const next = skipBlank(text, end);
  // A word before another one is a modifier of a method: `async run()`, `get name()`.
  if (end > at && /[\w$'"]/.test(text.charAt(next))) return readKey(text, next);
  return end > at ? { name: word, end } : { end: at };
}
