// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts hold placeholders of other languages
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { loadOutliner } from './outline.js';
import { sourceFile } from './source-file.js';

const outlineOf = await loadOutliner();

/** Code that may stand above a definition and must not move it. */
const ABOVE = [
  'const a = /["\'`{(]/;',
  'const b = /[/]\\/{2,}"/gu.test("x") ? 1 : 2;',
  'const c = 4 / 2 / 1; const d = c / 2;',
  'const e = (1) / 2; if (e) /}"/.exec("");',
  'const f = `a${`b${"}"}`}definePrompt({ name: 1 })`;',
  '// definePrompt({ name: "no" }) \'',
  '/* export default { name: "no" } " */',
  'type G<T extends `${string}{`> = T extends infer U ? { [K in keyof U]: U[K] } : never;',
  'function h<T>(x: T): x is T & { a: 1 } { return !!x; }',
  'const i = <T,>(x: T): T => x;',
  'const j = { default: { name: 1 }, "definePrompt": 2 };',
  'enum K { A = "{", B = 1 << 2 }',
  'namespace L { export const m = "}"; }',
  '@(x => x) class N<T> { @(() => {}) m?: T = undefined!; #p = /"/; static { /}/; } get q() { return this.#p; } }',
  'class O { constructor(private readonly r: string, @dec s: number) {} }',
  'declare const t: unique symbol;',
  'abstract class U { abstract v(): void; declare w: string; override toString() { return `{`; } }',
  'let x = 1 as unknown as number satisfies number; x = <number>x; x!;',
  'label: for (const y of [/[}]/, "{"]) { if (y) continue label; }',
  'import type { Z } from "somewhere";',
  'const aa = async function* () { yield* []; await 0; };',
  'const bb = a?.b?.[0] ?? (c ||= 1) ** 2;',
  'const cc = "\\\u2028\\"" + \'\\\'\';',
  'const \u00fc\ud83d = 1;'.replace('\ud83d', 'x'),
  'const dd = 0b1_0 + 1n.toString().length / 1;',
  '"use strict"; debugger;',
  'export const ee = { ...{ a: 1 }, get b() { return 2; }, async *c() {}, [`d`]: 3 };',
  '#!',
].filter((each) => each !== '#!');

const WRAP: readonly ((object: string) => string)[] = [
  (object) => `export default definePrompt(${object});`,
  (object) => `export default definePrompt<'a', never>(${object} satisfies object);`,
  (object) => `export default definePrompt(${object} as const) as never;`,
  (object) => `const made = definePrompt(${object});\nexport default made;`,
  (object) => `const made = definePrompt(${object});\nexport { made as default };`,
  (object) => `const given = ${object} as const;\nexport default definePrompt(given);`,
  (object) => `export default ${object};`,
  (object) => `export default Object.freeze(definePrompt((${object})));`,
  (object) => `import { definePrompt as make } from '@cuebook/define';\nexport default make(${object});`,
  (object) => `import * as cue from '@cuebook/define';\nexport default cue.definePrompt(${object});`,
  (object) => `const make = () => definePrompt(${object});\nexport default make();`,
];

const KEYS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `'${name}'`,
  (name) => `["${name}"]`,
];

const GAPS = ['', ' ', '\n', '/* } */', ' // "\n', '\r\n\t'];

describe('for every source', () => {
  it('the place of each field is where it is written', () => {
    const field = fc.record({
      key: fc.constantFrom(...KEYS),
      gap: fc.constantFrom(...GAPS),
      value: fc.constantFrom(
        "'x'",
        '`y\nz`',
        '[1, /}/]',
        '{ a: /"/ }',
        'f(`}`)',
        '(b) => ({ c: b / 2 })',
        '"\\""',
      ),
    });
    const source = fc.record({
      above: fc.array(fc.constantFrom(...ABOVE), { maxLength: 6 }),
      fields: fc.array(field, { minLength: 1, maxLength: 6 }),
      wrap: fc.constantFrom(...WRAP),
      below: fc.array(fc.constantFrom(...ABOVE), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(source, ({ above, fields, wrap, below }) => {
        const object = `{${fields
          .map(({ key, gap, value }, index) => `${gap}/*@${index}*/${key(`field${index}`)}: ${value}`)
          .join(',')}}`;
        const text = [...above, wrap(object), ...below].join('\n');
        const file = sourceFile('agents/prompts/a.ts', text, outlineOf);
        fields.forEach(({ key }, index) => {
          const mark = `/*@${index}*/`;
          const offset = text.indexOf(mark) + mark.length;
          const before = text.slice(0, offset).split('\n');
          const expected = { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
          expect(file.place([`field${index}`])).toMatchObject(expected);
          expect(text.slice(offset)).toMatch(key(`field${index}`).slice(0, 3));
        });
      }),
      runs(200, 20_000),
    );
  });

  it('text of a constant has its own place', () => {
    const text =
      "const WORDS = 'Be kind.';\nconst MORE = ['a', WORDS];\nexport default definePrompt({ prompt: WORDS, tools: [...MORE, 'b'] });\n";
    const file = sourceFile('a.ts', text, outlineOf);
    const labels = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;
    expect(file.pieces(['prompt'], 'Be kind.', labels)[0]?.origin).toMatchObject({
      kind: 'file',
      line: 1,
      column: 16,
    });
    expect(file.place(['tools', 2])).toMatchObject({ line: 3, column: 63 });
    expect(file.place(['tools', 0])).toMatchObject({ line: 2, column: 15 });
  });

  it('JavaScript is not read as TypeScript', () => {
    const text = 'const a = 1, b = 2;\nconst c = a<b>(1);\nexport default definePrompt({ name: "x" });\n';
    expect(sourceFile('a.js', text, outlineOf).place(['name'])).toMatchObject({ line: 3, column: 31 });
  });

  it.each([
    ['brackets', '['],
    ['negations', '!'],
    ['conditions', 'a?'],
    ['templates', '`${'],
    ['types', 'Array<'],
  ])('nesting without end has no place and stops nothing: %s', (_what, unit) => {
    expect(outlineOf('a.ts', `const x = ${unit.repeat(200_000)}`)).toBeUndefined();
    expect(outlineOf('a.ts', 'export default definePrompt({ name: 1 });')?.entries?.size).toBe(1);
  });
});

describe('a schema that is built in calls', () => {
  it('has its parts where they are written', () => {
    const text = `const WHY = 'Why';
export default defineTool({
  args: z
    .object({
      order: z.string().trim().describe('The number'),
      why: z.enum(['a', 'b']).default('a').describe(WHY),
      lines: z.array(z.object({ n: z.number().describe('How many') })),
    })
    .strict(),
});`;
    const { place } = sourceFile('a.ts', text, outlineOf);
    const lineOf = (...path: readonly string[]) => place(['args', ...path]).line;
    expect(lineOf('properties', 'order', 'type')).toBe(5);
    expect(lineOf('properties', 'order', 'description')).toBe(5);
    expect(lineOf('properties', 'why', 'description')).toBe(1);
    expect(lineOf('properties', 'why', 'default')).toBe(6);
    expect(lineOf('properties', 'lines', 'items', 'properties', 'n', 'description')).toBe(7);
    expect(lineOf('additionalProperties')).toBe(3);
  });
});
