import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { Float, readJson, type Value } from './index.js';

describe('readJson', () => {
  it.each<[text: string, value: Value]>([
    ['1', 1],
    ['-0', 0],
    ['1.0', new Float(1)],
    ['1e3', new Float(1000)],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775808', new Float(2 ** 63)],
    ['"\\ud800"', '\ufffd'],
    [' [ 1 , [ ] , { } ] ', [1, [], new Map()]],
    ['{"a":1,"a":2}', new Map([['a', 2]])],
    ['null', null],
  ])('%s', (text, value) => {
    expect(readJson(text)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '{"a"}',
    '{"a":}',
    '{,}',
    '01',
    '1 2',
    '"\n"',
    '"\\x"',
    'nul',
    '[1 2]',
    ']',
  ])('refuses %s', (text) => {
    expect(readJson(text).ok).toBe(false);
  });

  it('reads what JSON.parse reads, and refuses what it refuses', () => {
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.array(fc.constantFrom(...'[]{},:"1a.-e \\'.split('')), { maxLength: 12 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (source) => {
        const read = readJson(source);
        let expected: unknown;
        let isJson = true;
        try {
          expected = JSON.parse(source);
        } catch (error) {
          isJson = false;
          expect(error).toBeInstanceOf(SyntaxError);
        }
        expect(read.ok).toBe(isJson);
        if (read.ok) expect(plain(read.value)).toEqual(wellFormed(expected));
      }),
      runs(2000, 200_000),
    );
  });

  it('reads any depth', () => {
    expect(readJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).ok).toBe(true);
  });
});

function plain(value: Value): unknown {
  if (value instanceof Float) return value.value + 0;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [key, plain(item as Value)]));
  }
  return Array.isArray(value) ? value.map(plain) : value;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}
