import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../../test/growth.js';
import { itInTurn, runs } from '../../../test/runs.js';
import { ENGINES, outcome, said } from './engines.js';
import { isRecipe, make, oddData } from './odd-data.js';

// Nothing makes the parser or a render hang, overflow the stack, or throw: the result is a text or a typed error,
// and it is the same by every back end.

const PIECES = [
  '{{', '}}', '{{- ', ' -}}', '{{end}}', '{{else}}', '{{if ', '{{with ', '{{range ', '{{define "T"}}', '{{template "T" .}}',
  '{{block "B" .}}', '{{break}}', '{{continue}}', '$x', '$x := ', '$i, $x := ', '$x = ', '.', '.a', '.a.b', '$', '$.a', '(', ')',
  '|', ' ', '\n', ',', '"s"', '`r`', "'c'", '"\\xc3"', '1', '-1', '1.5', '0x1F', '1i', 'true', 'nil', 'and ', 'or ', 'not ', 'len ',
  'index ', 'slice ', 'eq ', 'lt ', 'print ', 'printf "%v %5.2d" ', 'html ', 'js ', 'urlquery ', 'call ', '/* c */', 'é', '\udc80',
  '\ud800', '}', '{', '%', 'text', '9223372036854775807', 'break', '_',
]; // biome-ignore format: a table

const template = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }), { maxLength: 8 })
      .map((actions) => actions.map((pieces) => `{{${pieces.join(' ')}}}`).join('-')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

const data = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.record({ a: fc.anything(), b: fc.anything() }),
  oddData,
  fc.record({ a: oddData, b: fc.anything() }),
);

/** The data of one render. Each back end gets its own, since some change when they are read. */
function fresh(given: unknown): unknown {
  if (isRecipe(given)) return make(given);
  const { a } = (given ?? {}) as { readonly a?: unknown };
  return isRecipe(a) ? { ...(given as object), a: make(a) } : given;
}

/** Every way a template reads what it is given. */
const READINGS = [
  '{{.a}}', '{{.a.b}}', '{{.a.b.a}}', '{{$.b}}', '{{.constructor}}', '{{.}}', '{{range .}}{{.a}}{{end}}', '{{with .a}}{{.b}}{{end}}',
  '{{range $k, $v := .}}{{$k}}={{$v.a}};{{end}}', '{{index . "a"}}', '{{index . "b" 0}}', '{{len .}}', '{{len .a}}', '{{if .a}}y{{end}}',
  '{{if .}}y{{end}}', '{{print .a .b}}', '{{$x := .}}{{$x.a}}', '{{(index . "a").b}}', '{{(print .a).b}}', '{{slice .b .a}}',
  '{{define "T"}}{{.a}}{{end}}{{template "T" .}}', '{{eq .a .b}}', '{{and .a .b}}', '{{or .a .b}}', '{{not .a}}', '{{.a | print}}',
  '{{call .}}', '{{printf "%v %d %#v" . .a .b}}', '{{html .a}}', '{{range .b}}{{.}}{{else}}none{{end}}', '{{.a 1}}',
]; // biome-ignore format: a table

/** Cyclic data prints until the bound. */
const tight = { steps: 200, outputBytes: 2000 };
const limits = { steps: 2000, outputBytes: 100_000 };

describe('any template on any data', () => {
  it('is a text or a typed error, the same by every back end', () => {
    fc.assert(
      fc.property(template, data, (text, given) => {
        const results = ENGINES.map((engine) => outcome({ text, engine }, fresh(given), { limits }));
        for (const result of results) {
          if ('text' in result) {
            expect(result.text.isWellFormed()).toBe(true);
            expect(result.spans.at(-1)?.end ?? 0).toBe(result.bytes.length);
          } else expect(result.error.code).toMatch(/^E_TEMPLATE_(PARSE|EXEC|LIMIT)$/);
        }
        expect(new Set(results.map(said)).size).toBe(1);
      }),
      runs(4000, 400_000),
    );
  });

  it('reads odd data the same by every back end, read for read', () => {
    const readings = fc.array(fc.constantFrom(...READINGS), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(readings, oddData, fc.boolean(), fc.boolean(), (actions, recipe, isInside, isStrict) => {
        const missingKey = isStrict ? 'error' : 'default';
        const results = ENGINES.map((engine) => {
          const value = isInside ? { a: make(recipe), b: [make(recipe)] } : make(recipe);
          return said(outcome({ text: actions.join('|'), engine, missingKey }, value, { limits: tight }));
        });
        expect(new Set(results)).toEqual(new Set([results[0]]));
      }),
      runs(2000, 40_000),
    );
  });

  itInTurn('takes time in proportion to its length', () => {
    const shapes = [
      '{{',
      '{{/*',
      '{{"',
      '{{.a}}',
      '{{$x := 1}}{{$x}}',
      ' {{- "" -}} ',
      '{{or 1 ($y := 2)}}{{$y}}',
      '(',
      '{{(',
      '\n{{',
    ];
    for (const shape of shapes) {
      const run = (times: number): unknown => outcome({ text: shape.repeat(times) }, {}, { limits });
      run(200);
      expect(growth(run, 4000, 3), shape).toBeLessThan(3.9);
    }
  });
});
