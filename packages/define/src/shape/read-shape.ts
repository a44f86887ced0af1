import { nearest, printPath } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import type { z } from 'zod';
import { guard } from '../guard.js';
import type { SourceFile } from '../source/source-file.js';

/** A problem before it has a place. */
export type Problem = Pick<Diagnostic, 'code' | 'severity' | 'message'>;

/** A problem at the place of a value. */
export function problemAt(source: SourceFile, path: readonly PropertyKey[], problem: Problem): Diagnostic {
  const { ref, line, column } = source.place(path);
  return { ...problem, file: ref, line, column, ...(path.length === 0 ? {} : { path: printPath(path) }) };
}

export interface ReadShape<Data> {
  /** Undefined when it does not fit. */
  readonly data: Data | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Judges a definition by its shape: every problem at once, each at its place. A key that is nearly a known one
 * is an error; any other unknown key is left out with a warning, because newer files may have it.
 */
export function readShape<Data>(source: SourceFile, shape: z.ZodType<Data>, value: unknown): ReadShape<Data> {
  const diagnostics: Diagnostic[] = [];
  let candidate = value;
  // Unknown keys are told once and taken out; what is left is judged again.
  for (let round = 0; round < 2; round += 1) {
    const parsed = shape.safeParse(candidate);
    if (parsed.success) {
      const isBad = diagnostics.some(({ severity }) => severity === 'error');
      return { data: isBad ? undefined : parsed.data, diagnostics };
    }
    const issues = parsed.error.issues.flatMap((issue) => flatten(issue));
    const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
    const wrong = issues.filter((issue) => issue.code !== 'unrecognized_keys');
    if (guard('check.shape', wrong.length > 0)) {
      for (const { path, message } of wrong) {
        const problem = {
          code: 'E_DEFINITION',
          severity: 'error',
          message: sentence(path, message),
        } as const;
        diagnostics.push(problemAt(source, path, problem));
      }
    }
    diagnostics.push(...unknown.flatMap((issue) => unknownKeys(source, shape, issue)));
    if (wrong.length > 0) return { data: undefined, diagnostics };
    candidate = withoutKeys(candidate, unknown);
  }
  return { data: undefined, diagnostics };
}

interface Issue {
  readonly code: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys: readonly string[];
}

/** A union's issue is that of the branch that fits best: the one with the fewest problems of its own. */
function flatten(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): readonly Issue[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const deep = issue.errors.filter((branch) =>
      branch.some((each) => each.path.length > 0 || each.code === 'unrecognized_keys'),
    );
    const [best] = deep.sort((a, b) => a.length - b.length);
    if (best !== undefined) return best.flatMap((each) => flatten(each, path));
  }
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return [{ code: issue.code, path, message: issue.message, keys }];
}

function unknownKeys(source: SourceFile, shape: z.ZodType, { path, keys }: Issue): readonly Diagnostic[] {
  const known = path.length === 0 && 'shape' in shape ? Object.keys(shape.shape as object) : KNOWN_INSIDE;
  return keys.map((key) => {
    const meant = nearest(key, known);
    const at = [...path, key];
    if (meant === undefined) {
      const message = `${printPath(at)} is no property of this definition, and is left out`;
      return problemAt(source, at, { code: 'W_DEFINITION_KEY', severity: 'warning', message });
    }
    const message = `${printPath(at)} is no property of this definition. Did you mean "${meant}"?`;
    return problemAt(source, at, { code: 'E_DEFINITION', severity: 'error', message });
  });
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
function withoutKeys(value: unknown, issues: readonly Issue[]): unknown {
  const copy = structuredClone(value);
  for (const { path, keys } of issues) {
    let here: unknown = copy;
    for (const step of path) here = (here as Record<PropertyKey, unknown> | undefined)?.[step];
    for (const key of keys) delete (here as Record<string, unknown>)[key];
  }
  return copy;
}
