import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { createLineSplitter } from './line-splitter.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [0, ...[...places].map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((at, index) => bytes.subarray(sorted[index], at));
}

describe('a line splitter', () => {
  it('gives the same lines for any chunking', () => {
    const line = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ' '));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(4000)), fc.boolean(), (lines, places, isLastOpen) => {
        const text = lines.join('\n') + (isLastOpen || lines.length === 0 ? '' : '\n');
        const splitter = createLineSplitter(4000);
        const found = cut(bytesOf(text), places).flatMap((chunk) => splitter.push(chunk).lines);
        const wanted = lines.map((each) =>
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(each)),
        );
        while (isLastOpen && wanted.at(-1) === '') wanted.pop();
        const all = [...found, ...splitter.end()];
        while (isLastOpen && all.at(-1) === '') all.pop();
        expect(all).toEqual(wanted);
      }),
      runs(300, 20_000),
    );
  });

  it('takes the carriage return of a line break, and no other', () => {
    const splitter = createLineSplitter(100);
    expect([...splitter.push(bytesOf('a\r')).lines, ...splitter.push(bytesOf('\nb\rc\n')).lines]).toEqual([
      'a',
      'b\rc',
    ]);
  });

  it('refuses a line past the limit, at once and for good, and takes one that fills it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9000 }), fc.array(fc.nat(20_000)), (limit, places) => {
        const exact = createLineSplitter(limit);
        const whole = cut(bytesOf(`${'x'.repeat(limit)}\n`), places).flatMap(
          (chunk) => exact.push(chunk).lines,
        );
        expect(whole).toEqual(['x'.repeat(limit)]);
        const long = createLineSplitter(limit);
        const text = `before\n${'x'.repeat(Math.max(limit, 6) + 1)}\nafter\n`;
        const answers = cut(bytesOf(text), places).map((chunk) => long.push(chunk));
        expect(answers.at(-1)?.isLong).toBe(true);
        expect(answers.flatMap(({ lines }) => lines)).toEqual(limit < 6 ? [] : ['before']);
        expect(long.end()).toEqual([]);
      }),
      runs(100, 5000),
    );
  });
});
