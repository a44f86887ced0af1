import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn, runs } from '../../../../test/runs.js';
import { createLiveWords } from './live-words.js';
import { createRedactor } from './redactor.js';

const hex = (value: number, digits = 2): string => value.toString(16).padStart(digits, '0');
const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
const bytesOf = (text: string): readonly number[] => [...Buffer.from(text)];
const rows = (bytes: readonly number[], size: number): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
const little = (word: readonly number[]): number => word.reduceRight((sum, byte) => sum * 256 + byte, 0);
const shown = (bytes: readonly number[]): string =>
  bytes.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
const wrapped = (text: string, width: number, by: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []).join(by);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base32 = (text: string): string => base32Of(bytesOf(text));
const base32Of = (bytes: Iterable<number>): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('');
};
const dump = (text: string, line: (bytes: readonly number[], at: number) => string): string =>
  rows(bytesOf(text), 16)
    .map((bytes, at) => line(bytes, at * 16))
    .join('\n');

const BEFORE = 'The quick brown fox ';
/** How a secret is spread over a text, so that a text may be cut in it. */
const SPREAD: Readonly<Record<string, (secret: string) => string>> = {
  'base64 in short lines': (secret) => wrapped(base64(BEFORE + secret), 20, '\n'),
  'base64 in long lines': (secret) => wrapped(base64(BEFORE.repeat(4) + secret + BEFORE), 64, '\n'),
  'base64 of mail': (secret) => wrapped(base64(BEFORE.repeat(4) + secret), 76, '\r\n'),
  'base64 in words': (secret) => wrapped(base64(secret), 8, ' '),
  'gzip in lines': (secret) => wrapped(gzipSync(BEFORE + secret).toString('base64'), 40, '\n'),
  'gzip in quoted lines': (secret) =>
    `> ${wrapped(gzipSync(BEFORE + secret).toString('base64'), 40, '\n> ')}`,
  'gzip in a diff': (secret) => `+${wrapped(gzipSync(BEFORE + secret).toString('base64'), 40, '\n+')}`,
  'gzip in lines of a log': (secret) =>
    `10:00:01 INFO ${wrapped(gzipSync(BEFORE + secret).toString('base64'), 40, '\n10:00:01 INFO ')}`,
  'gzip in hex, in lines with numbers': (secret) =>
    `1\t${wrapped(gzipSync(BEFORE + secret).toString('hex'), 60, '\n2\t')}`,
  'zlib in base32, in comments': (secret) =>
    `# ${wrapped(base32Of(deflateSync(BEFORE + secret)), 32, '\n# ')}`,
  'gzip behind a shorter first line': (secret) =>
    `data: ${gzipSync(BEFORE + secret)
      .toString('base64')
      .slice(0, 22)}\n  ${wrapped(
      gzipSync(BEFORE + secret)
        .toString('base64')
        .slice(22),
      32,
      '\n  ',
    )}`,
  'gzip in colours': (secret) =>
    `\x1b[32m${wrapped(gzipSync(BEFORE + secret).toString('base64'), 40, '\x1b[0m\n\x1b[32m')}\x1b[0m`,
  'gzip with empty lines between': (secret) =>
    wrapped(gzipSync(BEFORE + secret).toString('base64'), 40, '\n\n'),
  'base64 of gzip in base64': (secret) =>
    wrapped(base64(gzipSync(BEFORE + secret).toString('base64')), 40, '\n'),
  'base64 in lines of a log': (secret) =>
    `10:00:01 INFO ${wrapped(base64(BEFORE.repeat(4) + secret), 40, '\n10:00:01 INFO ')}`,
  'base64 in lines with their authors': (secret) =>
    `3f7868 (Ada 2026-01-01 1) ${wrapped(base64(BEFORE + secret), 40, '\n3f7868 (Ada 2026-01-01 2) ')}`,
  'hex in comments of a batch file': (secret) =>
    `REM ${wrapped(Buffer.from(BEFORE + secret).toString('hex'), 40, '\nREM ')}`,
  'base32 in a quotation with numbers': (secret) => `> 1: ${wrapped(base32(BEFORE + secret), 40, '\n> 2: ')}`,
  zlib: (secret) => deflateSync(BEFORE + secret).toString('base64'),
  base32: (secret) => base32(secret),
  'base32 in words': (secret) => wrapped(base32(secret), 8, ' '),
  'hex by byte': (secret) =>
    bytesOf(secret)
      .map((byte) => hex(byte))
      .join(' '),
  'hex with colons in lines': (secret) =>
    wrapped(
      bytesOf(secret)
        .map((byte) => hex(byte))
        .join(':'),
      24,
      '\n',
    ),
  'a list in hex': (secret) =>
    bytesOf(secret)
      .map((byte) => `0x${hex(byte)}`)
      .join(', '),
  'a list of numbers': (secret) => `[${bytesOf(secret).join(',\n  ')}]`,
  'two strings': (secret) => `"${secret.slice(0, 2)}" + "${secret.slice(2, 9)}" +\n  '${secret.slice(9)}'`,
  'a letter a line': (secret) => [...secret].join('\n'),
  'quoted-printable': (secret) =>
    wrapped(
      bytesOf(secret)
        .map((byte) => `=${hex(byte).toUpperCase()}`)
        .join(''),
      30,
      '=\n',
    ),
  xxd: (secret) =>
    dump(`${BEFORE}${secret}`, (bytes, at) => {
      const column = rows(bytes, 2).map((word) => word.map((byte) => hex(byte)).join(''));
      return `${hex(at, 8)}: ${column.join(' ').padEnd(39)}  ${shown(bytes)}`;
    }),
  'hexdump -C': (secret) =>
    dump(
      `${BEFORE}${secret}`,
      (bytes, at) => `${hex(at, 8)}  ${bytes.map((byte) => hex(byte)).join(' ')}  |${shown(bytes)}|`,
    ),
  od: (secret) =>
    dump(
      `${BEFORE}${secret}`,
      (bytes, at) =>
        `${octal(at, 7)} ${rows(bytes, 2)
          .map((word) => octal(little(word), 6))
          .join(' ')}`,
    ),
  'od -x': (secret) =>
    dump(
      `${BEFORE}${secret}`,
      (bytes, at) =>
        `${octal(at, 7)} ${rows(bytes, 2)
          .map((word) => hex(little(word), 4))
          .join(' ')}`,
    ),
  'od -b': (secret) =>
    dump(
      `${BEFORE}${secret}`,
      (bytes, at) => `${octal(at, 7)} ${bytes.map((byte) => octal(byte, 3)).join(' ')}`,
    ),
};

