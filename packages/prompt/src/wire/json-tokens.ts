/** A container of a JSON text, or a value in one: how it is reached from the root. */
export interface JsonNode {
  readonly parent: JsonNode | undefined;
  /** The key or the index in the parent; empty for the root. */
  readonly key: string;
  readonly isItem: boolean;
}

/** A run of a JSON text. Tokens are sorted and gapless: blanks belong to the token before them. */
export interface JsonToken {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'key' | 'string' | 'literal' | 'mark';
  /** The value that the token is, or is the key of; for a mark, the container that it belongs to. */
  readonly node: JsonNode;
}

interface Open {
  readonly node: JsonNode;
  readonly isList: boolean;
  /** Of a list: the items so far. */
  count: number;
  key: string;
  wantsKey: boolean;
}

const LITERAL = /[^\s,\]}]+/y;
const BLANKS = /[\s]*/y;

/**
 * The tokens of a JSON text, or undefined for any other text. No recursion: depth costs memory, not stack. A text that
 * `JSON.parse` takes has exactly these tokens.
 */
export function jsonTokens(text: string): readonly JsonToken[] | undefined {
  if (!isJson(text)) return undefined;
  const tokens: JsonToken[] = [];
  const open: Open[] = [];
  const root: JsonNode = { parent: undefined, key: '', isItem: false };
  const valueNode = (): JsonNode => {
    const top = open.at(-1);
    if (top === undefined) return root;
    return { parent: top.node, key: top.isList ? String(top.count) : top.key, isItem: top.isList };
  };
  let at = skip(BLANKS, text, 0);
  const push = (kind: JsonToken['kind'], end: number, node: JsonNode): void => {
    const start = tokens.at(-1)?.end ?? 0;
    at = skip(BLANKS, text, end);
    tokens.push({ start, end: at, kind, node });
  };
  while (at < text.length) {
    const char = text[at] as string;
    const top = open.at(-1);
    if (char === '{' || char === '[') {
      const node = valueNode();
      open.push({ node, isList: char === '[', count: 0, key: '', wantsKey: char === '{' });
      push('mark', at + 1, node);
    } else if (char === '}' || char === ']') {
      const { node } = open.pop() as Open;
      push('mark', at + 1, node);
    } else if (char === ',') {
      const { node } = top as Open;
      if (top?.isList) top.count += 1;
      else (top as Open).wantsKey = true;
      push('mark', at + 1, node);
    } else if (char === ':') push('mark', at + 1, (top as Open).node);
    else if (char === '"') {
      const end = stringEnd(text, at);
      if (top?.wantsKey) {
        top.wantsKey = false;
        top.key = JSON.parse(text.slice(at, end)) as string;
        push('key', end, valueNode());
      } else push('string', end, valueNode());
    } else push('literal', skip(LITERAL, text, at), valueNode());
  }
  return tokens;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const quote = text.indexOf('"', at);
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote;
  }
}
