import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { printPlain } from '../trust/metadata.js';
import { canonicalBytes, readCanonical, readJson, shareText, writeCanonical } from './read.js';

const reason = (text: string | Uint8Array, limits = {}) => {
  const result = readJson(typeof text === 'string' ? Buffer.from(text) : text, limits);
  return result.ok ? 'ok' : result.error.reason;
};
const canonicalReason = (text: string) => {
  const result = readCanonical(Buffer.from(text));
  return result.ok ? 'ok' : result.error.reason;
};
const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`;

describe('the strict reader', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['a member twice', '{"a":1,"b":2,"a":1}', 'duplicate'],
    ['a member twice, once escaped', '{"a":1,"\\u0061":2}', 'duplicate'],
    ['a member twice, far down', '[[{"x":{"k":1,"k":1}}]]', 'duplicate'],
    ['half a character', '"\\ud800"', 'surrogate'],
    ['half a character as a name', '{"\\udc00":1}', 'surrogate'],
    ['a whole character in two escapes', '"\\ud83d\\ude00"', 'ok'],
    ['an integer past 2^53', '9007199254740993', 'number'],
    ['an integer past 2^53 in disguise', '9007199254740993.0', 'number'],
    ['the largest safe integer', '9007199254740991', 'ok'],
    ['a number without end', '1e400', 'number'],
    ['bytes that are no text', new Uint8Array([0x22, 0xff, 0x22]), 'not-utf8'],
    ['a surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not-utf8'],
    ['a name that is no name', '{"__proto__":{}}', 'prototype'],
    ['a name that is no name, escaped', '{"\\u005f_proto__":{}}', 'prototype'],
    ['32 levels', deep(32), 'ok'],
    ['33 levels', deep(33), 'too-deep'],
    ['a hundred thousand levels', deep(100_000), 'too-deep'],
    ['a hundred thousand objects', '{"a":'.repeat(100_000), 'too-deep'],
    ['a line feed in a string', '"a\nb"', 'syntax'],
    ['two values', '1 2', 'syntax'],
    ['nothing', '', 'syntax'],
    ['an open string', '"abc', 'syntax'],
    ['an open escape', '"abc\\', 'syntax'],
    ['an escape that is none', '"\\x41"', 'syntax'],
    ['a comment', '{}//', 'syntax'],
    ['a trailing comma', '[1,]', 'syntax'],
    ['a leading zero', '01', 'syntax'],
  ])('%s', (_name, text, expected) => {
    expect(reason(text)).toBe(expected);
  });

  test('a text past its size is refused', () => {
    expect(reason('"abcdef"', { bytes: 8 })).toBe('ok');
    expect(reason('"abcdefg"', { bytes: 8 })).toBe('too-large');
  });

  test('an open string of a megabyte of backslashes costs one look', () => {
    expect(reason(`"${'\\'.repeat(1_000_000)}`)).toBe('syntax');
    expect(reason(`[${'"\\\\",'.repeat(150_000)}1`)).toBe('syntax');
    expect(reason(`"\\"${'a'.repeat(900_000)}`)).toBe('syntax');
    expect(reason(`"${'\\"'.repeat(450_000)}`)).toBe('syntax');
  });

  test('for all values: what is read is what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const result = readJson(Buffer.from(text));
        if (result.ok) expect(result.value).toEqual(JSON.parse(text));
        else expect(['number', 'prototype', 'surrogate', 'duplicate']).toContain(result.error.reason);
      }),
      runs(300, 5_000),
    );
  });

  test('for all texts: a text that JSON.parse refuses is refused', () => {
    const bit = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'a',
      '1',
      '-',
      '.',
      'e',
      ' ',
      '\n',
      'null',
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 12 }), (bits) => {
        const text = bits.join('');
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        if (!parses) expect(reason(text)).not.toBe('ok');
      }),
      runs(1_000, 20_000),
    );
  });
});

