import type { InputBook } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftCases, DraftSheet } from '../draft.js';
import { FreeNames } from '../free-name.js';
import { inputName } from '../names.js';
import type { LineColumn } from '../text/mapped.js';
import { checksOf } from './promptfoo-asserts.js';
import { isMap, type PlainMap } from './yaml-source.js';

interface CaseReading {
  readonly report: Reporter;
  readonly book: InputBook;
  readonly at: (...path: readonly PropertyKey[]) => LineColumn;
  /** The first two characters of the value at a path; undefined when it is written in quotes. */
  readonly bare: (...path: readonly PropertyKey[]) => string | undefined;
}

/** The longest name of a case. */
const MAX_NAME = 200;

/** The tests of a configuration as cases of one sheet; what a case cannot hold is named. */
export function casesOf(
  sheet: DraftSheet,
  value: PlainMap,
  { report, at, book, bare }: CaseReading,
): readonly DraftCases[] {
  const own: readonly unknown[] = Array.isArray(value.tests) ? value.tests : [];
  // Without a test promptfoo asks once, with what the default test says.
  const isBare = own.length === 0 && Array.isArray(value.tests ?? []) && value.scenarios === undefined;
  const tests = isBare && isMap(value.defaultTest) && Object.keys(value.defaultTest).length > 0 ? [{}] : own;
  if (value.tests !== undefined && !Array.isArray(value.tests))
    report.warning('W_IMPORT_CASE', at('tests'), 'Tests in another file were not imported');
  const voice = voiceOf(value.providers);
  const names = new FreeNames();
  const said = new Set<string>();
  /** What each test has from `defaultTest` is told where it stands, once. */
  const sayOnce = (message: string, path: readonly PropertyKey[]): void => {
    const key = JSON.stringify([message, path]);
    if (!said.has(key)) report.warning('W_IMPORT_CASE', at(...path), message);
    said.add(key);
  };
  const shared = sharedBy(value.defaultTest, { report, at });
  const cases = tests.flatMap((test, index): Readonly<Record<string, unknown>>[] => {
    const place = at('tests', index);
    if (!isMap(test)) {
      report.warning('W_IMPORT_CASE', place, 'This test is in another file; it was not imported');
      return [];
    }
    const lose = (message: string, ...path: readonly PropertyKey[]): void =>
      report.warning('W_IMPORT_CASE', path.length === 0 ? place : at('tests', index, ...path), message);
    const others = Object.keys(test).filter((key) => !['description', 'vars', 'assert'].includes(key));
    if (others.length > 0)
      lose(`Not kept of this test: ${others.map((key) => quote(key)).join(', ')}`, others[0] ?? '');
    if (test.vars !== undefined && test.vars !== null && !isMap(test.vars))
      lose('The values of this test are in another file; they were not kept');
    if (test.description !== undefined && typeof test.description !== 'string')
      lose('The description of this test is not a text; it was not kept');
    const set = new Map<string, string>();
    const vars = isMap(test.vars) ? test.vars : {};
    for (const [name, given] of Object.entries({ ...shared.vars, ...vars })) {
      const input = book.names.given.get(name) ?? inputName(name);
      const value = caseValue(given, sheet.inputs.get(input)?.type === 'json');
      const path = Object.hasOwn(vars, name) ? ['tests', index, 'vars', name] : ['defaultTest', 'vars', name];
      const begin = bare(...path);
      const isOdd = begin !== undefined && isOtherYaml(given, begin);
      // A value that this prompt does not ask for is kept with the prompts that do.
      if (book.names.given.has(name) && !sheet.inputs.has(input)) continue;
      const why = !book.names.given.has(name)
        ? 'is in no prompt that was imported'
        : isOdd
          ? 'is another date, number or text for promptfoo: put it in quotes'
          : problemOf(given, value);
      if (why !== undefined) sayOnce(`The value of ${quote(name)} ${why}; it was not kept`, path);
      else if (value !== undefined) set.set(input, value);
    }
    const wish =
      typeof test.description === 'string' && test.description !== ''
        ? test.description.slice(0, MAX_NAME)
        : `test ${index + 1}`;
    const name = names.give(wish, (count) => `${wish.slice(0, MAX_NAME - 8)} ${count}`);
    const isAlone = isMap(test.options) && test.options.disableDefaultAsserts === true;
    const checks = checksOf(
      [
        ...(isAlone ? [] : [{ asserts: shared.assert, path: ['defaultTest', 'assert'] }]),
        { asserts: test.assert, path: ['tests', index, 'assert'] },
      ],
      sayOnce,
    );
    const hasAnswer = Object.keys(checks).length > 0;
    const input = set.size === 0 ? {} : { with: { set: Object.fromEntries(set) } };
    return [
      hasAnswer
        ? { name, ...input, ...voice, answer: checks }
        : { name, ...input, request: { snapshot: true } },
    ];
  });
  const isUnvoiced = voice === undefined && cases.some((each) => 'answer' in each);
  if (isUnvoiced)
    report.warning(
      'W_IMPORT_CASE',
      at('tests'),
      'The provider of the source is not known here: the checks of answers are for evals, which ask the one that --provider names',
    );
  if (cases.length === 0) return [];
  return [{ name: sheet.name, target: `sheet:${sheet.name}`, ...(isUnvoiced ? { takes: 1 } : {}), cases }];
}

