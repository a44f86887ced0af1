import type { MarkedRequest, WireMark, WireSource } from './marked.js';

/** A run of a decoded string of a body, in UTF-16 offsets, and what it was made of. */
export interface LeafRun {
  readonly start: number;
  readonly end: number;
  /** Undefined: words of the format itself. */
  readonly source: WireSource | undefined;
  /** Where in the source's text the run begins; undefined: the source as a whole. */
  readonly at?: number;
  /** How often the text is escaped within the string: 1 in JSON that stands in the string as text. */
  readonly escapes: 0 | 1;
}

export interface LeafOptions {
  /** The string as it is sent. */
  readonly real: string;
  /** The same string of the marked request. */
  readonly marked: string;
  readonly marks: MarkedRequest['marks'];
  readonly pattern: RegExp;
  /** The arguments of a call as text. */
  readonly argsOf: (source: WireSource) => string | undefined;
}

/**
 * The runs of a string that holds marks; gapless. Undefined when it holds none. Where the serialiser changed a text
 * (a vendor wants no blanks at the end), the run is what is left of it; where it cannot be told, the whole string is
 * the first source's.
 */
export function leafRuns({
  real,
  marked,
  marks,
  pattern,
  argsOf,
}: LeafOptions): readonly LeafRun[] | undefined {
  const found = [...marked.matchAll(pattern)];
  if (found.length === 0) return undefined;
  const runs: LeafRun[] = [];
  let end = 0;
  const push = (length: number, run: Omit<LeafRun, 'start' | 'end'>): void => {
    if (length > 0) runs.push({ start: end, end: end + length, ...run });
    end += length;
  };
  let cursor = 0;
  let expected = '';
  for (const [index, match] of found.entries()) {
    const mark = marks.get(match[0]) as WireMark;
    const { source, text, place } = mark;
    const before = marked.slice(cursor, match.index);
    cursor = match.index + match[0].length;
    if (place === 'instead') {
      push(before.length, { source: undefined, escapes: 0 });
      const isAlone = found.length === 1 && before === '' && cursor === marked.length;
      const spelled = isAlone ? real : text;
      // A tool whose name the vendor takes has it as its source does; any other name is made from it.
      const isOwn = source.kind === 'tool' && spelled === text;
      push(spelled.length, { source, ...(isOwn && { at: 0 }), escapes: 0 });
      expected += before + spelled;
      const args = source.kind === 'call' && source.field === 'name' ? argsOf(source) : undefined;
      const next = marked.slice(cursor, found[index + 1]?.index);
      if (args !== undefined && next.startsWith(` ${args}`)) {
        push(1, { source: undefined, escapes: 0 });
        push(args.length, { source: { ...source, field: 'args' } as WireSource, escapes: 0 });
        expected += ` ${args}`;
        cursor += args.length + 1;
      }
    } else if (place === 'before') {
      push(before.length, { source: undefined, escapes: 0 });
      push(text.length, { source, at: 0, escapes: 0 });
      expected += before + text;
      cursor += text.length;
    } else {
      const spelled = before.endsWith(text) ? text : JSON.stringify(text).slice(1, -1);
      if (!before.endsWith(spelled)) return whole(real, mark);
      push(before.length - spelled.length, { source: undefined, escapes: 0 });
      push(spelled.length, { source, at: 0, escapes: spelled === text ? 0 : 1 });
      expected += before;
    }
  }
  push(marked.length - cursor, { source: undefined, escapes: 0 });
  expected += marked.slice(cursor);
  return expected === real ? runs : whole(real, marks.get((found[0] as RegExpExecArray)[0]) as WireMark);
}

/** The string as what is left of one text, or as that text's in some way. */
function whole(real: string, { source, text }: WireMark): readonly LeafRun[] {
  const at = text.indexOf(real);
  return [{ start: 0, end: real.length, source, ...(at >= 0 && { at }), escapes: 0 }];
}
