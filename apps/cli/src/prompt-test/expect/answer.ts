import { schemaProblems } from '@cuebook/profile/answer-schema';
import type { JsonValue } from '@cuebook/prompt';
import type { AnswerChecks } from '../case-file.js';
import { type Failed, short } from './failed.js';
import { checkForm } from './form.js';
import { checkText } from './text.js';
import { lacks, valueAt } from './value.js';

/** What came back from a model, or from a whole run. */
export interface GivenAnswer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly args: JsonValue }[];
  /** Why it failed, when it did. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** What an answer lacks of what is expected. One that failed is wrong unless its error is expected. */
export function checkAnswer(answer: GivenAnswer, checks: AnswerChecks): readonly Failed[] {
  const { equals, json, schema, calls, error } = checks;
  if (answer.error?.code !== error) {
    const told = answer.error ? `it failed: ${answer.error.code} ${answer.error.message}` : 'it did not fail';
    return [{ path: 'answer.error', message: told }];
  }
  return [
    ...checkText(answer.text, checks, 'answer'),
    ...checkForm(answer.text, checks, 'answer'),
    ...(equals !== undefined && equals.trimEnd() !== answer.text.trimEnd()
      ? [{ path: 'answer.equals', message: `it is "${short(answer.text, 300)}"` }]
      : []),
    ...(json === undefined && schema === undefined ? [] : checkJson(answer.text, { json, schema })),
    ...(calls === undefined ? [] : checkCalls(answer.calls, calls)),
  ];
}

function checkJson(
  text: string,
  { json = {}, schema }: Pick<AnswerChecks, 'json' | 'schema'>,
): readonly Failed[] {
  const parsed = parse(text);
  if (parsed === undefined) {
    return [{ path: 'answer.json', message: `it is not JSON: "${short(text)}"` }];
  }
  const paths = Object.entries(json).flatMap(([path, expected]): Failed[] => {
    const missing = lacks(valueAt(parsed.value, path), expected, path);
    return missing === undefined ? [] : [{ path: `answer.json.${path}`, message: missing }];
  });
  return [...paths, ...(schema === undefined ? [] : checkSchema(parsed.value, schema))];
}

/** The whole answer, or the one block of code in it, as JSON. */
function parse(text: string): { readonly value: unknown } | undefined {
  const fenced = /```(?:json)?\n([^`]*)```/.exec(text)?.[1];
  for (const each of [text, ...(fenced === undefined ? [] : [fenced])]) {
    try {
      return { value: JSON.parse(each) as unknown };
    } catch {
      // The next one may be JSON.
    }
  }
  return undefined;
}

function checkSchema(value: unknown, schema: NonNullable<AnswerChecks['schema']>): readonly Failed[] {
  const path = 'answer.schema';
  if (hasPattern(schema)) return [{ path, message: 'patterns are not taken here: use matches' }];
  const problems = schemaProblems(schema, value);
  if (typeof problems === 'string')
    return [{ path, message: `it is no schema that can be used: ${problems}` }];
  return problems.map((message) => ({ path, message }));
}

/** Nobody bounds the time that a pattern inside a schema takes. */
const hasPattern = (schema: JsonValue): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  Object.entries(schema).some(
    ([key, each]) => key === 'pattern' || key === 'patternProperties' || hasPattern(each),
  );

function checkCalls(
  calls: GivenAnswer['calls'],
  expected: NonNullable<AnswerChecks['calls']>,
): readonly Failed[] {
  const path = 'answer.calls';
  const names = calls.map(({ name }) => name);
  if (expected.length === 0) {
    return names.length === 0
      ? []
      : [{ path, message: `no call is expected, and it calls ${names.join(', ')}` }];
  }
  return expected.flatMap(({ name, args }, index): Failed[] => {
    const same = calls.filter((call) => call.name === name);
    const misses = same.map((call) => (args === undefined ? undefined : lacks(call.args, args)));
    if (misses.includes(undefined) && same.length > 0) return [];
    const why =
      same.length === 0 ? `it calls ${names.join(', ') || 'nothing'}` : `of its arguments ${misses[0]}`;
    return [{ path: `${path}[${index}]`, message: `${name} is not called so: ${why}` }];
  });
}
