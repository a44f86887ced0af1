import { isMap, isPair, isScalar, isSeq, type Node, parseAllDocuments, visit } from 'yaml';

/** A part of a source, in UTF-16 offsets. */
export interface Construct {
  readonly start: number;
  readonly end: number;
}

/** How a source is made up, as far as one of its bytes needs it. */
export interface Constructs {
  /** Whether what begins at `start` (an action, an escape, a value, a property, a name) holds the byte. */
  readonly holds: (start: number, at: number) => boolean;
  /** The smallest value or property that holds the byte; undefined in a text that is made of nothing but words. */
  readonly around: (at: number) => Construct | undefined;
  /** The smallest value or property of data that holds the byte. */
  readonly value: (at: number) => Construct | undefined;
  /**
   * Of a byte that is no word but a key, a mark or an indent: what it delimits. A line end is one with the indent, and
   * makes what begins behind it a property or an item. A trim mark of an action delimits the blanks that it takes away.
   */
  readonly delimits: (at: number) => readonly Construct[];
}

/** Reads the constructs of a file by what its name says that it is. */
export function constructsOf(file: string, text: string): Constructs {
  const isYaml = /\.(?:ya?ml|json)$/.test(file);
  const { nodes, words } = isYaml ? yamlNodes(text) : { nodes: codeNodes(file, text), words: [] };
  const small = [...matches(text, /\{\{.*?\}\}/gs), ...matches(text, ESCAPE), ...matches(text, FOLD)];
  const all = [...nodes, ...small];
  const begun = isCode(file) ? [...all, ...matches(text, NAME), ...matches(text, DEFINITION)] : all;
  const isIn = (at: number) => (each: Construct) => each.start <= at && at < each.end;
  const smallest = (list: readonly Construct[], at: number): Construct | undefined =>
    list.filter(isIn(at)).sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  return {
    holds: (start, at) => begun.some((each) => each.start === start && isIn(at)(each)),
    around: (at) => smallest(all, at),
    value: (at) => smallest(nodes, at),
    delimits: (at) => {
      const trimmed = [...matches(text, TRIM_BEFORE), ...matches(text, TRIM_BEHIND)].filter(isIn(at));
      if (text[at] === '\n')
        return [
          ...trimmed,
          ...matches(text, FOLD).filter(isIn(at)),
          ...nodes.filter(({ start }) => start === at),
        ];
      const held = !isYaml || words.some(isIn(at)) ? undefined : smallest(nodes, at);
      return held === undefined ? trimmed : [...trimmed, held];
    },
  };
}

const NAME = /[\w$]+/g;
/** What a definition leaves out has the place of all of it. */
const DEFINITION = /(?<=\bdefine\w+\()\{.*\}(?=\))/gs;
const ESCAPE = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[\s\S])/gi;
const FOLD = /[ \t]*\n[ \t\n]*/g;

/** A trim mark with the blanks that it takes away, on either side of an action. */
const TRIM_BEFORE = /\s*\{\{-(?=\s)/g;
const TRIM_BEHIND = /(?<=\s)-\}\}\s*/g;

const matches = (text: string, pattern: RegExp): readonly Construct[] =>
  [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));

const isCode = (file: string): boolean => /\.[cm]?[jt]s$/.test(file);

/** Literals of code, and properties that hold one or a list. */
const codeNodes = (file: string, text: string): readonly Construct[] =>
  isCode(file)
    ? [
        ...matches(text, /(?:\b\w+: )?(?:'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/gs),
        ...matches(text, /\b\w+:.?\[[^\]]*\]/g),
      ]
    : [];

interface YamlNodes {
  /** Values, and the properties and items that hold them from their line's start on; not the whole document. */
  readonly nodes: readonly Construct[];
  /** What is said, without quotes, marks and indents. */
  readonly words: readonly Construct[];
}

function yamlNodes(text: string): YamlNodes {
  const nodes: Construct[] = [];
  const words: Construct[] = [];
  const add = (key: unknown, value: unknown): void => {
    const first = (isNode(key) ? key : isNode(value) ? value : undefined)?.range?.[0];
    const range = isNode(value) ? value.range : undefined;
    if (first === undefined) return;
    const end = range?.[2] ?? (isNode(key) ? key.range?.[2] : undefined) ?? first;
    const line = text.lastIndexOf('\n', first - 1) + 1;
    const isFirst = /^[ \t-]*$/.test(text.slice(line, first));
    // The line end before a property is what makes it one.
    nodes.push({ start: first, end }, { start: isFirst ? Math.max(0, line - 1) : first, end });
    if (range) nodes.push({ start: range[0], end: range[2] });
    if (isScalar(value) && range) words.push(...wordsOf(text, value.type ?? 'PLAIN', range[0], range[1]));
  };
  for (const document of parseAllDocuments(text)) {
    if (!('contents' in document)) continue;
    visit(document, {
      Pair: (_at, pair) => add(pair.key, pair.value),
      Seq: (_at, seq) => {
        for (const item of seq.items) if (!isPair(item)) add(undefined, item);
      },
    });
  }
  return { nodes, words };
}

const isNode = (value: unknown): value is Node => isScalar(value) || isMap(value) || isSeq(value);

function wordsOf(text: string, type: string, start: number, end: number): readonly Construct[] {
  if (type === 'PLAIN') return [{ start, end }];
  if (type.startsWith('QUOTE')) return [{ start: start + 1, end: end - 1 }];
  const head = text.indexOf('\n', start) + 1;
  const lines = matches(text.slice(head, end), /[^\n]*\n?/g).filter((each) => each.start < each.end);
  const indents = lines.map((each) => text.slice(head + each.start).search(/[^ ]/));
  const indent = Math.min(
    ...indents.filter((_, index) => text.slice(head, end).split('\n')[index]?.trim() !== ''),
  );
  return lines.map((each) => ({
    start: Math.min(head + each.start + indent, head + each.end),
    end: head + each.end,
  }));
}
