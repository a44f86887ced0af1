import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { shadowOf } from './shadow.js';

describe('spellings of /Users/q are undone', () => {
  test.each([
    '/Users/q',
    '%2FUsers%2Fq',
    '%252FUsers%25252Fq',
    '%2525252525252FUsers/q',
    '\\u002fUsers\\u002Fq',
    '\\u{2f}Users\\U0000002fq',
    '\\/Users\\/q',
    '\\x2fUsers\\x2Fq',
    '\\057Users\\057q',
    '&#47;Users&#x2f;q',
    '&sol;Users&sol;q',
    '&amp;#47;Users&amp;amp;sol;q',
    '=2FUsers=2Fq',
    '=2FUse=\r\nrs=2Fq',
    '／Ｕsers／ｑ',
    '∕Users⁄q',
    '/Us\u200bers/\u00adq\u2060',
    '/U\u0301sers/q',
    '//Users///q',
    '/./Users/././q',
    '\\Users\\\\q',
    '\\\\\\\\Users\\\\q',
    '%5CUsers%5C%5Cq',
    '/%55sers/%71',
    '/\\u0055sers/\\u{71}',
    '/\u{e0055}\u{e0073}ers/q',
    '/𝖴𝗌𝖾𝗋𝗌/𝓆',
    '%5cu002fUsers%26%2347;q',
  ])('%s', (spelled) => expect(shadowOf(spelled).lower()).toBe('/users/q'));
});

test.each([
  ['caf%C3%A9', 'cafe'],
  ['cafe\u0301', 'cafe'],
  ['café', 'cafe'],
  ['caf\\303\\251', 'cafe'],
  ['caf%E9', 'cafe'],
  ['caf&eacute;', 'cafe'],
  ['\\uD83D\\uDE00', '😀'],
  ['ﬁle', 'file'],
  ['My\\ Docs', 'my docs'],
  ['a%20b', 'a b'],
  ['https://x.test/a', 'https://x.test/a'],
  ['C:\\data\\2024\\x', 'c:/data/2024/x'],
  ['width=20', 'width=20'],
  ['100% & more', '100% & more'],
])('%s reads as %s', (source, expected) => expect(shadowOf(source).lower()).toBe(expected));

/** Texts dense in everything that escapes are made of. */
const escapes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '%',
        '25',
        '2F',
        '5C',
        '\\',
        'u002f',
        'u',
        'x41',
        '&',
        '#47;',
        'amp;',
        '=',
        '=2F',
        '\r\n',
        '/',
        '.',
        ':',
      ),
      fc.constantFrom(
        'é',
        'e\u0301',
        '\u200b',
        '／',
        '😀',
        '\ud800',
        '\u{e0041}',
        'a',
        'Z',
        '"',
        ' ',
        '\\303\\251',
        'İ',
        'ς',
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('for all texts', () => {
  test('both forms have one length and every place maps to a rising place of the source', () => {
    fc.assert(
      fc.property(escapes, (source) => {
        const shadow = shadowOf(source);
        expect(shadow.lower().length).toBe(shadow.text.length);
        let last = 0;
        for (let at = 0; at < shadow.text.length; at += 1) {
          const start = shadow.startOf(at);
          const end = shadow.endOf(at + 1);
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(source.length);
          expect(end).toBeGreaterThanOrEqual(last);
          last = end;
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('percent encoding any number of times changes nothing', () => {
    const words = fc.array(fc.constantFrom('Users', 'q', 'ab', 'x-1'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 6 }), (parts, times) => {
        const path = `/${parts.join('/')}`;
        let spelled = path;
        for (let round = 0; round < times; round += 1) spelled = encodeURIComponent(spelled);
        expect(shadowOf(spelled).lower()).toBe(path.toLowerCase());
      }),
      runs(1_000, 10_000),
    );
  });
});
