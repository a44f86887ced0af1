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
])('%s stays', (_name, text) => {
  expect(shown(text)).toBe(text);
});
