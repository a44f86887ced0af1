import type { Result } from './result.js';
import { Float } from './value/number.js';
import type { Value } from './value/value.js';

/** Why a text is no JSON, and where, in UTF-16 units. */
export interface JsonError {
  readonly message: string;
  readonly index: number;
}

/**
 * Reads JSON as Go values: `1` is an int, `1.0`, `1e3` and what no int holds are float64, objects are maps. Nested
 * values stand on a list, not on the stack, so that any depth can be read.
 */
export function readJson(text: string): Result<Value, JsonError> {
  const open: Container[] = [];
  let at = 0;

  const failed = (message: string): Result<Value, JsonError> => ({
    ok: false,
    error: { message, index: at },
  });

  for (;;) {
    at = passSpace(text, at);
    const container = open.at(-1);
    const isClosing = container && text[at] === container.close;
    if (isClosing && !container.isAfterComma) {
      at++;
      open.pop();
      if (open.length === 0) return finish(text, at, container.value);
    } else {
      if (container && !container.isEmpty && !container.isAfterComma) {
        if (text[at] !== ',') return failed(`expected , or ${container.close}`);
        at = passSpace(text, at + 1);
        container.isAfterComma = true;
        continue;
      }
      let key = '';
      if (container?.close === '}') {
        const name = readToken(STRING, text, at);
        if (name === undefined) return failed('expected a string');
        at = passSpace(text, at + name.length);
        if (text[at] !== ':') return failed('expected :');
        key = readString(name);
        at = passSpace(text, at + 1);
      }
      const value = readValue(text, at);
      if (!value) return failed('expected a value');
      at = value.end;
      if (container) {
        container.add(key, value.value);
        container.isEmpty = false;
        container.isAfterComma = false;
      } else if (!value.opened) return finish(text, at, value.value);
      if (value.opened) open.push(value.opened);
    }
  }
}

/** An object or array whose end is not read yet. */
interface Container {
  readonly close: '}' | ']';
  readonly value: Value;
  readonly add: (key: string, value: Value) => void;
  isEmpty: boolean;
  isAfterComma: boolean;
}

interface Read {
  readonly value: Value;
  readonly end: number;
  readonly opened?: Container;
}

function readValue(text: string, at: number): Read | undefined {
  const first = text[at];
  if (first === '{') {
    const map = new Map<string, Value>();
    return opened('}', map, at, (key, value) => map.set(key, value));
  }
  if (first === '[') {
    const items: Value[] = [];
    return opened(']', items, at, (_, value) => items.push(value));
  }
  if (first === '"') {
    const token = readToken(STRING, text, at);
    return token === undefined ? undefined : { value: readString(token), end: at + token.length };
  }
  const word = readToken(WORD, text, at);
  if (word !== undefined) return { value: WORDS[word] ?? null, end: at + word.length };
  const number = readToken(NUMBER, text, at);
  return number === undefined ? undefined : { value: readNumber(number), end: at + number.length };
}

const opened = (close: '}' | ']', value: Value, at: number, add: Container['add']): Read => ({
  value,
  end: at + 1,
  opened: { close, value, add, isEmpty: true, isAfterComma: false },
});

const finish = (text: string, at: number, value: Value): Result<Value, JsonError> => {
  const end = passSpace(text, at);
  if (end === text.length) return { ok: true, value };
  return { ok: false, error: { message: 'something stands behind the value', index: end } };
};

function passSpace(text: string, at: number): number {
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at++;
  return at;
}

/** A string token; half a character in it is no text, and becomes U+FFFD. */
const readString = (token: string): string => (JSON.parse(token) as string).toWellFormed();

function readNumber(token: string): Value {
  const value = Number(token);
  if (/[.eE]/.test(token)) return new Float(value);
  if (Number.isSafeInteger(value)) return value + 0;
  const int = BigInt(token);
  return BigInt.asIntN(64, int) === int ? int : new Float(value);
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };
const WORD = /true|false|null/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

function readToken(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
