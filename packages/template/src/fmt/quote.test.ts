import { describe, expect, test } from 'vitest';
import { canBackquote, quoteRune, quoteString } from './quote.js';

const STRINGS: readonly (readonly [string, string])[] = [
  ['', '""'],
  ['abc', '"abc"'],
  ['héé 日本 😀', '"héé 日本 😀"'],
  ['a"b\'c`d\\', '"a\\"b\'c`d\\\\"'],
  ['\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\0\x01\x1f\x7f', '"\\x00\\x01\\x1f\\x7f"'],
  ['\u0080\u00a0\u00ad\u2028\ufeff\u200b', '"\\u0080\\u00a0\\u00ad\\u2028\\ufeff\\u200b"'],
  ['e\u0301', '"e\u0301"'],
  ['\ufffd', '"\ufffd"'],
  ['\uDCC3', '"\\xc3"'],
  ['h\uDCC3', '"h\\xc3"'],
  ['\uDCFF\uDC80é', '"\\xff\\x80é"'],
  ['\u{e0001}\u{10ffff}\u{1f600}', '"\\U000e0001\\U0010ffff😀"'],
  ['\ue000\u0378', '"\\ue000\\u0378"'],
  ['\u3000', '"\\u3000"'],
];

const ASCII_STRINGS: readonly (readonly [string, string])[] = [
  ['', '""'],
  ['abc', '"abc"'],
  ['héé 日本 😀', '"h\\u00e9\\u00e9 \\u65e5\\u672c \\U0001f600"'],
  ['a"b\'c`d\\', '"a\\"b\'c`d\\\\"'],
  ['\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\0\x01\x1f\x7f', '"\\x00\\x01\\x1f\\x7f"'],
  ['\u0080\u00a0\u00ad\u2028\ufeff\u200b', '"\\u0080\\u00a0\\u00ad\\u2028\\ufeff\\u200b"'],
  ['e\u0301', '"e\\u0301"'],
  ['\ufffd', '"\\ufffd"'],
  ['\uDCC3', '"\\xc3"'],
  ['h\uDCC3', '"h\\xc3"'],
  ['\uDCFF\uDC80é', '"\\xff\\x80\\u00e9"'],
  ['\u{e0001}\u{10ffff}\u{1f600}', '"\\U000e0001\\U0010ffff\\U0001f600"'],
  ['\ue000\u0378', '"\\ue000\\u0378"'],
  ['\u3000', '"\\u3000"'],
];

const RUNES: readonly (readonly [number, string])[] = [
  [97, "'a'"],
  [39, "'\\''"],
  [34, "'\"'"],
  [92, "'\\\\'"],
  [10, "'\\n'"],
  [0, "'\\x00'"],
  [31, "'\\x1f'"],
  [127, "'\\x7f'"],
  [128, "'\\u0080'"],
  [160, "'\\u00a0'"],
  [173, "'\\u00ad'"],
  [233, "'é'"],
  [769, "'\u0301'"],
  [8232, "'\\u2028'"],
  [65279, "'\\ufeff'"],
  [65533, "'\ufffd'"],
  [55296, "'\ufffd'"],
  [56575, "'\ufffd'"],
  [128512, "'😀'"],
  [917505, "'\\U000e0001'"],
  [1114111, "'\\U0010ffff'"],
  [1114112, "'\ufffd'"],
  [-1, "'\ufffd'"],
];

const BACKQUOTES: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['abc', true],
  ['a\tb', true],
  ['é\u2028\ufffd"', true],
  ['a\nb', false],
  ['a\rb', false],
  ['`', false],
  ['\x7f', false],
  ['\ufeff', false],
  ['\uDC80', false],
];

describe('quoteString, with the answers of Go', () => {
  test.each(STRINGS)('%j', (text, expected) => {
    expect(quoteString(text)).toBe(expected);
  });
});

describe('quoteString in ASCII, with the answers of Go', () => {
  test.each(ASCII_STRINGS)('%j', (text, expected) => {
    expect(quoteString(text, true)).toBe(expected);
  });
});

describe('quoteRune, with the answers of Go', () => {
  test.each(RUNES)('%i', (codePoint, expected) => {
    expect(quoteRune(codePoint)).toBe(expected);
  });
});

describe('canBackquote', () => {
  test.each(BACKQUOTES)('%j: %s', (text, expected) => {
    expect(canBackquote(text)).toBe(expected);
  });
});
