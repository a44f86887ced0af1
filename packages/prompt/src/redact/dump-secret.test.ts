import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { createRedactor } from './redactor.js';

const SECRETS = [
  'hunter2-Secret/Value+9',
  'correct horse battery staple',
  'tschüs-ÿÿþ>>>???-9',
  'Zx9kQ2mPw8',
];

type Print = (bytes: readonly number[], at: number) => string;
const hex = (value: number, digits = 2): string => value.toString(16).padStart(digits, '0');
const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
const shown = (bytes: readonly number[]): string =>
  bytes.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
const words = (bytes: readonly number[], size: number): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
const little = (word: readonly number[]): number => word.reduceRight((sum, byte) => sum * 256 + byte, 0);

/** As the programs print a line of sixteen bytes. */
const FORMS: Readonly<Record<string, Print>> = {
  xxd: (bytes, at) => {
    const column = words(bytes, 2).map((word) => word.map((byte) => hex(byte)).join(''));
    return `${hex(at, 8)}: ${column.join(' ').padEnd(39)}  ${shown(bytes)}`;
  },
  'xxd -g1': (bytes, at) =>
    `${hex(at, 8)}: ${bytes
      .map((byte) => hex(byte))
      .join(' ')
      .padEnd(47)}  ${shown(bytes)}`,
  'xxd -u': (bytes, at) =>
    `${hex(at, 8)}: ${bytes.map((byte) => hex(byte).toUpperCase()).join(' ')}  ${shown(bytes)}`,
  'hexdump -C': (bytes, at) => {
    const halves = words(bytes, 8).map((half) => half.map((byte) => hex(byte)).join(' '));
    return `${hex(at, 8)}  ${halves.join('  ').padEnd(48)}  |${shown(bytes)}|`;
  },
  hexdump: (bytes, at) =>
    `${hex(at, 7)} ${words(bytes, 2)
      .map((word) => hex(little(word), 4))
      .join(' ')}`,
  od: (bytes, at) =>
    `${octal(at, 7)} ${words(bytes, 2)
      .map((word) => octal(little(word), 6))
      .join(' ')}`,
  'od -b': (bytes, at) => `${octal(at, 7)} ${bytes.map((byte) => octal(byte, 3)).join(' ')}`,
  'od -tx1': (bytes, at) => `${octal(at, 7)} ${bytes.map((byte) => hex(byte)).join(' ')}`,
  'od -tx4': (bytes, at) =>
    `${octal(at, 7)} ${words(bytes, 4)
      .map((word) => hex(little(word), 8))
      .join(' ')}`,
  'od -c': (bytes, at) => {
    const cell = (byte: number) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : octal(byte, 3));
    return `${octal(at, 7)}${bytes.map((byte) => cell(byte).padStart(4)).join('')}`;
  },
};

const dump = (print: Print, text: string): string =>
  words([...Buffer.from(text)], 16)
    .map((bytes, at) => print(bytes, at * 16))
    .join('\n');

describe.each(inTurn(Object.entries(FORMS), 4))('a dump by %s', (_name, print) => {
  it('of a known secret is masked wherever it stands, and nothing of it is left', () => {
    for (const secret of SECRETS) {
      const redactor = createRedactor({ roots: [], private: [], names: [], credentials: [secret] });
      for (let before = 0; before < 20; before += 1) {
        const text = dump(print, `${'line of text '.repeat(2).slice(0, before)}${secret} and more`);
        for (const around of [text, `see ${text} ok`, `$ dump\n${text}\n$ `, JSON.stringify({ out: text })]) {
          const clean = redactor.redactText(around).text;
          expect([around, clean.includes('[removed:credential]')]).toEqual([around, true]);
          expect(redactor.redactText(clean).text).toBe(clean);
        }
      }
    }
  });

  it('of anything else stays as it is', () => {
    const redactor = createRedactor({ roots: [], private: [], names: [], credentials: SECRETS });
    const text = dump(print, 'nothing that anybody has to hide, 0000 and 00000010 among it');
    expect(redactor.redactText(text).text).toBe(text);
  });
});
