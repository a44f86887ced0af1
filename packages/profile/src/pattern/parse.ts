/** What a pattern is made of. */
export type PatternNode =
  | { readonly kind: 'char'; readonly test: (char: string) => boolean }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number };

/** Why a text is no pattern that can be matched in linear time. */
export class PatternFault extends Error {}

/** Groups may nest no deeper than this. */
const MAX_DEPTH = 50;

/**
 * Reads a pattern of JavaScript (flag `u`): characters, escapes, classes, groups, choices, `^`, `$` and counts. Back
 * references, look-around and lazy counts are faults. Throws a `PatternFault`.
 */
export function parsePattern(text: string): PatternNode {
  const reader = { text, at: 0 };
  const node = parseChoice(reader, 0);
  if (reader.at < text.length) throw new PatternFault('a ) closes nothing');
  return node;
}

interface Reader {
  readonly text: string;
  at: number;
}

function parseChoice(reader: Reader, depth: number): PatternNode {
  if (depth > MAX_DEPTH) throw new PatternFault('groups nest too deep');
  const nodes = [parseSequence(reader, depth)];
  while (peek(reader) === '|') {
    reader.at += 1;
    nodes.push(parseSequence(reader, depth));
  }
  return nodes.length === 1 ? (nodes[0] as PatternNode) : { kind: 'choice', nodes };
}

function parseSequence(reader: Reader, depth: number): PatternNode {
  const nodes: PatternNode[] = [];
  for (let char = peek(reader); char !== undefined && char !== '|' && char !== ')'; char = peek(reader)) {
    nodes.push(parseCount(reader, parseAtom(reader, char, depth)));
  }
  return { kind: 'sequence', nodes };
}

function parseAtom(reader: Reader, char: string, depth: number): PatternNode {
  if (char === '(') return parseGroup(reader, depth);
  if (char === '[') return single(reader, CLASS);
  if (char === '\\') return single(reader, ESCAPE);
  if ('*+?{}]'.includes(char))
    throw new PatternFault(`${char} stands where nothing can be counted or closed`);
  reader.at += char.length;
  if (char === '.') return { kind: 'char', test: (each) => /^.$/u.test(each) };
  if (char === '^') return { kind: 'start' };
  if (char === '$') return { kind: 'end' };
  return { kind: 'char', test: (each) => each === char };
}

function parseGroup(reader: Reader, depth: number): PatternNode {
  reader.at += 1;
  if (peek(reader) === '?') {
    if (!reader.text.startsWith('?:', reader.at)) {
      throw new PatternFault('of groups with (? only (?: ) is taken');
    }
    reader.at += 2;
  }
  const node = parseChoice(reader, depth + 1);
  if (peek(reader) !== ')') throw new PatternFault('a ( is not closed');
  reader.at += 1;
  return node;
}

const COUNT = /[*+?]|\{(\d{1,4})(,(\d{1,4})?)?\}/y;

function parseCount(reader: Reader, node: PatternNode): PatternNode {
  const found = matchAt(COUNT, reader);
  if (found === null) return node;
  if (node.kind === 'start' || node.kind === 'end') throw new PatternFault('^ and $ cannot be counted');
  const [sign = '', least = '', many, most] = found;
  const next = peek(reader);
  if (next !== undefined && '*+?{'.includes(next))
    throw new PatternFault('a count cannot be lazy or counted');
  if (sign === '*') return { kind: 'repeat', node, min: 0, max: Number.POSITIVE_INFINITY };
  if (sign === '+') return { kind: 'repeat', node, min: 1, max: Number.POSITIVE_INFINITY };
  if (sign === '?') return { kind: 'repeat', node, min: 0, max: 1 };
  const min = Number(least);
  const max = many === undefined ? min : most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  if (max < min) throw new PatternFault('a count ends before it begins');
  return { kind: 'repeat', node, min, max };
}

/** A class up to its closing bracket; brackets in it are escaped. */
const CLASS = /\[\^?(?:[^\]\\]|\\[\s\S])*\]/uy;

/** Escapes that stand for one character. `\b`, `\1` and `\k` do not. */
const ESCAPE =
  /\\(?:[dDwWsSnrtfv0^$\\.*+?()[\]{}|/]|[pP]\{[\w=]{1,60}\}|x[\da-fA-F]{2}|u\{[\da-fA-F]{1,6}\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4})/uy;

/** What JavaScript itself knows of one character. */
function single(reader: Reader, shape: RegExp): PatternNode {
  const [source] = matchAt(shape, reader) ?? [];
  if (source === undefined) {
    throw new PatternFault(shape === CLASS ? 'a [ is not closed' : 'an escape is not one that is taken');
  }
  const known = compiled(source);
  return { kind: 'char', test: (char) => known.test(char) };
}

function compiled(source: string): RegExp {
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    throw new PatternFault('a class or an escape is none of JavaScript');
  }
}

function matchAt(shape: RegExp, reader: Reader): RegExpExecArray | null {
  shape.lastIndex = reader.at;
  const found = shape.exec(reader.text);
  if (found !== null) reader.at += found[0].length;
  return found;
}

const peek = ({ text, at }: Reader): string | undefined => {
  const code = text.codePointAt(at);
  return code === undefined ? undefined : String.fromCodePoint(code);
};
