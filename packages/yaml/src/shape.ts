import { type Diagnostic, nearest } from '@cuebook/prompt';
import type { z } from 'zod';

import { sketchOf } from './sketch.js';
import { listed, type YamlSource } from './source.js';

/** A value in the shape of a schema, or a diagnostic for each place that does not fit and what does fit. */
export type ReadShape<Value> =
  | { readonly ok: true; readonly value: Value; readonly diagnostics: readonly [] }
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /** See `sketchOf`: fields may be missing, lists may have holes. Undefined when nothing fits. */
      readonly sketch: unknown;
    };

/** The value in the shape of a schema, or a diagnostic for each place that does not fit. */
export function readShape<Schema extends z.ZodType>(
  yaml: YamlSource,
  schema: Schema,
  code: string,
): ReadShape<z.infer<Schema>> {
  const parsed = schema.safeParse(yaml.value);
  if (parsed.success) return { ok: true, value: parsed.data, diagnostics: [] };
  const issues = parsed.error.issues.flatMap((issue) => flatIssues(issue));
  return {
    ok: false,
    diagnostics: listed(issues, (issue) => shapeProblem(yaml, schema, issue, code)),
    sketch: sketchOf(schema, yaml.value),
  };
}

/** One thing that does not fit: for a key that is not known, the path leads to it. */
export interface ShapeIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly unknownKey?: string;
}

/** An issue with each unknown key apart. Of a union it is that of the form that fits best: with the fewest problems. */
export function flatIssues(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[] = [],
): readonly ShapeIssue[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const deep = issue.errors.filter((branch) =>
      branch.some((each) => each.path.length > 0 || each.code === 'unrecognized_keys'),
    );
    const [best] = [...deep].sort((a, b) => weight(a) - weight(b));
    if (best !== undefined) return best.flatMap((each) => flatIssues(each, path));
    return [{ path, message: unionMessage(issue) }];
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: issue.message, unknownKey: key }));
  }
  const why = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ path, message: why }];
}

/** What each form of a union wants at its place, unless its schema says it in words of its own. */
function unionMessage(issue: Extract<z.core.$ZodIssue, { readonly code: 'invalid_union' }>): string {
  const wanted = [...new Set(wantedBy(issue))];
  if (issue.message !== 'Invalid input' || wanted.length === 0) return issue.message;
  const last = wanted.at(-1);
  return `Invalid input: expected ${wanted.length === 1 ? last : `${wanted.slice(0, -1).join(', ')} or ${last}`}`;
}

function wantedBy(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_union') return issue.errors.flatMap((branch) => branch.flatMap(wantedBy));
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value) ?? 'nothing');
  if (issue.code === 'invalid_type') return [TYPES[issue.expected] ?? issue.expected];
  return [issue.message];
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const weight = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, each) => sum + (each.code === 'unrecognized_keys' ? each.keys.length : 1), 0);

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

function shapeProblem(
  yaml: YamlSource,
  schema: z.ZodType,
  { path, message, unknownKey }: ShapeIssue,
  code: string,
): Diagnostic {
  if (unknownKey === undefined) {
    const words = `${printPath(path) || 'The document'}: ${message}`;
    return diagnosticAt(yaml, path, { code, severity: 'error', message: words });
  }
  const meant = nearest(unknownKey, knownKeys(schema, path.slice(0, -1)));
  const words = `"${unknownKey}" is not a key here${meant === undefined ? '' : `. Did you mean "${meant}"?`}`;
  return diagnosticAt(yaml, path, { code, severity: 'error', message: words });
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
