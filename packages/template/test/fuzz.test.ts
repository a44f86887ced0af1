import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../../test/growth.js';
import { runs } from '../../../test/runs.js';
import { ENGINES, outcome, said } from './engines.js';

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
  // Unmade until they are used: what cannot be read cannot be printed either, and a failure must be.
  fc.constantFrom<() => unknown>(cyclic, throwing, proxied),
);

const MADE: ReadonlySet<unknown> = new Set([cyclic, throwing, proxied]);

const limits = { steps: 2000, outputBytes: 100_000 };

describe('any template on any data', () => {
  it('is a text or a typed error, the same by every back end', () => {
    fc.assert(
      fc.property(template, data, (text, given) => {
        const value = MADE.has(given) ? (given as () => unknown)() : given;
        const results = ENGINES.map((engine) => outcome({ text, engine }, value, { limits }));
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

  it('takes time in proportion to its length', () => {
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

function cyclic(): unknown {
  const map: Record<string, unknown> = { b: 'x' };
  map.a = [map];
  return map;
}

function throwing(): unknown {
  return Object.defineProperty({ b: 1 }, 'a', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
}

function proxied(): unknown {
  return new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
      ownKeys: () => {
        throw new Error('no keys');
      },
    },
  );
}
