/** A run of a literal's text: as it stands in the source, or decoded from an escape. */
export interface LiteralRun {
  readonly text: string;
  /** Where it starts in the source. */
  readonly at: number;
  readonly verbatim: boolean;
}

/**
 * The runs of the string or template literal in `source[start, end)`, in order: their texts end to end are its
 * value. Undefined for a template with expressions, whose value only running it tells.
 */
export function literalRuns(source: string, start: number, end: number): readonly LiteralRun[] | undefined {
  const isTemplate = source.charAt(start) === '`';
  const runs: LiteralRun[] = [];
  const add = (text: string, at: number, verbatim: boolean): void => {
    if (text !== '') runs.push({ text, at, verbatim });
  };
  const close = end - 1;
  for (let at = start + 1; at < close; ) {
    const next = nextSpecial(source, at, close, isTemplate);
    if (next > at) add(source.slice(at, next), at, true);
    if (next >= close) break;
    if (source.charAt(next) === '$') return undefined;
    if (source.charAt(next) === '\r') {
      // A template's line ends are line feeds, however the file ends its lines.
      const length = source.charAt(next + 1) === '\n' ? 2 : 1;
      add('\n', next, false);
      at = next + length;
      continue;
    }
    const escaped = readEscape(source, next, close);
    add(escaped.text, next, false);
    at = escaped.end;
  }
  return runs;
}

function nextSpecial(source: string, at: number, close: number, isTemplate: boolean): number {
  for (let next = at; next < close; next += 1) {
    const char = source.charAt(next);
    if (char === '\\') return next;
    if (isTemplate && (char === '\r' || (char === '$' && source.charAt(next + 1) === '{'))) return next;
  }
  return close;
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};

/** What a backslash stands for. One that no engine takes is itself: the value then differs from the real one. */
function readEscape(
  source: string,
  at: number,
  close: number,
): { readonly text: string; readonly end: number } {
  const rest = source.slice(at + 1, Math.min(close, at + 12));
  const code = /^x([\da-f]{2})|^u([\da-f]{4})|^u\{([\da-f]{1,6})\}/i.exec(rest);
  if (code !== null) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
    const text = point <= 0x10ffff ? String.fromCodePoint(point) : '';
    return { text, end: at + 1 + code[0].length };
  }
  if (rest.startsWith('\r\n')) return { text: '', end: at + 3 };
  if (rest.startsWith('\n') || rest.startsWith('\r')) return { text: '', end: at + 2 };
  const char = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
  return { text: Object.hasOwn(SIMPLE, char) ? (SIMPLE[char] as string) : char, end: at + 1 + char.length };
}
