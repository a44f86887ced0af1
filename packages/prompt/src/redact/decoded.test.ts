import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { LONG_RUN } from './codes.js';
import { isReadable, textOf, worthOf } from './decoded.js';
import { base64Run, hexRuns } from './encoded.js';
import { foldCodePoint } from './fold.js';
import type { LeakContext } from './leak-context.js';
import { compilePathNeedles } from './path-needles.js';
import { createScanner } from './scan.js';
import type { ScanMode } from './walk.js';
import { compileWordNeedles } from './word-needles.js';

const CONTEXTS: readonly LeakContext[] = [
  {
    roots: [['@app', '/app']],
    private: ['/Users/quinnray', 'C:\\Users\\Quinn Ray'],
    names: ['quinnray', 'Quinn Ray', 'alice', 'jo'],
    credentials: ['hunter2-Secret/Value+9', 'pass word'],
  },
  { roots: [], private: ['/data/\u9879\u76ee'], names: ['\u7530\u4e2d', '\u0627\u0644\u0644\u0647'] },
  { roots: [], private: [], names: [], credentials: ['\x01bin\x7fary', '\ufffdodd'] },
];

const KNOWN: ScanMode = { knownOnly: true, inValue: false, depth: 1 };

/** What is known, in spellings that the shadow undoes, and what only looks like it. */
const WORDS: readonly string[] = [
  ...[
    '/app/x',
    '/Users/quinnray/a',
    'C:\\Users\\Quinn Ray',
    'quinnray',
    'QUINNRAY',
    'alice',
    'malice',
    '/home/jo/x',
  ],
  ...[
    '~jo/x',
    'hunter2-Secret/Value+9',
    'pass word',
    '%2Fapp%2Fx',
    '=2Fapp=2Fx',
    'al=69ce',
    '&#97;lice',
    'ali\\u0063e',
  ],
  ...[
    'a\u200bl\u200bi\u200bc\u200be',
    '\uff41lice',
    '\u24d0lice',
    'ﬀ',
    '\ufdfa',
    '\\ufdfa',
    '\u7530\u4e2d',
    '\u9879\u76ee',
  ],
  ...[
    '/data/\u9879\u76ee/x',
    Buffer.from('alice in /Users/quinnray/x').toString('base64'),
    '=\n',
    '=2F',
    '=41=42',
    '/',
  ],
  ...[
    '\x01bin\x7fary',
    '\ufffdodd',
    ' ',
    '\n',
    '-',
    '"',
    '\\',
    '%',
    '&',
    'x',
    '\u00e9',
    '\u{1f600}',
    '\ufeff',
  ],
];
const bytes = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...WORDS).map((word) => Buffer.from(word)) },
      { weight: 2, arbitrary: fc.uint8Array({ maxLength: 6 }).map((each) => Buffer.from(each)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(0xc3, 0xe2, 0xf0, 0x80, 1, 127).map((each) => Buffer.from([each])),
      },
    ),
    { maxLength: 14 },
  )
  .map((parts) => Uint8Array.from(Buffer.concat(parts)));

describe('decoded bytes', () => {
  test.each(CONTEXTS)('what is worth a look holds all that is known', (context) => {
    const scanner = createScanner(context);
    const least = Math.min(compilePathNeedles(context).least, compileWordNeedles(context).least, LONG_RUN);
    // Only the first counts: how far it reaches decides what is left to be found behind it.
    const first = (given: Uint8Array) => scanner.scan(textOf(given), KNOWN)[0]?.kind;
    fc.assert(
      fc.property(bytes, (given) => {
        expect(first(worthOf(given, least))).toBe(first(given));
      }),
      runs(8_000, 500_000),
    );
  });

  test('are readable when at most one in twenty characters is odd', () => {
    const plain = (given: Uint8Array): boolean => {
      const text = new TextDecoder().decode(given);
      const odd = [...text].filter((char) => /[\x00-\x08\x0e-\x1f\x7f\ufffd]/.test(char)).length;
      return odd * 20 <= text.length;
    };
    const long = fc
      .tuple(bytes, fc.nat(60))
      .map(([given, more]) => Buffer.concat([given, Buffer.alloc(more, 97)]));
    fc.assert(
      fc.property(long, (given) => {
        expect(isReadable(given)).toBe(plain(given));
      }),
      runs(8_000, 200_000),
    );
  });

  test('no character folds to more than it is weighed, but for ligatures of Arabic', () => {
    const heavy: string[] = [];
    for (let point = 0x80; point < 0x30000; point += 1) {
      const folded = foldCodePoint(point);
      if (folded.length > (point < 0x800 ? 4 : 7) && !/[\u0600-\u06ff]/.test(folded))
        heavy.push(point.toString(16));
    }
    expect(heavy).toEqual([]);
    expect(foldCodePoint(0xfdfa)).toHaveLength(18);
  });

  test('are those of the run, from every digit on, without zero bytes', () => {
    const run = fc.tuple(
      fc.uint8Array({ minLength: 20, maxLength: 90 }),
      fc.constantFrom('base64', 'base64url', 'hex'),
    );
    fc.assert(
      fc.property(run, ([given, encoding]) => {
        const text = Buffer.from(given).toString(encoding as BufferEncoding);
        const decoded =
          encoding === 'hex'
            ? hexRuns(text, 0, text.length).flatMap((each) => each.decoded)
            : base64Run(text, 0, text.replace(/=+$/, '').length).decoded;
        const expected = [0, 1, 2, 3]
          .map((shift) =>
            Buffer.from(text.slice(shift), encoding as BufferEncoding).filter((byte) => byte !== 0),
          )
          .map((each) => Buffer.from(each).toString('hex'));
        for (const each of decoded) expect(expected).toContain(Buffer.from(each).toString('hex'));
        if (encoding === 'hex') expect(decoded).toHaveLength(2);
      }),
      runs(5_000, 100_000),
    );
  });
});
