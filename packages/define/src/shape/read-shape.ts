import { guard } from '@cuebook/guard';
import { type Diagnostic, hasErrors, nearest } from '@cuebook/prompt';
import { flatIssues, printPath, type ShapeIssue, sketchOf } from '@cuebook/yaml';
import type { z } from 'zod';
import type { SourceFile } from '../source/source-file.js';

/** A problem before it has a place. */
export type Problem = Pick<Diagnostic, 'code' | 'severity' | 'message'>;

/** A problem at the place of a value. */
export function problemAt(source: SourceFile, path: readonly PropertyKey[], problem: Problem): Diagnostic {
  const { ref, line, column } = source.place(path);
  return { ...problem, file: ref, line, column, ...(path.length === 0 ? {} : { path: printPath(path) }) };
}

export interface ReadDefinitionShape<Data> {
  /** Undefined when it does not fit. */
  readonly data: Data | undefined;
  /** What fits of one that does not; see `sketchOf`. */
  readonly sketch?: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Judges a definition by its shape: every problem at once, each at its place. A key that is nearly a known one
 * is an error; any other unknown key is left out with a warning, because newer files may have it.
 */
export function readShape<Data>(
  source: SourceFile,
  shape: z.ZodType<Data>,
  value: unknown,
): ReadDefinitionShape<Data> {
  const first = shape.safeParse(value);
  if (first.success) return { data: first.data, diagnostics: [] };
  const issues = first.error.issues.flatMap((issue) => flatIssues(issue));
  const unknown = issues.filter(({ unknownKey }) => unknownKey !== undefined);
  // Unknown keys are told once and taken out; what is left is judged again.
  const known = withoutKeys(value, unknown);
  const second = shape.safeParse(known);
  const again = second.success ? [] : second.error.issues.flatMap((issue) => flatIssues(issue));
  const wrong = unique([...issues, ...again].filter(({ unknownKey }) => unknownKey === undefined));
  const diagnostics: Diagnostic[] = [];
  if (guard('check.shape', wrong.length > 0)) {
    for (const { path, message } of wrong) {
      const problem = { code: 'E_DEFINITION', severity: 'error', message: sentence(path, message) } as const;
      diagnostics.push(problemAt(source, path, problem));
    }
  }
  diagnostics.push(...unknown.map((issue) => unknownKey(source, shape, issue)));
  if (second.success && !hasErrors(diagnostics)) return { data: second.data, diagnostics };
  return { data: undefined, sketch: sketchOf(shape, known), diagnostics };
}

const unique = (issues: readonly ShapeIssue[]): readonly ShapeIssue[] => [
  ...new Map(issues.map((issue) => [`${printPath(issue.path)} ${issue.message}`, issue])).values(),
];

function unknownKey(source: SourceFile, shape: z.ZodType, { path }: ShapeIssue): Diagnostic {
  const known = path.length === 1 && 'shape' in shape ? Object.keys(shape.shape as object) : KNOWN_INSIDE;
  const meant = nearest(String(path.at(-1)), known);
  if (meant === undefined) {
    const message = `${printPath(path)} is no property of this definition, and is left out`;
    return problemAt(source, path, { code: 'W_DEFINITION_KEY', severity: 'warning', message });
  }
  const message = `${printPath(path)} is no property of this definition. Did you mean "${meant}"?`;
  return problemAt(source, path, { code: 'E_DEFINITION', severity: 'error', message });
}

/** Keys of the objects inside definitions, for suggestions. */
const KNOWN_INSIDE = [
  ...['type', 'content', 'prompt', 'property', 'name', 'env', 'options', 'required', 'description', 'scoped'],
  ...['includeTextResponse', 'includeToolCalls', 'includeErrors', 'initUserMessageProperty'],
  ...['initAttachmentsProperty', 'initAgentNameProperty', 'blocking', 'immediate', 'optional', 'resumable'],
  ...[
    'receives_messages',
    'maxInstances',
    'parentCommunication',
    'effort',
    'maxTokens',
    'exclude',
    'include',
  ],
  ...['vision', 'reasoning', 'toolCalls', 'contextLength', 'maxOutputTokens'],
  ...['label', 'stopOnResponse', 'stopTool', 'stopToolResponseProperty', 'maxSteps'],
  ...['sessionStop', 'sessionFail', 'sessionStatus', 'messageProperty', 'attachmentsProperty'],
];

const sentence = (path: readonly PropertyKey[], message: string): string =>
  path.length === 0 ? `The definition does not fit: ${message}` : `${printPath(path)}: ${message}`;

/** A copy without the keys that the issues name. */
function withoutKeys(value: unknown, issues: readonly ShapeIssue[]): unknown {
  const copy = structuredClone(value);
  for (const { path } of issues) {
    let here: unknown = copy;
    for (const step of path.slice(0, -1)) here = (here as Record<PropertyKey, unknown> | undefined)?.[step];
    if (typeof here === 'object' && here !== null)
      delete (here as Record<PropertyKey, unknown>)[path.at(-1) as PropertyKey];
  }
  return copy;
}
