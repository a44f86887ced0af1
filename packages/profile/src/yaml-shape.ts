import { type Diagnostic, nearest } from '@cuebook/prompt';
import type { z } from 'zod';

import type { Loaded } from './profile.js';
import { MAX_PROBLEMS, type YamlSource } from './yaml-source.js';

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
    diagnostics: parsed.error.issues
      .slice(0, MAX_PROBLEMS)
      .map((issue) => shapeProblem(yaml, schema, issue, code)),
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
