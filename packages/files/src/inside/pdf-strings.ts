/** The strings of PDF syntax, `(…)` and `<…>`, in their order, a byte for each character. */
export function pdfStrings(source: string): readonly string[] {
  const strings: string[] = [];
  for (let at = 0; at < source.length; ) {
    const code = source.charCodeAt(at);
    if (code === OPEN) {
      const { text, end } = literal(source, at + 1);
      strings.push(text);
      at = end;
    } else if (code === LESS && source.charCodeAt(at + 1) !== LESS) {
      const end = source.indexOf('>', at);
      const hex = end === -1 ? '' : source.slice(at + 1, end).replace(/\s/g, '');
      if (hex !== '' && /^[0-9a-fA-F]+$/.test(hex))
        strings.push(Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex').toString('latin1'));
      at = end === -1 ? at + 1 : end + 1;
    } else at += code === LESS ? 2 : 1;
  }
  return strings;
}

const OPEN = 0x28;
const LESS = 0x3c;

function literal(source: string, from: number): { readonly text: string; readonly end: number } {
  let text = '';
  let depth = 1;
  let at = from;
  for (; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === '\\') {
      const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
      if (octal !== undefined) {
        text += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
        at += octal.length;
        continue;
      }
      const next = source.charAt(at + 1);
      text += ESCAPES[next] ?? next;
      at += next === '\r' && source.charAt(at + 2) === '\n' ? 2 : 1;
      continue;
    }
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (depth === 0) break;
    text += char;
  }
  return { text, end: at + 1 };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '\n': '',
  '\r': '',
};

/** What the codes of a font stand for. */
export interface CodeMap {
  /** Bytes of one code. */
  readonly width: 1 | 2;
  readonly texts: ReadonlyMap<number, string>;
}

/** The map that a font brings along for readers, where a stream is one. */
export function codeMap(source: string): CodeMap | undefined {
  if (!/beginbf(?:char|range)/.test(source)) return undefined;
  const texts = new Map<number, string>();
  let width: 1 | 2 = 1;
  const put = (code: number, text: string): void => {
    if (texts.size < MAX_CODES) texts.set(code, text);
  };
  for (const [, body = ''] of source.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, from = '', to = ''] of body.matchAll(/<([0-9a-fA-F\s]+)>\s*<([0-9a-fA-F\s]+)>/g)) {
      if (from.replace(/\s/g, '').length > 2) width = 2;
      put(Number.parseInt(from.replace(/\s/g, ''), 16), utf16(to));
    }
  for (const [, body = ''] of source.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first = '', last = '', to = '', list = ''] of body.matchAll(RANGE)) {
      if (first.trim().length > 2) width = 2;
      const start = Number.parseInt(first, 16);
      const end = Math.min(Number.parseInt(last, 16), start + 0xffff);
      const named = [...list.matchAll(/<([0-9a-fA-F\s]+)>/g)].map(([, each = '']) => utf16(each));
      const base = utf16(to);
      const tail = base.charCodeAt(base.length - 1);
      for (let code = start; code <= end; code += 1)
        put(
          code,
          to === ''
            ? (named[code - start] ?? '')
            : base.slice(0, -1) + String.fromCharCode(tail + code - start),
        );
    }
  return { width, texts };
}

const MAX_CODES = 65_536;
const RANGE = /<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*(?:<([0-9a-fA-F\s]+)>|\[([^\]]*)\])/g;

const utf16 = (hex: string): string => {
  const bytes = Buffer.from(hex.replace(/\s/g, '').padStart(4, '0'), 'hex');
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
};

/** Codes of a string as text. */
export function mapped(text: string, { width, texts }: CodeMap): string {
  let told = '';
  for (let at = 0; at + width <= text.length; at += width) {
    const code = width === 1 ? text.charCodeAt(at) : text.charCodeAt(at) * 256 + text.charCodeAt(at + 1);
    told += texts.get(code) ?? '';
  }
  return told;
}
