import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createSseParser } from './sse.js';

const parse = (...chunks: readonly string[]) => {
  const parser = createSseParser();
  return chunks.flatMap((chunk) => parser.take(chunk));
};

const CASES = [
  {
    name: 'a message',
    text: 'id: 7\nevent: event\ndata: {}\n\n',
    is: [{ id: '7', event: 'event', data: '{}' }],
  },
  {
    name: 'two lines of data',
    text: 'data: a\ndata:b\n\n',
    is: [{ id: '', event: 'message', data: 'a\nb' }],
  },
  { name: 'a comment', text: ': ok\n\ndata: x\n\n', is: [{ id: '', event: 'message', data: 'x' }] },
  {
    name: 'returns',
    text: 'data: a\r\n\r\ndata: b\r\r',
    is: ['a', 'b'].map((data) => ({ id: '', event: 'message', data })),
  },
  { name: 'a byte order mark', text: '\uFEFFdata: a\n\n', is: [{ id: '', event: 'message', data: 'a' }] },
  { name: 'nothing without data', text: 'event: x\n\n', is: [] },
  { name: 'nothing half', text: 'data: a\n', is: [] },
  { name: 'one space is taken away', text: 'data:  a\n\n', is: [{ id: '', event: 'message', data: ' a' }] },
];

describe('createSseParser', () => {
  it.each(CASES)('reads $name', ({ text, is }) => {
    expect(parse(text)).toEqual(is);
    expect(parse(...text)).toEqual(is);
  });

  it('gives the same messages for any cut of the text', () => {
    const line = fc.oneof(
      fc.constantFrom('\n', '\r', '\r\n', 'data: x', 'data', 'id: 1', 'event: e', ': c', '\uFEFF'),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.nat(200), { maxLength: 10 }),
        (parts, cuts) => {
          const text = parts.join('');
          const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
          const chunks = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
          expect(parse(...chunks)).toEqual(parse(text));
        },
      ),
      runs(300, 20_000),
    );
  });

  it.each(['x'.repeat(200), 'data: x\n'.repeat(60)])('gives up a message without an end', (text) => {
    const parser = createSseParser(100);
    expect(() => parser.take(text)).toThrow(RangeError);
  });
});
