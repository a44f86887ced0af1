import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { literalsOf } from './literals.js';
import { loadParser } from './parse.js';

const parse = await loadParser();
const textsOf = (source: string, file = 'hook.ts'): readonly string[] =>
  literalsOf(parse, file, source).map(({ text }) => text);

describe('the texts of a file of code', () => {
  it.each<readonly [string, readonly string[]]>([
    ["const a = 'one'; // 'not this'", ['one']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    ['`a ${ b ? `in ${"deep"} side` : \'else\' } z`', ['a ', 'in ', 'deep', ' side', 'else', ' z']],
    ['/["\']/.test("x y") && \'\\u0041\\n\'', ['x y', 'A\n']],
    ['const f = <T extends "type word">(a: T): T => a as T; f("said")', ['type word', 'said']],
    ['const a = 4 / 2; const b = "between" + 1 / 3;', ['between']],
    ['export default { json: ["a b", { c: "d" }] };', ['a b', 'd']],
    ['"un\nclosed', []],
  ])('%s', (source, expected) => {
    expect(textsOf(source)).toEqual(expected);
  });

  it('are where it is told that they are', () => {
    const written = fc.string({ unit: fc.constantFrom(...'ab c"\'`$\\\n'), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(written, { maxLength: 6 }), (texts) => {
        const source = texts.map((text) => `say(/["'\`]/, ${JSON.stringify(text)});`).join('\n');
        const found = literalsOf(parse, 'hook.ts', source);
        expect(found.map(({ text }) => text)).toEqual(texts.filter((text) => text !== ''));
        for (const { text, at, verbatim } of found)
          if (verbatim) expect(source.slice(at, at + text.length)).toBe(text);
      }),
      runs(300, 20_000),
    );
  });

  it('end with the file, whatever stands in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'`$', ...'{}\'"\\/ab \n*'), maxLength: 80 }),
        (source) => {
          for (const { at } of literalsOf(parse, 'hook.ts', source))
            expect(at).toBeLessThanOrEqual(source.length);
        },
      ),
      runs(300, 20_000),
    );
    expect(textsOf('`${'.repeat(20_000))).toEqual([]);
  });
});
