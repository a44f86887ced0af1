/** One string literal of a JSON text: its place between the quotes, and what it stands for. */
export interface JsonLiteral {
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
  /** Which object it is a key or a value of, counted from 0; -1 for values outside of objects. */
  readonly object: number;
  /** Which literal is the key that a value stands under, in a list too; -1 for keys and where there is none. */
  readonly key: number;
}

/** The string literals of a text that is one JSON document, or undefined when it is not one. No recursion. */
export function literalsOf(text: string): readonly JsonLiteral[] | undefined {
  const first = skipSpace(text, 0);
  const opener = text.charCodeAt(first);
  if (opener !== 123 && opener !== 91 && opener !== 34) return undefined;
  const last = text.trimEnd().charCodeAt(text.trimEnd().length - 1);
  if (last !== (opener === 34 ? 34 : opener + 2)) return undefined;
  return parse(text, first);
}

type Expect = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'done';

function parse(text: string, from: number): readonly JsonLiteral[] | undefined {
  const literals: JsonLiteral[] = [];
  /** Open containers: the number of the object, or -1 for an array. */
  const open: number[] = [];
  /** The key that each of them stands under, and last the one that the next value does. */
  const keys: number[] = [-1];
  let objects = 0;
  let expect: Expect = 'value';
  let at = from;
  const afterValue = (): Expect => (open.length === 0 ? 'done' : 'comma-or-end');
  const close = (): Expect => {
    open.pop();
    keys.pop();
    return afterValue();
  };
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) return expect === 'done' ? literals : undefined;
    const code = text.charCodeAt(at);
    const container = open.length > 0 ? open[open.length - 1]! : -2;
    switch (expect) {
      case 'done':
        return undefined;
      case 'colon':
        if (code !== 58) return undefined;
        expect = 'value';
        at += 1;
        break;
      case 'comma-or-end':
        if (code === 44) expect = container >= 0 ? 'key' : 'value';
        else if (code === (container >= 0 ? 125 : 93)) expect = close();
        else return undefined;
        at += 1;
        break;
      case 'key':
      case 'key-or-end': {
        if (code === 125 && expect === 'key-or-end') {
          expect = close();
          at += 1;
          break;
        }
        const end = code === 34 ? stringEnd(text, at + 1) : -1;
        if (end === -1) return undefined;
        keys[keys.length - 1] = literals.length;
        literals.push({ start: at + 1, end, isKey: true, object: container, key: -1 });
        expect = 'colon';
        at = end + 1;
        break;
      }
      case 'value':
      case 'value-or-end': {
        if (code === 93 && expect === 'value-or-end') {
          expect = close();
          at += 1;
          break;
        }
        if (code === 123 || code === 91) {
          open.push(code === 123 ? objects++ : -1);
          keys.push(keys[keys.length - 1]!);
          expect = code === 123 ? 'key-or-end' : 'value-or-end';
          at += 1;
          break;
        }
        if (code === 34) {
          const end = stringEnd(text, at + 1);
          if (end === -1) return undefined;
          const key = keys[keys.length - 1]!;
          literals.push({ start: at + 1, end, isKey: false, object: Math.max(-1, container), key });
          at = end + 1;
        } else {
          SCALAR.lastIndex = at;
          const scalar = SCALAR.exec(text)?.[0];
          if (scalar === undefined) return undefined;
          at += scalar.length;
        }
        expect = afterValue();
      }
    }
  }
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at += 1;
  }
}

/** The closing quote, or -1 when the string is not a valid one. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) return at;
    if (code < 32) return -1;
    if (code !== 92) continue;
    const escaped = text.charAt(at + 1);
    if (escaped === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) return -1;
      at += 5;
    } else if ('"\\/bfnrt'.includes(escaped) && escaped !== '') at += 1;
    else return -1;
  }
  return -1;
}

/** What a literal stands for, and the way from places in it back to places in the text. */
export interface DecodedLiteral {
  readonly value: string;
  /** The place in the text of the decoded unit `at`; `at` may be the length. */
  placeOf(at: number): number;
}

export function decodeLiteral(text: string, { start, end }: JsonLiteral): DecodedLiteral {
  const raw = text.slice(start, end);
  if (!raw.includes('\\')) return { value: raw, placeOf: (at) => start + at };
  const parts: string[] = [];
  /** Where each decoded escape is, and how many source units the text is longer up to and with it. */
  const escapes: { readonly at: number; readonly extra: number }[] = [];
  let length = 0;
  let extra = 0;
  let from = 0;
  for (let at = raw.indexOf('\\'); at !== -1; at = raw.indexOf('\\', from)) {
    const size = raw.charAt(at + 1) === 'u' ? 6 : 2;
    parts.push(raw.slice(from, at), JSON.parse(`"${raw.slice(at, at + size)}"`) as string);
    length += at - from + 1;
    extra += size - 1;
    escapes.push({ at: length - 1, extra });
    from = at + size;
  }
  parts.push(raw.slice(from));
  return { value: parts.join(''), placeOf: (at) => start + at + extraBefore(escapes, at) };
}

/** The extra of the last escape that lies wholly before `at`. */
function extraBefore(
  escapes: readonly { readonly at: number; readonly extra: number }[],
  at: number,
): number {
  let low = 0;
  let high = escapes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (escapes[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : escapes[low - 1]!.extra;
}

/** A string as it stands between the quotes of a literal. */
export const encodeLiteral = (value: string): string => JSON.stringify(value).slice(1, -1);
