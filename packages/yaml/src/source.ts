import type { Diagnostic, Labels, Piece, Place } from '@cuebook/prompt';
import { type Document, isScalar, LineCounter, visit } from 'yaml';
import { codePointCounter } from './code-points.js';
import { indexNodes, type NodeIndex } from './nodes.js';
import { parseYaml, type YamlDialect } from './parse.js';
import { scalarPieces } from './scalar-pieces.js';

/** A YAML document that remembers where each value stands. */
export interface YamlSource {
  readonly file: string;
  readonly value: unknown;
  /** Where the value at a path stands; the nearest parent that is there when it is missing. */
  readonly place: (path: readonly PropertyKey[]) => Place;
  /** A text value as labelled pieces, each on one line of the source and at its place there. */
  readonly pieces: (path: readonly PropertyKey[], labels: Labels) => readonly Piece[];
  /** The numbers of the whole document, as they are written and as they were read. */
  readonly numbers: () => readonly WrittenNumber[];
}

interface WrittenNumber {
  readonly written: string;
  readonly value: number;
  readonly place: Place;
}

/** What a set of documents read together holds: whatever could be read, and what is wrong with the rest. */
export interface YamlDocuments {
  readonly documents: readonly YamlSource[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One document, or what is wrong with it and what could be read of it all the same. */
export type ReadYaml =
  | { readonly ok: true; readonly value: YamlSource; readonly diagnostics: readonly [] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[]; readonly rest?: YamlSource };

/** Reads one YAML document. Depth, merge keys and aliases are bounded, and size where asked; nothing is executed. */
export function readYaml(
  file: string,
  text: string,
  code: string,
  { maxBytes = Number.POSITIVE_INFINITY, ...dialect }: YamlDialect & { readonly maxBytes?: number } = {},
): ReadYaml {
  const places = placesOf(file, text);
  if (Buffer.byteLength(text) > maxBytes) {
    const message = `The text is longer than ${maxBytes} bytes`;
    return { ok: false, diagnostics: [{ code, severity: 'error', message, file }] };
  }
  const parsed = parseYaml(text, places.counter, dialect);
  if (parsed === undefined) return { ok: false, diagnostics: tooDeep(places, code) };
  const { source, diagnostics } = readOnly(parsed, places, code);
  if (source !== undefined && diagnostics.length === 0) return { ok: true, value: source, diagnostics: [] };
  return { ok: false, diagnostics, ...(source === undefined ? {} : { rest: source }) };
}

/** Reads every document of a YAML stream; empty ones are left out. Lines count from the top of the stream. */
export function readYamlDocuments(
  file: string,
  text: string,
  code: string,
  dialect: YamlDialect = {},
): YamlDocuments {
  const places = placesOf(file, text);
  const parsed = parseYaml(text, places.counter, dialect);
  if (parsed === undefined) return { documents: [], diagnostics: tooDeep(places, code) };
  const documents: YamlSource[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const document of parsed) {
    const { source, diagnostics: found } = readDocument(document, places, code);
    diagnostics.push(...found);
    if (source !== undefined && source.value !== null) documents.push(source);
  }
  return { documents, diagnostics };
}

/** A part of a document as a source of its own, such as one item of a list. */
export function yamlWithin(yaml: YamlSource, path: readonly PropertyKey[]): YamlSource {
  let value = yaml.value;
  for (const key of path) value = (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key];
  return {
    file: yaml.file,
    value,
    place: (below) => yaml.place([...path, ...below]),
    pieces: (below, labels) => yaml.pieces([...path, ...below], labels),
    numbers: yaml.numbers,
  };
}

interface Places {
  readonly file: string;
  readonly text: string;
  readonly counter: LineCounter;
  readonly at: (offset: number) => Place;
}

function placesOf(file: string, text: string): Places {
  const counter = new LineCounter();
  const codePoints = codePointCounter(text);
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { ref: file, line, column: 1 + codePoints(offset - col + 1, offset) };
  };
  return { file, text, counter, at };
}

/** What was read of a document: nothing when it is no YAML, and in part when its keys repeat. */
interface ReadDocument {
  readonly source?: YamlSource;
  readonly diagnostics: readonly Diagnostic[];
}

/** The one document there is; a text without any holds null. */
function readOnly(parsed: readonly Document[], places: Places, code: string): ReadDocument {
  const [document, second] = parsed;
  if (document === undefined) {
    const source = {
      file: places.file,
      value: null,
      place: () => places.at(0),
      pieces: () => [],
      numbers: () => [],
    };
    return { source, diagnostics: [] };
  }
  const read = readDocument(document, places, code);
  if (second === undefined) return read;
  const more = problemAt(places.at(second.range?.[0] ?? 0), code, 'The file holds more than one document');
  return { ...read, diagnostics: [...read.diagnostics, more] };
}

function readDocument(document: Document, places: Places, code: string): ReadDocument {
  const { at, file, text } = places;
  const problem = (offset: number, message: string): Diagnostic => problemAt(at(offset), code, message);
  if (document.errors.length > 0) {
    return { diagnostics: listed(document.errors, ({ message, pos }) => problem(pos[0], message)) };
  }
  const start = document.contents?.range?.[0] ?? document.range?.[0] ?? 0;
  let nodes: NodeIndex;
  let value: unknown;
  try {
    nodes = indexNodes(document);
    value = document.toJS({ maxAliasCount: 100 });
    if (holdsItself(value))
      return { diagnostics: [problem(start, 'An alias stands inside of its own anchor')] };
  } catch (error) {
    if (error instanceof RangeError) return { diagnostics: [problem(start, TOO_DEEP)] };
    const unknown = error instanceof ReferenceError && /unresolved alias/i.test(error.message);
    const why = unknown ? 'An alias names no anchor' : 'The document repeats itself through too many aliases';
    return { diagnostics: [problem(start, why)] };
  }
  const source: YamlSource = {
    file,
    value,
    place: (path) => at((nodes.find(path) ?? nodes.nearest(path))?.range?.[0] ?? start),
    pieces: (path, labels) => {
      const node = nodes.find(path);
      return isScalar(node) ? scalarPieces(node, text, at, labels) : [];
    },
    numbers: () => numbersIn(document, at),
  };
  const diagnostics = listed(nodes.repeated, (offset) => problem(offset, 'Map keys must be unique'));
  return { source, diagnostics };
}

function numbersIn(document: Document, at: (offset: number) => Place): readonly WrittenNumber[] {
  const found: WrittenNumber[] = [];
  visit(document, {
    Scalar: (_key, { value, source, range }) => {
      if (typeof value === 'number' && source !== undefined)
        found.push({ written: source, value, place: at(range?.[0] ?? 0) });
    },
  });
  return found;
}

/** Whether a value is inside of itself: readers that follow it would never end. */
function holdsItself(value: unknown, above = new Set<unknown>(), done = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || done.has(value)) return false;
  if (above.has(value)) return true;
  above.add(value);
  const isCircle = Object.values(value).some((inner) => holdsItself(inner, above, done));
  above.delete(value);
  done.add(value);
  return isCircle;
}

/** More problems of one document than this are counted. */
const MAX_PROBLEMS = 100;

/** Each problem of a document; past a hundred the last says how many more there are. */
export function listed<Item>(
  items: readonly Item[],
  tell: (item: Item) => Diagnostic,
): readonly Diagnostic[] {
  const told = items.slice(0, MAX_PROBLEMS).map(tell);
  const last = told.at(-1);
  const rest = items.length - told.length;
  if (last === undefined || rest === 0) return told;
  return [
    ...told.slice(0, -1),
    { ...last, message: `${last.message}. ${rest} more problems are like these` },
  ];
}

const TOO_DEEP = 'The document is nested too deep';

const tooDeep = ({ at }: Places, code: string): Diagnostic[] => [problemAt(at(0), code, TOO_DEEP)];

const problemAt = ({ ref, line, column }: Place, code: string, message: string): Diagnostic => ({
  code,
  severity: 'error',
  message,
  file: ref,
  ...(line ? { line } : {}),
  ...(column ? { column } : {}),
});