/** The values and asserts that every test has, unless it says otherwise; what else `defaultTest` holds is named. */
function sharedBy(
  value: unknown,
  { report, at }: Pick<CaseReading, 'report' | 'at'>,
): { readonly vars: PlainMap; readonly assert: unknown } {
  if (value === undefined || value === null) return { vars: {}, assert: undefined };
  if (!isMap(value)) {
    report.warning(
      'W_IMPORT_CASE',
      at('defaultTest'),
      'The default test is in another file; it was not imported',
    );
    return { vars: {}, assert: undefined };
  }
  const others = Object.keys(value).filter((key) => key !== 'vars' && key !== 'assert');
  if (others.length > 0)
    report.warning(
      'W_IMPORT_CASE',
      at('defaultTest', others[0] ?? ''),
      `Not kept of the default test: ${others.map((key) => quote(key)).join(', ')}`,
    );
  const isOdd = value.vars !== undefined && value.vars !== null && !isMap(value.vars);
  if (isOdd)
    report.warning(
      'W_IMPORT_CASE',
      at('defaultTest', 'vars'),
      'The values of the default test are in another file; they were not kept',
    );
  return { vars: isMap(value.vars) ? value.vars : {}, assert: value.assert };
}

/**
 * Whether YAML as promptfoo reads it (with dates, and numbers in more forms) makes something else of a value without
 * quotes: of a text that looks like a number there, or a number that is a text there or too large for one.
 */
const isOtherYaml = (given: unknown, begin: string): boolean =>
  typeof given === 'number'
    ? !Number.isFinite(given) || /^[-+]\./.test(begin)
    : typeof given === 'string' && OTHER_YAML.test(given);

const OTHER_YAML =
  /^(?:\d{4}-\d\d?-\d\d?(?:[Tt ].*)?|[-+]?0b[01_]+|[-+]0[ox][\da-fA-F_]+|[-+]?(?:0[ox])?[\d.][\da-fA-F_.]*_[\da-fA-F_.]*)$/;

/** A value of a test as a case hands it in: one line break at its end is taken off. A list stands for several tests. */
function caseValue(given: unknown, isJson: boolean): string | undefined {
  const value = typeof given === 'string' ? given.replace(/\n$/, '') : given;
  if (isJson && !Array.isArray(given)) return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function problemOf(given: unknown, value: string | undefined): string | undefined {
  if (typeof given === 'string' && /^file:\/\//.test(given)) return 'is in another file';
  if (typeof given === 'string' && /\{\{|\{%|\{#/.test(given)) return 'is a template of its own';
  return value === undefined ? 'is not one text' : undefined;
}

/** Who answers: `openai:chat:gpt-5` is the provider openai with the model gpt-5. */
function voiceOf(providers: unknown): { readonly provider: string; readonly model: string } | undefined {
  const first = Array.isArray(providers) ? providers[0] : providers;
  const id = isMap(first) ? first.id : first;
  const match =
    typeof id === 'string'
      ? /^(openai|anthropic|google):(?:(?:chat|messages|responses):)?([\w.-]+)$/.exec(id)
      : null;
  return match === null ? undefined : { provider: match[1] ?? '', model: match[2] ?? '' };
}
