import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { createLiveWords, MAX_HELD } from './live-words.js';
import { createRedactor, type LeakContext } from './redactor.js';

const context: LeakContext = {
  roots: [
    ['@project', '/srv/quinn/Work Space/app'],
    ['@win', 'C:\\Users\\Quinn Ray\\proj'],
  ],
  private: ['/Users/quinnray', 'C:\\Users\\Quinn Ray'],
  names: ['quinnray', 'Quinn Ray', 'MBP-7.local'],
  credentials: ['hunter2-Secret/Value+9', 'correct horse Battery 9 staple'],
};
const redactor = createRedactor(context);
const judge = createRedactor(context);
const forms = createRedactor({ roots: [], private: [], names: [] });

/** The text in pieces of the given sizes, the last of them as long as it takes. */
function cut(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return [...pieces, text.slice(at)];
}

function live(
  pieces: readonly string[],
  by = redactor,
): { readonly told: readonly string[]; readonly all: string } {
  const words = createLiveWords(by);
  const told = pieces.map((piece) => words.feed(piece));
  return { told, all: told.join('') + words.flush() };
}

const sizes = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 60 });
const known = fc.constantFrom(
  '/srv/quinn/Work Space/app/src/a.ts',
  'C:\\Users\\Quinn Ray\\proj\\src\\a.ts',
  '/Users/quinnray/My Documents/plan v2.md',
  '"/Users/quinnray/My Documents/plan"',
  'quinnray',
  'MBP-7.local',
  'hunter2-Secret/Value+9',
  'correct horse Battery 9 staple',
  '/home/somebody/x',
);
const spelled = fc
  .tuple(fc.oneof(known, anyToken), fc.constantFrom(0, 1, 2, 3, 4, 5, 6))
  .map(([secret, how]) => {
    if (how === 1) return encodeURIComponent(secret);
    if (how === 2) return JSON.stringify(secret);
    if (how === 3) return JSON.stringify(secret).replaceAll('/', '\\u002f');
    if (how === 4) return `Authorization: Bearer ${secret}`;
    if (how === 5) return `https://user:${secret}@example.com/`;
    return secret;
  });
const prose = fc.constantFrom(
  ...[
    'the plan',
    'Look at',
    'is done.',
    'src/main.ts',
    '{"a": 1}',
    '日本語の文章',
    '🦉🦉',
    '=',
    '\\',
    '"',
    '(',
    '—',
  ],
);
const gap = fc.constantFrom(' ', '\n', '\r\n', '\t', '  ', '', ', ', '\n\n');
const text = fc
  .array(fc.tuple(fc.oneof(prose, prose, spelled), gap), { maxLength: 12 })
  .map((parts) => parts.map(([word, space]) => word + space).join(''));

describe('words that come in pieces', () => {
  it('however a text is cut, the pieces hold nothing that is known to be private', () => {
    fc.assert(
      fc.property(text, sizes, (whole, by) => {
        const { all } = live(cut(whole, by));
        expect(judge.leaks(all)).toEqual([]);
      }),
      runs(150, 8_000),
    );
  });

  it('however a text is cut, no credential in it is told, nor a part of one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(prose, gap), { maxLength: 6 }),
        anyToken,
        fc.array(fc.tuple(prose, fc.constantFrom(' ', '\n')), { maxLength: 6 }),
        sizes,
        (before, token, after, by) => {
          const head = before.map(([word, space]) => word + space).join('');
          const whole = `${head} ${token} ${after.map(([word, space]) => word + space).join('')}`;
          const { all } = live(cut(whole, by), forms);
          expect(all).toBe(forms.redactText(whole).text);
          for (let at = 0; at + 10 <= token.length; at += 1) {
            expect(all).not.toContain(token.slice(at, at + 10));
          }
        },
      ),
      runs(100, 6_000),
    );
  });

  it('a private key that comes line by line is masked from its first line on', () => {
    const body = Array.from(
      { length: 12 },
      (_, line) => `MIIE${String(line).padStart(2, '0')}${'vQ8aZ'.repeat(11)}`,
    );
    const key = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,9F3A7C11D2E4B586\n\n${body.join('\n')}\n-----END RSA PRIVATE KEY-----`;
    const whole = `Here it is:\n${key}\nKeep it.\n`;
    fc.assert(
      fc.property(sizes, (by) => {
        const { all } = live(cut(whole, by));
        expect(all).toBe(redactor.redactText(whole).text);
      }),
      runs(30, 1_000),
    );
  });

  it('words without anything private come through as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, gap)), sizes, (parts, by) => {
        const whole = parts.map(([word, space]) => word + space).join('');
        expect(live(cut(whole, by), forms).all).toBe(forms.redactText(whole).text);
      }),
      runs(100, 5_000),
    );
  });

  it('a word is told at once unless it may be the beginning of something private', () => {
    expect(live(['Hel', 'lo ', 'world', ', again.'], forms).told).toEqual([
      'Hel',
      'lo ',
      'world',
      ', again.',
    ]);
    for (const text of [
      'take gh',
      'take AKI',
      'take s',
      'Bearer abc',
      'token = abc',
      'see quinn',
      'hun',
      'a_b',
      'x1',
    ])
      expect(live([text]).told.join('')).not.toContain(text.slice(text.lastIndexOf(' ') + 1));
    // Where nothing known begins a word, a known value may still begin inside of it.
    const words = createRedactor({
      ...context,
      roots: [],
      private: [],
      names: ['quinnray'],
      credentials: ['hunter2'],
    });
    expect(live(['xxhunt'], words).told).toEqual(['xx']);
    expect(live(['see qui'], words).told).toEqual(['see ']);
  });

  it('writing without spaces is not held back to its end', () => {
    const { told } = live(['彼は', '本を', '読む'], forms);
    expect(told.join('').length).toBeGreaterThan(3);
  });

  it('a stretch that is longer than what may be held back is masked, and what follows it is told', () => {
    const long = 'ab1'.repeat(MAX_HELD);
    const { all } = live(
      cut(
        `see ${long} and then\n`,
        Array.from({ length: 100 }, () => 5_000),
      ),
      forms,
    );
    expect(all).toBe('see [removed:credential] and then\n');
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQ8aZ1\n'.repeat(MAX_HELD / 8)}`;
    const told = live(
      cut(
        `${key}. Then\n`,
        Array.from({ length: 100 }, () => 5_000),
      ),
      forms,
    ).all;
    expect(told).not.toContain('MIIEv');
    expect(told).toContain('. Then\n');
  });

  it('what is held back is bounded: each piece costs about the same, however long the text is', () => {
    const words = createLiveWords(forms);
    let length = 0;
    for (let count = 0; count < 2_000; count += 1) length += words.feed('some words more ').length;
    expect(length).toBeGreaterThan(2_000 * 16 - 40);
  });
});
