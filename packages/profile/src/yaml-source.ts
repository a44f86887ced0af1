import type { Diagnostic, Labels, Piece, Place } from '@cuebook/prompt';
import { isScalar, LineCounter, parseDocument, type Scalar } from 'yaml';
import type { z } from 'zod';
import { nearest } from './nearest.js';
import type { Loaded } from './profile.js';

/** A YAML document that remembers where each value stands. */
export interface YamlSource {
  readonly file: string;
  readonly value: unknown;
  /** Where the value at a path stands; the nearest parent that is there when it is missing. */
  readonly place: (path: readonly PropertyKey[]) => Place;
  /** A text value as labelled pieces that know their lines: each line of a literal block is a piece. */
  readonly pieces: (path: readonly PropertyKey[], labels: Labels) => readonly Piece[];
}

/** Reads one YAML document. Merge keys and aliases are bounded, nothing is executed. */
export function readYaml(file: string, text: string, code: string): Loaded<YamlSource> {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { ref: file, line, column: codePoints(text, offset, col) };
  };
  const problem = (offset: number, message: string): Diagnostic => {
    const { line, column } = at(offset);
    return {
      code,
      severity: 'error',
      message,
      file,
      ...(line ? { line } : {}),
      ...(column ? { column } : {}),
    };
  };
  if (document.errors.length > 0) {
    return { ok: false, diagnostics: document.errors.map(({ message, pos }) => problem(pos[0], message)) };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    return { ok: false, diagnostics: [problem(0, 'The document repeats itself through too many aliases')] };
  }
  const nodeAt = (path: readonly PropertyKey[]): RangedNode | undefined => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (isRanged(node)) return node;
    }
    return undefined;
  };
  const place: YamlSource['place'] = (path) => at(nodeAt(path)?.range?.[0] ?? 0);
  const pieces: YamlSource['pieces'] = (path, labels) => {
    const node = document.getIn(path, true);
    return isScalar(node) ? scalarPieces(node, text, at, labels) : [];
  };
  return { ok: true, value: { file, value, place, pieces }, diagnostics: [] };
}

/** The value in the shape of a schema, or a diagnostic for each place that does not fit. */
export function readShape<Schema extends z.ZodType>(
  yaml: YamlSource,
  schema: Schema,
  code: string,
): Loaded<z.infer<Schema>> {
  const parsed = schema.safeParse(yaml.value);
  if (parsed.success) return { ok: true, value: parsed.data, diagnostics: [] };
  return {
    ok: false,
    diagnostics: parsed.error.issues.map((issue) => shapeProblem(yaml, schema, issue, code)),
  };
}

/** `blocks[2].parts[0]` */
export const printPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (out, key) =>
      typeof key === 'number' ? `${out}[${key}]` : out === '' ? String(key) : `${out}.${String(key)}`,
    '',
  );

/** A diagnostic at a place of a YAML source. */
export function diagnosticAt(
  yaml: YamlSource,
  path: readonly PropertyKey[],
  problem: Pick<Diagnostic, 'code' | 'severity' | 'message'>,
): Diagnostic {
  const { ref, line, column } = yaml.place(path);
  return {
    ...problem,
    file: ref,
    ...(line ? { line } : {}),
    ...(column ? { column } : {}),
    path: printPath(path),
  };
}

interface RangedNode {
  readonly range?: readonly [number, number, number] | null;
}

const isRanged = (node: unknown): node is RangedNode =>
  typeof node === 'object' && node !== null && 'range' in node;

function shapeProblem(
  yaml: YamlSource,
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
  code: string,
): Diagnostic {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknown === undefined) {
    const why = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    const message = `${printPath(issue.path) || 'The document'}: ${why}`;
    return diagnosticAt(yaml, issue.path, { code, severity: 'error', message });
  }
  const meant = nearest(unknown, knownKeys(schema, issue.path));
  const message = `"${unknown}" is not a key here${meant === undefined ? '' : `. Did you mean "${meant}"?`}`;
  return diagnosticAt(yaml, [...issue.path, unknown], { code, severity: 'error', message });
}

/** The keys that a schema knows at a path, as far as it can be followed through objects, arrays and records. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let current: unknown = schema;
  for (const key of path) {
    const { shape, element, valueType } = inner(current);
    current = typeof key === 'number' ? element : (shape?.[String(key)] ?? valueType);
  }
  return Object.keys(inner(current).shape ?? {});
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
  readonly valueType?: unknown;
}

function inner(schema: unknown): SchemaParts {
  const def = (
    schema as { def?: SchemaParts & { innerType?: unknown; options?: readonly unknown[] } } | undefined
  )?.def;
  if (def?.innerType !== undefined) return inner(def.innerType);
  if (def?.options !== undefined) {
    return { shape: Object.assign({}, ...def.options.map((option) => inner(option).shape ?? {})) };
  }
  return def ?? {};
}

function scalarPieces(
  node: Scalar,
  source: string,
  at: (offset: number) => Place,
  labels: Labels,
): readonly Piece[] {
  const start = node.range?.[0] ?? 0;
  const text = String(node.value);
  if (text === '') return [];
  if (node.type === 'BLOCK_LITERAL') {
    const literal = literalPieces(text, source, start, at, labels);
    if (literal !== undefined) return literal;
  }
  const isQuoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE';
  const from = start + (isQuoted ? 1 : 0);
  const kind = source.startsWith(text, from) ? 'file' : 'value';
  return [{ text, origin: { kind, ...at(kind === 'file' ? from : start) }, ...labels }];
}

/** One piece a line, each at its own place; undefined when a line is not verbatim in the source. */
function literalPieces(
  text: string,
  source: string,
  start: number,
  at: (offset: number) => Place,
  labels: Labels,
): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let offset = source.indexOf('\n', start) + 1;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const end = source.indexOf('\n', offset);
    const raw = source.slice(offset, end === -1 ? source.length : end).replace(/\r$/, '');
    const content = line.replace(/\n$/, '');
    if (!raw.endsWith(content)) return undefined;
    pieces.push({
      text: line,
      origin: { kind: 'file', ...at(offset + raw.length - content.length) },
      ...labels,
    });
    if (end === -1) break;
    offset = end + 1;
  }
  return pieces.map((piece) => piece.text).join('') === text ? pieces : undefined;
}

/** The column in code points of a line position counted in UTF-16 units. */
function codePoints(text: string, offset: number, col: number): number {
  return [...text.slice(offset - col + 1, offset)].length + 1;
}
