import { guard } from '@cuebook/guard';
import { findHalf, HALF } from './characters.js';
import { type LineColumn, lastAtMost, lineIndex, type MappedText } from './mapped.js';

/** A JSON value that knows its place. */
export type PlacedJson =
  | { readonly kind: 'string'; readonly value: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'scalar';
      readonly value: number | boolean | null;
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly kind: 'array';
      readonly items: readonly PlacedJson[];
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly kind: 'object';
      readonly entries: ReadonlyMap<string, PlacedJson>;
      readonly start: number;
      readonly end: number;
    };

export interface JsonDocument {
  readonly root: PlacedJson;
  readonly at: (offset: number) => LineColumn;
  /** The text of a string node, each character at its place in the file. */
  readonly mapped: (node: PlacedJson & { readonly kind: 'string' }) => MappedText;
  /** The numbers, as they are written and as they were read. */
  readonly numbers: readonly JsonNumber[];
}

export interface JsonNumber {
  readonly written: string;
  readonly value: number;
  readonly start: number;
}

export type ReadJson =
  | { readonly ok: true; readonly value: JsonDocument }
  | { readonly ok: false; readonly at: LineColumn; readonly message: string };

/** Deeper documents are refused. */
const MAX_DEPTH = 200;

/** Reads JSON (RFC 8259) with places. A key that is given twice is an error, and so is anything past the depth limit. */
export function readJson(text: string): ReadJson {
  const at = lineIndex(text);
  try {
    const parser = new Parser(text);
    const root = parser.document();
    return {
      ok: true,
      value: { root, at, mapped: (node) => mappedString(text, node, at), numbers: parser.numbers },
    };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { ok: false, at: at(error.offset), message: error.message };
  }
}

/** The value of a node as plain data. A key `__proto__` is a key like any other. */
export function plainValue(node: PlacedJson): unknown {
  if (node.kind === 'array') return node.items.map(plainValue);
  if (node.kind !== 'object') return node.value;
  return Object.fromEntries([...node.entries].map(([key, value]) => [key, plainValue(value)]));
}

/** The value of a key of an object node. */
export const member = (node: PlacedJson | undefined, key: string): PlacedJson | undefined =>
  node?.kind === 'object' ? node.entries.get(key) : undefined;

/** The text of a string node. */
export const stringOf = (node: PlacedJson | undefined): string | undefined =>
  node?.kind === 'string' ? node.value : undefined;

/** The items of an array node. */
export const itemsOf = (node: PlacedJson | undefined): readonly PlacedJson[] =>
  node?.kind === 'array' ? node.items : [];

class JsonProblem extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

class Parser {
  readonly numbers: JsonNumber[] = [];
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): PlacedJson {
    const root = this.#value();
    this.#blanks();
    if (this.#at < this.#text.length) throw new JsonProblem(this.#at, 'Nothing may follow the JSON value');
    return root;
  }

  #value(): PlacedJson {
    this.#blanks();
    const char = this.#text[this.#at];
    if (char === '{') return this.#nested(() => this.#object());
    if (char === '[') return this.#nested(() => this.#array());
    if (char === '"') return this.#string();
    return this.#scalar();
  }

  #nested(read: () => PlacedJson): PlacedJson {
    this.#depth += 1;
    if (guard('adopt.depth', this.#depth > MAX_DEPTH))
      throw new JsonProblem(this.#at, 'The JSON is nested too deep');
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #object(): PlacedJson {
    const start = this.#at;
    const entries = new Map<string, PlacedJson>();
    this.#at += 1;
    this.#blanks();
    if (this.#text[this.#at] === '}') return { kind: 'object', entries, start, end: ++this.#at };
    for (;;) {
      this.#blanks();
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw new JsonProblem(keyAt, 'A key in double quotes is expected');
      const key = this.#string();
      this.#blanks();
      if (this.#text[this.#at] !== ':') throw new JsonProblem(this.#at, 'A colon is expected after a key');
      this.#at += 1;
      const value = this.#value();
      const name = key.kind === 'string' ? key.value : '';
      if (guard('adopt.keys', entries.has(name))) throw new JsonProblem(keyAt, 'The key is given twice');
      entries.set(name, value);
      if (this.#next('}')) return { kind: 'object', entries, start, end: this.#at };
    }
  }

  #array(): PlacedJson {
    const start = this.#at;
    const items: PlacedJson[] = [];
    this.#at += 1;
    this.#blanks();
    if (this.#text[this.#at] === ']') return { kind: 'array', items, start, end: ++this.#at };
    for (;;) {
      items.push(this.#value());
      if (this.#next(']')) return { kind: 'array', items, start, end: this.#at };
    }
  }

  /** Past a comma, or past the end of a list: true. */
  #next(close: string): boolean {
    this.#blanks();
    const char = this.#text[this.#at];
    if (char !== ',' && char !== close) throw new JsonProblem(this.#at, `A comma or ${close} is expected`);
    this.#at += 1;
    return char === close;
  }

  #string(): PlacedJson {
    const start = this.#at;
    let at = start + 1;
    let isPlain = true;
    for (;;) {
      const code = this.#text.charCodeAt(at);
      if (Number.isNaN(code)) throw new JsonProblem(start, 'The string is not closed');
      if (code === 0x22) break;
      if (code < 0x20) throw new JsonProblem(at, 'A control character must be escaped inside of a string');
      if (code === 0x5c) {
        isPlain = false;
        at += 1;
      }
      at += 1;
    }
    const end = at + 1;
    this.#at = end;
    if (isPlain) return { kind: 'string', value: this.#text.slice(start + 1, at), start, end };
    let value: string;
    try {
      value = JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      throw new JsonProblem(start, 'The string holds an escape that JSON does not know');
    }
    if (guard('adopt.half', findHalf(value) >= 0)) throw new JsonProblem(start, HALF);
    return { kind: 'string', value, start, end };
  }

  #scalar(): PlacedJson {
    const start = this.#at;
    SCALAR.lastIndex = start;
    const found = SCALAR.exec(this.#text)?.[0];
    if (found === undefined) {
      const isOver = start >= this.#text.length;
      throw new JsonProblem(start, isOver ? 'The JSON ends too early' : 'This is not a JSON value');
    }
    this.#at = start + found.length;
    const value = JSON.parse(found) as number | boolean | null;
    if (guard('adopt.infinite', value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY))
      throw new JsonProblem(start, 'The number is too large: nothing can send it');
    if (typeof value === 'number') this.numbers.push({ written: found, value, start });
    return { kind: 'scalar', value, start, end: this.#at };
  }

  #blanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

function mappedString(
  text: string,
  node: PlacedJson & { readonly kind: 'string' },
  at: (offset: number) => LineColumn,
): MappedText {
  let runs: { readonly value: number[]; readonly source: number[] } | undefined;
  return {
    text: node.value,
    at: (offset) => {
      runs ??= escapesOf(text, node.start + 1, node.end - 1);
      const index = lastAtMost(runs.value, offset);
      return at((runs.source[index] ?? 0) + offset - (runs.value[index] ?? 0));
    },
  };
}

/** Where each run between escapes begins, in the value and in the source. */
function escapesOf(text: string, start: number, end: number): { value: number[]; source: number[] } {
  const value = [0];
  const source = [start];
  let decoded = 0;
  for (let at = start; at < end; at += 1) {
    if (text[at] === '\\') {
      at += text[at + 1] === 'u' ? 5 : 1;
      value.push(decoded + 1);
      source.push(at + 1);
    }
    decoded += 1;
  }
  return { value, source };
}
