import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { runs } from '../../../../test/runs.js';
import { afterChanges, linesOfText, wordAt } from './lines.js';

/** Texts with every line break, and characters of one and of two UTF-16 units. */
const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '𝒳', '\n', '\r\n', '\r', '\t', '"', 'no-such', '\ufeff'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

/** The definition, read off the protocol: one character after the other. */
function placeByWalking(whole: string, offset: number) {
  let line = 0;
  let start = 0;
  for (let at = 0; at < whole.length; ) {
    const size = whole.startsWith('\r\n', at) ? 2 : 1;
    if (/[\r\n]/.test(whole.charAt(at))) {
      if (at + size > offset) break;
      line += 1;
      start = at + size;
    }
    at += size;
  }
  const rest = whole.slice(start).search(/[\r\n]/);
  const end = rest === -1 ? whole.length : start + rest;
  return { line, character: Math.min(offset, end) - start };
}

describe('places of a text', () => {
  it('are counted as the protocol says, for every text and offset', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (whole, at) => {
        const offset = Math.min(at, whole.length);
        expect(linesOfText(whole).placeAt(offset)).toEqual(placeByWalking(whole, offset));
      }),
      runs(3_000, 100_000),
    );
  });

  it('lead back to their offset, and never into a line break', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (whole, at) => {
        const lines = linesOfText(whole);
        const offset = Math.min(at, whole.length);
        const isInside = whole.charAt(offset - 1) === '\r' && whole.charAt(offset) === '\n';
        expect(lines.offsetAt(lines.placeAt(offset))).toBe(isInside ? offset - 1 : offset);
      }),
      runs(3_000, 100_000),
    );
  });

  it('of diagnostics lead to the code point that they name, and back', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (whole, at) => {
        const lines = linesOfText(whole);
        const points = [...whole];
        const offset = points.slice(0, Math.min(at, points.length)).join('').length;
        const { line, column } = lines.placeOf(offset);
        const before = whole.slice(0, offset);
        expect(line).toBe(before.split('\n').length);
        expect(column).toBe([...before.slice(before.lastIndexOf('\n') + 1)].length + 1);
        const isInside = before.endsWith('\r') && whole.startsWith('\n', offset);
        expect(lines.offsetOf(line, column)).toBe(isInside ? offset - 1 : offset);
      }),
      runs(3_000, 100_000),
    );
  });

  it('that are nowhere are taken for the nearest end', () => {
    const lines = linesOfText('ab\ncd');
    expect([lines.offsetAt({ line: 9, character: 0 }), lines.offsetAt({ line: 0, character: 99 })]).toEqual([
      5, 2,
    ]);
    expect([lines.offsetOf(9), lines.offsetOf(1, 99), lines.offsetOf(0, 5)]).toEqual([5, 2, 0]);
    expect([lines.placeAt(-1), lines.placeAt(99)]).toEqual([
      { line: 0, character: 0 },
      { line: 1, character: 2 },
    ]);
  });
});

describe('a text after changes', () => {
  const place = fc.record({ line: fc.nat(8), character: fc.nat(8) });
  const change = fc.oneof(
    { weight: 8, arbitrary: fc.record({ range: fc.record({ start: place, end: place }), text }) },
    { weight: 1, arbitrary: fc.record({ text }) },
  );

  it('is that of the reference of the protocol, for any changes', () => {
    fc.assert(
      fc.property(text, fc.array(change, { maxLength: 6 }), (whole, changes) => {
        // Each change on a document of its own: the reference keeps line starts that a joined CR LF makes wrong.
        const wanted = changes.reduce((before, each) => {
          const document = TextDocument.create('file:///a', 'yaml', 1, before);
          return TextDocument.update(document, [structuredClone(each) as never], 2).getText();
        }, whole);
        expect(afterChanges(whole, changes)).toBe(wanted);
      }),
      runs(3_000, 100_000),
    );
  });
});

describe('the word at a place', () => {
  it.each([
    ['include: no-such # x', 9, 'no-such'],
    ['include: "a/b.c"', 9, 'a/b.c'],
    ['a: größe', 3, 'größe'],
    ['x: {}  \r\ny', 3, '{}  '],
    ['', 0, ''],
  ])('%j at %i is %j', (whole, at, word) => {
    const { start, end } = wordAt(whole, at);
    expect(whole.slice(start, end)).toBe(word);
  });
});
