import { type Diagnostic, fail, ok, type Result } from '@cuebook/prompt';
import type { z } from 'zod';
import { readYamlText, type YamlText, type YamlTextOptions } from './yaml-text.js';

/** A YAML or JSON text in the shape of a schema, or every place that does not fit, each with its line. */
export function readShape<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  options: YamlTextOptions,
): Result<z.infer<Schema>, readonly Diagnostic[]> {
  const yaml = readYamlText(text, options);
  if (!yaml.ok) return yaml;
  const parsed = schema.safeParse(yaml.value.value);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.slice(0, MAX_PROBLEMS);
  return fail(issues.flatMap((issue) => problemsOf(issue, yaml.value, options.code)));
}

const MAX_PROBLEMS = 100;

function problemsOf(issue: z.core.$ZodIssue, yaml: YamlText, code: string): readonly Diagnostic[] {
  if (issue.code !== 'unrecognized_keys') return [problem(issue.path, issue.message, yaml, code)];
  return issue.keys.map((key) => problem([...issue.path, key], `"${key}" is not a key here`, yaml, code));
}

function problem(path: readonly PropertyKey[], why: string, yaml: YamlText, code: string): Diagnostic {
  const place = printPath(path);
  return {
    code,
    severity: 'error',
    message: `${place || 'The document'}: ${why}`,
    ...yaml.place(path),
    ...(place === '' ? {} : { path: place }),
  };
}

/** `lanes.worker[2].text` */
const printPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
