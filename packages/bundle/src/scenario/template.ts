import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { codePoints } from '../card/points.js';
import type { Scenario, ScenarioPlaceholder } from './scenario.js';

/** A run of a filled template: its own words, or what was put in for a placeholder. */
export interface Filled {
  readonly text: string;
  readonly placeholder?: ScenarioPlaceholder;
}

/** `E_FILL`: every value that does not fit the placeholders of a template. */
export interface FillError {
  readonly code: 'E_FILL';
  readonly scenario: string;
  readonly problems: readonly FillProblem[];
}

export interface FillProblem {
  readonly name: string;
  readonly problem: 'missing' | 'unknown' | 'not-a-score' | 'not-a-date' | 'too-long' | 'not-unicode';
}

/** In code points, for one value. */
export const VALUE_LIMIT = 32_000;

/**
 * The template with its placeholders filled in one pass: what was put in is never looked at again, and braces
 * around anything but a declared name are plain text. A value that is not required may be left out.
 */
export function fillTemplate(
  scenario: Pick<Scenario, 'id' | 'template' | 'placeholders'>,
  values: Readonly<Record<string, string>>,
): Result<readonly Filled[], FillError> {
  const problems = valueProblems(scenario.placeholders, values);
  if (problems.length > 0) return fail({ code: 'E_FILL', scenario: scenario.id, problems });
  return ok(
    templateParts(scenario).flatMap((part): Filled[] => {
      if (part.placeholder === undefined) return [part];
      const { name } = part.placeholder;
      const text = Object.hasOwn(values, name) ? (values[name] as string) : '';
      return text === '' ? [] : [{ text, placeholder: part.placeholder }];
    }),
  );
}

/** The template as one string. */
export const filledText = (parts: readonly Filled[]): string => parts.map(({ text }) => text).join('');

/** The template's own words and its placeholders, in order. The text of a placeholder is its name in braces. */
export function templateParts({
  template,
  placeholders,
}: Pick<Scenario, 'template' | 'placeholders'>): readonly Filled[] {
  const declared = new Map(placeholders.map((placeholder) => [placeholder.name, placeholder]));
  return template
    .split(/(\{[a-z][a-z0-9_]*\})/)
    .filter((text) => text !== '')
    .map((text) => {
      const placeholder = text.startsWith('{') ? declared.get(text.slice(1, -1)) : undefined;
      return placeholder === undefined ? { text } : { text, placeholder };
    });
}

function valueProblems(
  placeholders: readonly ScenarioPlaceholder[],
  values: Readonly<Record<string, string>>,
): readonly FillProblem[] {
  const unknown = Object.keys(values)
    .filter((name) => guard('fill.undeclared', !placeholders.some((each) => each.name === name)))
    .map((name): FillProblem => ({ name, problem: 'unknown' }));
  const unfit = placeholders.flatMap(({ name, kind, required }): FillProblem[] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === '') return required ? [{ name, problem: 'missing' }] : [];
    const problem = valueProblem(kind, value);
    return problem === undefined ? [] : [{ name, problem }];
  });
  return [...unknown, ...unfit];
}

function valueProblem(kind: ScenarioPlaceholder['kind'], value: string): FillProblem['problem'] | undefined {
  if (!value.isWellFormed()) return 'not-unicode';
  if (kind === 'score') return /^(?:100|\d{1,2})(?:\.\d{1,4})?$/.test(value) ? undefined : 'not-a-score';
  if (kind === 'date') return isDate(value) ? undefined : 'not-a-date';
  return codePoints(value) > VALUE_LIMIT ? 'too-long' : undefined;
}

/** A day that there is, as `2026-11-15`. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
