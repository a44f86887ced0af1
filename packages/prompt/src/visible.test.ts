import { expect, test } from 'vitest';
import { findInvisible } from './visible.js';

const shown = (text: string): string => {
  let out = '';
  let from = 0;
  for (const { start, end, text: instead } of findInvisible(text)) {
    out += text.slice(from, start) + instead;
    from = end;
  }
  return out + text.slice(from);
};

test.each([
  ['tag characters', 'hi\u{e0048}\u{e0049}', 'hi[U+E0048][U+E0049]'],
  ['tags behind a flag that is not in use', '\u{1f3f4}\u{e0061}\u{e007f}', '\u{1f3f4}[U+E0061][U+E007F]'],
  ['a bidi override', 'a\u202eb', 'a[U+202E]b'],
  ['a bidi isolate', 'a\u2066b', 'a[U+2066]b'],
  ['a direction mark', 'a\u200fb', 'a[U+200F]b'],
  ['a zero-width space at the edge of a word', 'a \u200bb', 'a [U+200B]b'],
  ['a joiner between spaces', 'a \u200d b', 'a [U+200D] b'],
  ['two zero-width characters in a word', 'a\u200b\u200cb', 'a[U+200B][U+200C]b'],
  ['a byte order mark inside a text', 'a\ufeffb', 'a[U+FEFF]b'],
  ['a run of variation selectors', 'a\ufe01\ufe02\ufe03', 'a[U+FE01][U+FE02][U+FE03]'],
  ['a selector on a plain letter', 'a\u{e0101}', 'a[U+E0101]'],
  ['a Hangul filler', 'a\u3164b', 'a[U+3164]b'],
  ['a joiner between Latin letters', 'a\u200db', 'a[U+200D]b'],
  ['a zero-width space between Latin letters', 'a\u200bb', 'a[U+200B]b'],
  ['a selector of ideographs on an emoji', '😀\u{e0101}', '😀[U+E0101]'],
  ['an escape of a terminal', '\x1b[31mred', '[U+001B][31mred'],
  ['a record separator', 'a\x1eb', 'a[U+001E]b'],
  ['a carriage return alone', 'a\rb\r\nc', 'a[U+000D]b\r\nc'],
  ['a line separator', 'a\u2028b\u0085c', 'a[U+2028]b[U+0085]c'],
  ['a character of private use', 'a\ue000b\u{10fffd}', 'a[U+E000]b[U+10FFFD]'],
  ['what is no character', 'a\ufdd0b', 'a[U+FDD0]b'],
  ['a blank of Braille between letters', 'a\u2800b', 'a[U+2800]b'],
  ['a joiner of hieroglyphs on its own', 'a\u{13430}b', 'a[U+13430]b'],
  ['a head of a note without a shape', 'a\u{1d159}b', 'a[U+1D159]b'],
  ['soft hyphens behind each letter', 's\u00ado\u00adft', 's[U+00AD]o[U+00AD]ft'],
  ['a selector that no ideograph has', '葛\u{e0120}', '葛[U+E0120]'],
  ['marks that pile up', `a${'\u0301'.repeat(12)}b`, `a${'\u0301'.repeat(10)}[U+0301][U+0301]b`],
  ['an isolate in Hebrew', '\u05d0\u2067\u05d1', '\u05d0[U+2067]\u05d1'],
])('%s are shown', (_name, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each([
  ['plain text', 'Hello, world.'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['a Hindi conjunct with a joiner', 'क्\u200dष'],
  ['a family', '👨\u200d👩\u200d👧\u200d👦'],
  ['a heart with a selector', '❤\ufe0f'],
  ['a heart on fire', '❤\ufe0f\u200d🔥'],
  ['a skin tone and a joiner', '👩🏽\u200d🚀'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a soft hyphen inside a word', 'Donau\u00addampf'],
  ['an ideograph with its variant', '葛\u{e0100}'],
  ['a direction mark in Hebrew', 'C++\u200f \u05d4\u05d9\u05d0 \u05e9\u05e4\u05d4'],
  ['a direction mark in Arabic', '\u0645\u0631\u062d\u0628\u0627 (a)\u200e'],
  ['an Arabic letter mark', '\u0661\u061c\u0662 \u0645'],
  ['a joiner at the end of an Arabic word', '\u0647\u200d \u0633'],
  ['a Malayalam chillu in the old spelling', '\u0d05\u0d35\u0d28\u0d4d\u200d '],
  ['a break in Khmer', '\u1797\u17b6\u200b\u178f\u17b7'],
  ['a break in Thai', '\u0e20\u0e32\u200b\u0e29\u0e32'],
  ['Mongolian with its selector', '\u1820\u180b'],
  ['text in an emoji', '☎\ufe0e ©\ufe0f'],
  ['a rainbow flag', '🏳\ufe0f\u200d🌈'],
  ['Braille with its blank', '\u2813\u2811\u2800\u2807'],
  ['hieroglyphs that are joined', '\u{13000}\u{13430}\u{13001}'],
  ['a stack of Tibetan', '\u0f67\u0f90\u0fb5\u0fa8\u0fb3\u0fba\u0fbc\u0fbb\u0f82'],
  ['lines and tabs', 'a\r\n\tb\n'],
])('%s stays', (_name, text) => {
  expect(shown(text)).toBe(text);
});
