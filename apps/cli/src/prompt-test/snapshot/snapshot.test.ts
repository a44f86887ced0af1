import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { parseSnapshots, printSnapshots } from './format.js';
import { lineDiff } from './line-diff.js';

describe('a file of snapshots', () => {
  it('reads back as what was written, whatever stands in it, also with the line breaks of another system', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.constantFrom('', ' ', '=== "a"', '# x', '\r', 'a\r', '"', '  two', '\u2028'), {
          maxLength: 6,
        })
        .map((lines) => lines.join('\n')),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), text, { maxKeys: 4 }), (entries) => {
        const snapshots = new Map(Object.entries(entries));
        const printed = printSnapshots(snapshots);
        for (const each of [printed, printed.replaceAll('\n', '\r\n')]) {
          expect(parseSnapshots(each)).toEqual({ ok: true, value: snapshots });
        }
      }),
      runs(500, 20_000),
    );
  });

  it.each([
    ['nonsense', 1],
    ['# head\n\n=== "a"\n  x\nnot indented\n', 5],
    ['=== a\n', 1],
  ])('that is damaged says where: %j', (text, line) => {
    expect(parseSnapshots(text)).toEqual({ ok: false, error: line });
  });
});

describe('lines that differ', () => {
  it('are shown with what stands around them', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].join('\n');
    expect(lineDiff(before, before.replace('5', 'five').replace('\n9', ''))).toEqual([
      ...['…', '  3', '  4', '- 5', '+ five', '  6', '  7', '  8', '- 9'],
    ]);
  });

  it('lead from one text to the other', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = lineDiff(before.join('\n'), after.join('\n'));
        const came = diff.filter((line) => line.startsWith('+ ')).length;
        const went = diff.filter((line) => line.startsWith('- ')).length;
        expect(after.length - before.length).toBe(came - went);
        if (before.join('\n') === after.join('\n')) expect(came + went).toBe(0);
      }),
      runs(300, 10_000),
    );
  });
});
