import type { InputBook } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftCases, DraftSheet } from '../draft.js';
import type { LineColumn } from '../text/mapped.js';
import { anyCase, escaped } from './promptfoo-asserts.js';
import { isMap, type PlainMap } from './yaml-source.js';

interface CaseReading {
  readonly report: Reporter;
  readonly book: InputBook;
  readonly at: (...path: readonly PropertyKey[]) => LineColumn;
}

/** The cases of a prompt file, and the keys of which something has no place in them. */
export interface GithubCases {
  readonly cases: readonly DraftCases[];
  readonly lost: readonly string[];
}

/**
 * `testData` and `evaluators` as cases, with the rules of `gh models eval`: an answer counts without the white space around
 * it, `equals` is exact, and the other evaluators ignore case. Each check without a form in a case is named.
 */
export function githubCasesOf(
  { name, inputs }: Pick<DraftSheet, 'name' | 'inputs'>,
  { testData, evaluators }: PlainMap,
  { report, book, at }: CaseReading,
): GithubCases {
  const lost = new Set<string>();
  const lose = (message: string, ...path: readonly PropertyKey[]): void => {
    report.warning('W_IMPORT_CASE', at(...path), message);
    lost.add(String(path[0]));
  };
  const rows = listOf(testData, 'testData', lose);
  const matches = listOf(evaluators, 'evaluators', lose).flatMap((each, index) => {
    const pattern = patternOf(each);
    if ('why' in pattern) lose(`An evaluator was not kept: ${pattern.why}`, 'evaluators', index);
    return 'why' in pattern ? [] : [pattern.matches];
  });
  const unused = new Set<string>();
  const cases = rows.flatMap((row, index) => {
    if (!isMap(row)) {
      lose('This row is not a map of values; it was not kept', 'testData', index);
      return [];
    }
    const set: Record<string, string> = Object.create(null);
    for (const [key, given] of Object.entries(row)) {
      const input = book.names.given.get(key);
      const value = shownValue(given);
      if (input === undefined || !inputs.has(input)) unused.add(key);
      else if ('why' in value)
        lose(`The value of ${quote(key)} ${value.why}; it was not kept`, 'testData', index, key);
      else set[input] = value.text;
    }
    for (const input of inputs.keys())
      if (!Object.hasOwn(set, input) && !Object.hasOwn(row, input))
        lose(`This row has no value for ${quote(input)}`, 'testData', index);
    const about = Object.keys(set).length === 0 ? {} : { with: { set: { ...set } } };
    const checks = matches.length === 0 ? { request: { snapshot: true } } : { answer: { matches } };
    return [{ name: `test ${index + 1}`, ...about, ...checks }];
  });
  if (unused.size > 0) {
    const names = [...unused].map((key) => quote(key)).join(', ');
    report.info(
      'W_IMPORT_CASE',
      at('testData'),
      `No message asks for ${names}: kept under meta, and in no case`,
    );
    lost.add('testData');
  }
  if (cases.length > 0 && matches.length > 0)
    report.info(
      'W_IMPORT_CASE',
      at('evaluators'),
      'The checks of answers are for evals, which ask the provider that --provider names',
    );
  if (cases.length === 0 && matches.length > 0) lose('Without test data no evaluator is asked', 'evaluators');
  const made = { name, target: `sheet:${name}`, ...(matches.length > 0 ? { takes: 1 } : {}), cases };
  return { cases: cases.length === 0 ? [] : [made], lost: [...lost] };
}

type Lose = (message: string, ...path: readonly PropertyKey[]) => void;

function listOf(value: unknown, key: string, lose: Lose): readonly unknown[] {
  if (value !== undefined && value !== null && !Array.isArray(value)) lose('This is not a list', key);
  return Array.isArray(value) ? value : [];
}

/** A value as `gh models eval` puts it into a text. One that names a variable again is filled a second time there. */
function shownValue(given: unknown): { readonly text: string } | { readonly why: string } {
  if (typeof given === 'string')
    return given.includes('{{') ? { why: 'holds a variable of its own' } : { text: given };
  if (typeof given === 'boolean' || Number.isSafeInteger(given)) return { text: String(given) };
  return { why: 'is not one text' };
}

const KINDS = ['equals', 'contains', 'startsWith', 'endsWith'] as const;

/** The pattern of an evaluator: the first of its conditions counts. */
function patternOf(evaluator: unknown): { readonly matches: string } | { readonly why: string } {
  const { string } = isMap(evaluator) ? evaluator : { string: undefined };
  if (!isMap(string)) return { why: 'only those under "string" are checked without a model' };
  const given = KINDS.filter((kind) => string[kind] !== undefined && string[kind] !== '');
  const others = Object.keys(string).filter((key) => !KINDS.some((kind) => kind === key));
  const [kind] = given;
  const text = kind === undefined ? undefined : string[kind];
  if (kind === undefined || given.length > 1 || others.length > 0)
    return { why: `it needs one of ${KINDS.join(', ')}` };
  if (typeof text !== 'string') return { why: `the value of "${kind}" is not a text: put it in quotes` };
  if (text.includes('{{')) return { why: `the value of "${kind}" is a template` };
  if (text.trim() !== text)
    return { why: `answers have no white space around them, the value of "${kind}" has` };
  if (kind === 'equals') return { matches: `^\\s*${escaped(text)}\\s*$` };
  if (!/^[\x20-\x7e\n\t]*$/.test(text))
    return { why: `small and large letters of "${kind}" are known for ASCII alone` };
  if (kind === 'contains') return { matches: anyCase(text) };
  return { matches: kind === 'startsWith' ? `^\\s*${anyCase(text)}` : `${anyCase(text)}\\s*$` };
}
