import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runs } from '../../../../test/runs.js';
import { githubModelsReader } from './github-models.js';

const read = (tests: object) =>
  githubModelsReader.read(
    {
      path: 'p.prompt.yml',
      bytes: Buffer.from(stringify({ messages: [{ role: 'user', content: '{{input}} {{n}}' }], ...tests })),
    },
    {},
  );
const ROW = { input: 'a', n: '1' };

/** As `gh models eval` decides: of an answer without white space around it, and of small letters but for `equals`. */
const CHECKS: Readonly<Record<string, (answer: string, value: string) => boolean>> = {
  equals: (answer, value) => answer === value,
  contains: (answer, value) => answer.toLowerCase().includes(value.toLowerCase()),
  startsWith: (answer, value) => answer.toLowerCase().startsWith(value.toLowerCase()),
  endsWith: (answer, value) => answer.toLowerCase().endsWith(value.toLowerCase()),
};
const words = fc
  .array(fc.constantFrom(...'aAbB1.*+?^$()[]{}|\\/-"\' \t', '\n', 'ä', '{{', '  '), { maxLength: 5 })
  .map((parts) => parts.join(''));

describe('an evaluator of GitHub Models', () => {
  it('decides about any answer as `gh models eval` does, or is named', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(CHECKS)),
        words,
        fc.array(words, { minLength: 1, maxLength: 4 }),
        (kind, value, others) => {
          const { cases, diagnostics } = read({
            testData: [ROW],
            evaluators: [{ name: 'x', string: { [kind]: value } }],
          });
          const [
            {
              cases: [one],
            } = { cases: [] },
          ] = cases;
          const { matches } = (one?.answer ?? {}) as { matches?: readonly [string] };
          const isNamed = diagnostics.some(
            ({ severity, line }) => severity === 'warning' && line !== undefined && line > 1,
          );
          expect(matches === undefined).toBe(isNamed);
          if (matches === undefined) return;
          for (const other of [
            ...others,
            value,
            value.toUpperCase(),
            ` ${value}\n`,
            `${value}${others[0]}`,
            `${others[0]}${value}`,
          ])
            expect(new RegExp(matches[0], 'u').test(other), JSON.stringify([kind, value, other])).toBe(
              CHECKS[kind]?.(other.trim(), value),
            );
        },
      ),
      runs(1000, 20_000),
    );
  });

  it.each([
    { what: 'a judge', evaluator: { name: 'x', llm: { prompt: 'p' } } },
    { what: 'one that GitHub has', evaluator: { name: 'x', uses: 'github/similarity' } },
    { what: 'two conditions', evaluator: { name: 'x', string: { contains: 'a', endsWith: 'b' } } },
    { what: 'none', evaluator: { name: 'x', string: {} } },
    { what: 'a number', evaluator: { name: 'x', string: { contains: 5 } } },
    { what: 'a template', evaluator: { name: 'x', string: { contains: '{{expected}}' } } },
    { what: 'no map', evaluator: 'x' },
  ])('is named and kept under meta where a case has no form for it: $what', ({ evaluator }) => {
    const { sheets, cases, diagnostics } = read({ testData: [ROW], evaluators: [evaluator] });
    expect(sheets[0]?.meta.evaluators).toEqual([evaluator]);
    expect(cases[0]?.cases).toEqual([{ name: 'test 1', with: { set: ROW }, request: { snapshot: true } }]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'W_IMPORT_CASE', severity: 'warning' }),
    );
  });
});

describe('a row of test data', () => {
  it('is kept value by value, or each that is not is named at its line', () => {
    const value = fc.oneof(
      words,
      fc.boolean(),
      fc.integer(),
      fc.constantFrom(0.5, null, [1], { a: 1 }, 2 ** 60),
    );
    const row = fc.dictionary(fc.constantFrom('input', 'n', 'expected', 'constructor'), value);
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
        const { sheets, cases, diagnostics } = read({ testData: rows });
        const lost = diagnostics.filter(
          ({ code, severity }) => code === 'W_IMPORT_CASE' && severity === 'warning',
        );
        const isText = (given: unknown): boolean =>
          typeof given === 'string'
            ? !given.includes('{{')
            : typeof given === 'boolean' || Number.isSafeInteger(given);
        const expected = rows.map((each) =>
          Object.fromEntries(
            Object.entries(each)
              .filter(([key, given]) => (key === 'input' || key === 'n') && isText(given))
              .map(([key, given]) => [key, String(given)]),
          ),
        );
        const made = cases
          .flatMap((each) => each.cases)
          .map((each) => (each.with as { set: object } | undefined)?.set ?? {});
        expect(made).toEqual(expected);
        expect(lost).toHaveLength(
          rows.length * 2 - expected.reduce((sum, set) => sum + Object.keys(set).length, 0),
        );
        const isWhole =
          lost.length === 0 &&
          rows.every((each) => Object.keys(each).every((key) => key === 'input' || key === 'n'));
        expect(sheets[0]?.meta.testData === undefined).toBe(isWhole);
      }),
      runs(500, 5000),
    );
  });
});