describe('the canonical reader', () => {
  test.each<[string, string, string]>([
    ['members in order', '{"a":1,"b":[true,null]}', 'ok'],
    ['members out of order', '{"b":1,"a":1}', 'not-canonical'],
    ['a member twice', '{"a":1,"a":1}', 'duplicate'],
    ['space', '{"a": 1}', 'syntax'],
    ['space at the end', '{}\n', 'syntax'],
    ['an escape that is not needed', '"\\u0041"', 'not-canonical'],
    ['a slash that is escaped', '"\\/"', 'not-canonical'],
    ['an upper-case escape', '"\\u001F"', 'not-canonical'],
    ['an escape that is needed', '"\\u001f\\n"', 'ok'],
    ['another spelling of a number', '1.0', 'not-canonical'],
    ['another spelling of a small number', '1E-7', 'not-canonical'],
    ['minus zero', '-0', 'not-canonical'],
    ['a leading zero', '[01]', 'syntax'],
    ['a number of many digits', '[123456789012345678]', 'number'],
    ['half a character', '"\\ud800"', 'surrogate'],
    ['a short escape spelled long', '"\\u000a"', 'not-canonical'],
    ['an escape that is none', '"\\x41"', 'syntax'],
    ['a control character', '"\u0001"', 'syntax'],
    ['a delete character', '"\u007f"', 'ok'],
    ['a name that is no name', '{"__proto__":1}', 'prototype'],
    ['32 levels', deep(32), 'ok'],
    ['33 levels', deep(33), 'too-deep'],
    ['an open object', '{"a":1', 'syntax'],
    ['an open array', '[1', 'syntax'],
    ['an object that ends like an array', '{"a":1]', 'syntax'],
    ['a member without a value', '{"a"}', 'syntax'],
    ['nothing', '', 'syntax'],
  ])('%s', (_name, text, expected) => {
    expect(canonicalReason(text)).toBe(expected);
  });

  test('for all values: the canonical form is accepted, and is the only form that is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const bytes = canonicalBytes(value);
        if (bytes === undefined) return;
        const result = readCanonical(bytes);
        if (result.ok) expect(canonicalBytes(result.value.value)).toEqual(bytes);
        else expect(['number', 'prototype']).toContain(result.error.reason);
        const pretty = JSON.stringify(value, null, 1);
        if (pretty !== bytes.toString()) expect(readCanonical(Buffer.from(pretty)).ok).toBe(false);
      }),
      runs(300, 5_000),
    );
  });

  test('for all values: the canonical form is that of the library', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('10', '9', '-1', '01', 'a', 'é', '\ufb33', '😀'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (each) => {
        let expected: string | undefined;
        try {
          expected = canonicalize(each);
        } catch {
          expected = undefined;
        }
        if (!JSON.stringify(each)?.includes('__proto__'))
          expect(canonicalBytes(each)?.toString()).toBe(expected);
      }),
      runs(500, 10_000),
    );
  });

  test('what JSON would leave out or change has no canonical form', () => {
    for (const value of [
      Number.NaN,
      { a: Number.POSITIVE_INFINITY },
      [() => 1],
      { a: Symbol('x') },
      new Date(0),
      1n,
    ])
      expect(canonicalBytes(value)).toBeUndefined();
    expect(canonicalBytes({ b: undefined, a: 1 })?.toString()).toBe('{"a":1}');
  });

  test('the places of the members are told in bytes', () => {
    const text = '{"a":[1,{"b":"é"}],"cert":{"x":{"cert":2}},"é":{},"鳥":null}';
    const bytes = Buffer.from(text);
    const result = readCanonical(bytes);
    if (!result.ok) throw new Error();
    const shown = [...result.value.members].map(([name, { start, value, end }]) => [
      name,
      bytes.subarray(start, end).toString(),
      JSON.parse(bytes.subarray(value, end).toString()),
    ]);
    expect(shown).toEqual([
      ['a', '"a":[1,{"b":"é"}]', [1, { b: 'é' }]],
      ['cert', '"cert":{"x":{"cert":2}}', { x: { cert: 2 } }],
      ['é', '"é":{}', {}],
      ['鳥', '"鳥":null', null],
    ]);
  });

  test('an object with shared members has the bytes and the places that it has without', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary', maxLength: 6 }), fc.jsonValue({ maxDepth: 4 }), {
          maxKeys: 6,
        }),
        fc.nat(),
        (object, which) => {
          const plain = writeCanonical(structuredClone(object));
          for (const [at, member] of Object.values(object).entries())
            if (((which >> at) & 1) === 1 && typeof member === 'object' && member !== null) shareText(member);
          const written = writeCanonical(object);
          expect(written?.bytes).toEqual(plain?.bytes);
          const read = written && readCanonical(written.bytes);
          if (written?.members !== undefined && read?.ok) expect(written.members).toEqual(read.value.members);
        },
      ),
      runs(300, 5000),
    );
    const far = shareText(JSON.parse(deep(64)));
    expect(canonicalBytes({ far })?.length).toBe(canonicalBytes({ far: JSON.parse(deep(64)) })?.length);
  });

  test('plain data printed at once is in its one form', () => {
    const { data } = fc.letrec((tie) => ({
      data: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.array(tie('data'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), fc.nat().map(String)), tie('data'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(data, (value) => {
        const known = canonicalBytes(value);
        if (known !== undefined) expect(printPlain(value)).toBe(known.toString());
      }),
      runs(300, 5000),
    );
    for (const value of [undefined, null, Number.NaN, 0.5, 2 ** 53, [null], { a: undefined }, () => 1])
      expect(printPlain(value)).toBeUndefined();
  });

  test('names are in the order of UTF-16 units, as RFC 8785 has it', () => {
    expect(canonicalReason('{"\u{1f600}":1,"\ufb33":2}')).toBe('ok');
    expect(canonicalReason('{"\ufb33":2,"\u{1f600}":1}')).toBe('not-canonical');
  });
});
