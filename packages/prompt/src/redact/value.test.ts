import { describe, expect, test } from 'vitest';
import { createRedactor, type JsonValue } from './redactor.js';

const redactor = createRedactor({
  roots: [['@project', '/Users/quinnray/p']],
  private: ['/Users/quinnray'],
  names: ['quinnray'],
});

describe('redactValue', () => {
  test.each<readonly [string, JsonValue, JsonValue]>([
    [
      'keys that become equal are told apart',
      { '/Users/quinnray/a': 1, '/Users/quinnray/b': 2 },
      { '[removed:path]': 1, '[removed:path] (2)': 2 },
    ],
    [
      'a key that is already there too',
      { '[removed:path]': 0, '/Users/quinnray/b': 2 },
      { '[removed:path]': 0, '[removed:path] (2)': 2 },
    ],
    ['numbers and null stay', [1.5, null, true, { a: 0 }], [1.5, null, true, { a: 0 }]],
    [
      'folders that only look like paths count in values',
      ['/data/acme/x', '/workspace/secret'],
      ['[removed:path]', '[removed:path]'],
    ],
    [
      'a path that cannot be told from its leaf goes whole',
      ['/Users/quinnray/Notes about the plan/x.md', '/Users/quinnray/x is gone'],
      ['[removed:path]', '[removed:path] is gone'],
    ],
    [
      'JSON inside a string stays JSON',
      ['{"cwd":"/Users/quinnray/p/x","n":1.0}'],
      ['{"cwd":"@project/x","n":1.0}'],
    ],
    ['relative paths stay', ['src/main.ts', './a/b'], ['src/main.ts', './a/b']],
  ])('%s', (_name, value, expected) => expect(redactor.redactValue(value).value).toEqual(expected));

  test('names such as __proto__ stay own keys', () => {
    const value = JSON.parse('{"__proto__":{"x":"quinnray"},"constructor":1}') as JsonValue;
    const clean = redactor.redactValue(value).value;
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"x":"[removed:name]"},"constructor":1}');
  });

  test('kinds are sorted and told once', () => {
    expect(redactor.redactValue(['quinnray', '/Users/quinnray/p/x', 'quinnray']).kinds).toEqual([
      'name',
      'root',
    ]);
    expect(redactor.redactValue(['clean']).kinds).toEqual([]);
  });
});

describe('JSON text', () => {
  test.each([
    [
      'formatting and numbers keep their bytes',
      '{ "a" : 1.0,\n\t"b":12345678901234567890, "c":"quinnray" }',
      '{ "a" : 1.0,\n\t"b":12345678901234567890, "c":"[removed:name]" }',
    ],
    [
      'unchanged literals keep their escapes',
      '["\\u0041\\/x","quinnray"]',
      '["\\u0041\\/x","[removed:name]"]',
    ],
    ['escapes around a find stay', '["a\\n/Users/quinnray/p/x.md\\tb"]', '["a\\n@project/x.md\\tb"]'],
    [
      'twice encoded',
      JSON.stringify(JSON.stringify({ a: '/Users/quinnray/x "y"' })),
      JSON.stringify(JSON.stringify({ a: '[removed:path] "y"' })),
    ],
    [
      'keys that become equal',
      '{"/Users/quinnray/a":1,"/Users/quinnray/b":2}',
      '{"[removed:path]":1,"[removed:path] (2)":2}',
    ],
    ['what is not JSON is text', '{"a":"quinnray",}', '{"a":"[removed:name]",}'],
  ])('%s', (_name, text, expected) => expect(redactor.redactText(text).text).toBe(expected));
});