/** Another secret of the same length: where both texts differ the text is private. */
const twinOf = (secret: string): string =>
  [...secret]
    .map((char) =>
      'zZ9'.includes(char)
        ? char === 'z'
          ? 'a'
          : char === 'Z'
            ? 'A'
            : '0'
        : String.fromCharCode(char.charCodeAt(0) + 1),
    )
    .join('');
const WINDOW = 8;

const secret = fc.stringMatching(/^[A-Za-z0-9]{14,30}$/).filter((word) => new Set(word).size >= 9);
const around = fc.constantFrom(
  (text: string) => text,
  (text: string) => `see ${text} now.\n`,
  (text: string) => `Result:\n${text}\nThat is all of it.`,
  (text: string) => `\`\`\`\n${text}\n\`\`\`\nok`,
);

describe.each(inTurn(Object.entries(SPREAD), 4))('a known secret as %s', (_kind, spread) => {
  it('is told to nobody who watches, however the text is cut', () => {
    fc.assert(
      fc.property(
        secret,
        around,
        fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 40 }),
        (word, place, steps) => {
          const redactor = createRedactor({ roots: [], private: [], names: [], credentials: [word] });
          const text = place(spread(word));
          const twin = place(spread(twinOf(word)));
          const clean = redactor.redactText(text).text;
          const live = createLiveWords(redactor);
          let told = '';
          for (let at = 0, step = 0; at < text.length; step += 1) {
            const size = steps[step % steps.length]!;
            told += live.feed(text.slice(at, at + size));
            at += size;
          }
          told += live.flush();
          expect(redactor.leaks(clean)).toEqual([]);
          for (let at = 0; at + WINDOW <= text.length; at += 1) {
            const part = text.slice(at, at + WINDOW);
            // What the same text holds with another secret tells nothing of this one.
            if (twin.includes(part)) continue;
            const differs = [...part].filter((char, index) => twin[at + index] !== char).length;
            if (differs > 2 && !clean.includes(part)) expect(told).not.toContain(part);
          }
        },
      ),
      runs(25, 2_000),
    );
  });
});

it('words that agree with no known value are told at once', () => {
  const redactor = createRedactor({ roots: [], private: [], names: [], credentials: ['hunter2-Secret'] });
  const live = createLiveWords(redactor);
  expect(live.feed('Numbers 1, 2, 3 and ')).toBe('Numbers 1, 2, 3 and ');
  expect(live.feed('0x10, 0x20, ')).toBe('0x10, 0x20, ');
  expect(live.feed('00000000: 0102 0304 0506 0708  ')).toBe('00000000: 0102 0304 0506 0708  ');
});

it('the last two letters of a word are not held back, whatever is known', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{4,8}$/),
      fc.array(fc.stringMatching(/^[A-Za-z0-9]{10,20}$/), { minLength: 1, maxLength: 8 }),
      (word, rest) => {
        const known = rest.map((each, index) => word.slice(index % 2 ? -1 : -2) + each);
        const redactor = createRedactor({ roots: [], private: [], names: [], credentials: known });
        const whole = createRedactor({ roots: [], private: [], names: [], credentials: rest });
        const told = createLiveWords(redactor).feed(word);
        expect(told.length).toBeGreaterThanOrEqual(createLiveWords(whole).feed(word).length);
      },
    ),
    runs(50, 2_000),
  );
});

const WORDS = 'legal winner thank year wave sausage worth useful abandon ability zebra yellow'.split(' ');
it.each([
  ['a recovery phrase', (seed: readonly string[]) => `Recovery phrase: ${seed.join(' ')}`],
  [
    'a seed phrase in lines',
    (seed: readonly string[]) => `seed phrase:\n${seed.map((word, at) => `${at + 1}. ${word}`).join('\n')}`,
  ],
  ['a mnemonic', (seed: readonly string[]) => `The mnemonic is "${seed.join(', ')}"`],
  ['the seed of a second factor', () => 'TOTP secret: JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP'],
  ['recovery codes', () => 'Recovery codes:\n1a2b-3c4d\n5e6f-7a8b\n9c0d-1e2f\n3a4b-5c6d'],
] as const)('%s is told to nobody who watches, however the text is cut', (_kind, write) => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(WORDS, { minLength: 12, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 40 }),
      (seed, steps) => {
        const redactor = createRedactor({ roots: [], private: [], names: [] });
        const text = `Look. ${write(seed)}\nThat is all of it.`;
        const live = createLiveWords(redactor);
        let told = '';
        for (let at = 0, step = 0; at < text.length; step += 1) {
          const size = steps[step % steps.length]!;
          told += live.feed(text.slice(at, at + size));
          at += size;
        }
        expect(told + live.flush()).toBe(redactor.redactText(text).text);
      },
    ),
    runs(40, 2_000),
  );
});
