import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { flate, makePdf } from '../../test/make-document.js';
import { makeZip } from '../../test/make-zip.js';
import { lookInside, Unreadable } from './inside.js';

const WORD = 'tulip_Harvest!4417';
const PAGE = `notes about it\nthe word is ${WORD} and more words\nend of it\n`;

const wrapped = (text: string, size: number, before = ''): string =>
  (text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []).map((line) => `${before}${line}\n`).join('');
const zip = (words: string): Buffer => Buffer.from(makeZip([{ name: 'a.txt', data: words }]));

function uuencode(bytes: Buffer, digit: (value: number) => string): string {
  let lines = '';
  for (let at = 0; at < bytes.length; at += 45) {
    const row = bytes.subarray(at, at + 45);
    lines += digit(row.length);
    for (let next = 0; next < row.length; next += 3) {
      const [a = 0, b = 0, c = 0] = [row[next], row[next + 1], row[next + 2]];
      lines += [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63].map(digit).join('');
    }
    lines += '\n';
  }
  return `begin 644 a.txt\n${lines}${digit(0)}\nend\n`;
}
const UU = (value: number): string => (value === 0 ? '`' : String.fromCharCode(32 + value));
const XX = (value: number): string =>
  '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[value] as string;

function base85(bytes: Buffer, digit: (value: number) => string): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const size = Math.min(4, bytes.length - at);
    const four = Buffer.alloc(4);
    bytes.copy(four, 0, at, at + size);
    let value = four.readUInt32BE(0);
    let group = '';
    for (let next = 0; next < 5; next += 1) {
      group = digit(value % 85) + group;
      value = Math.floor(value / 85);
    }
    out += group.slice(0, size + 1);
  }
  return out;
}
const ASCII_85 = (value: number): string => String.fromCharCode(33 + value);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const Z_85 = (value: number): string =>
  `0123456789${LETTERS}${LETTERS.toUpperCase()}.-:+=^!/*?&<>()[]{}@%$#`[value] as string;
const RFC_1924 = (value: number): string =>
  `0123456789${LETTERS.toUpperCase()}${LETTERS}!#$%&()*+-;<=>?@^_\`{|}~`[value] as string;

const utf7 = (text: string): string =>
  text.replace(/[^A-Za-z0-9 \n]+/g, (part) => {
    const bytes = Buffer.from(part, 'utf16le').swap16();
    return `+${bytes.toString('base64').replace(/=+$/, '')}-`;
  });

/** Texts that hold words in an encoding of bytes. */
const TEXTS: Readonly<Record<string, (words: string) => string>> = {
  'a mail with a zip': (words) =>
    `Subject: x\nContent-Transfer-Encoding: base64\n\n${wrapped(zip(words).toString('base64'), 76)}\n`,
  'a quoted mail with a zip': (words) => `Hello,\n\n${wrapped(zip(words).toString('base64'), 76, '> ')}`,
  'a zip in an address': (words) => `<a href="data:application/zip;base64,${zip(words).toString('base64')}">`,
  'a zip in JSON, wrapped': (words) =>
    JSON.stringify({ file: wrapped(zip(words).toString('base64'), 60), n: 1 }),
  'gzip for addresses': (words) => `?state=${gzipSync(words).toString('base64url')}&x=1`,
  'a zip in hex': (words) => `x ${zip(words).toString('hex')} y`,
  'a zip in base64 in base64': (words) =>
    Buffer.from(`file: ${zip(words).toString('base64')}`).toString('base64'),
  'zlib in base64': (words) => `z ${deflateSync(Buffer.from(words.repeat(3))).toString('base64')}`,
  'UTF-16 in base64, a command': (words) =>
    `powershell -EncodedCommand ${Buffer.from(words, 'utf16le').toString('base64')}`,
  uuencode: (words) => uuencode(Buffer.from(words), UU),
  'uuencode of a zip': (words) => uuencode(zip(words), UU),
  xxencode: (words) => uuencode(Buffer.from(words), XX),
  'ASCII 85': (words) => `<~${base85(Buffer.from(words), ASCII_85)}~>`,
  'ASCII 85 in lines': (words) => wrapped(base85(Buffer.from(words), ASCII_85), 60),
  'base 85 of Git and Python': (words) => `value = "${base85(Buffer.from(words), RFC_1924)}"`,
  'base 85 of ZeroMQ': (words) => base85(Buffer.from(words), Z_85),
  'a zip in base 85': (words) => base85(zip(words), RFC_1924),
  'UTF-7': utf7,
  'UTF-7 of a folder': (words) => utf7(words).replaceAll('+', '&'),
};

const read = async (bytes: Uint8Array): Promise<string> => {
  const inside = lookInside(bytes);
  const found: string[] = inside.kind === 'text' ? [inside.text] : [];
  for await (const text of inside.kind === 'text' ? inside.held(inside.text) : inside.texts) found.push(text);
  return found.join('\n\n');
};

const reasonOf = (bytes: Uint8Array): Promise<string> =>
  read(bytes).then(
    () => 'ok',
    (thrown: unknown) => (thrown instanceof Unreadable ? thrown.reason : String(thrown)),
  );

describe('a text is looked through for what it holds in an encoding', () => {
  it.each(Object.entries(TEXTS))('%s', async (_, write) => {
    expect(write(PAGE)).not.toContain(WORD);
    expect(await read(Buffer.from(write(PAGE)))).toContain(WORD);
  });

  it('for all words around it and of every length', async () => {
    const words = fc.string({ unit: fc.constantFrom(...'abc XYZ019.,\n'), maxLength: 60 });
    const ways = fc.constantFrom(...Object.keys(TEXTS));
    await fc.assert(
      fc.asyncProperty(words, words, ways, async (before, after, way) => {
        const text = TEXTS[way]?.(`${before} ${WORD} ${after}`) ?? '';
        expect([way, (await read(Buffer.from(text))).includes(WORD)]).toEqual([way, true]);
      }),
      runs(120, 10_000),
    );
  });

  it('and any text is looked through without an error', async () => {
    const dense = fc.string({ unit: fc.constantFrom(...'ABab01+/=-_<~>!u \n\\n&'), maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(dense, async (text) => {
        expect(await reasonOf(Buffer.from(text))).toBe('ok');
      }),
      runs(200, 20_000),
    );
  });

  it('and nobody is led through encodings without an end', async () => {
    let text = PAGE;
    for (let level = 0; level < 7; level += 1) text = Buffer.from(text).toString('base64');
    expect(await reasonOf(Buffer.from(text))).toBe('bomb');
  });
});

/** EBCDIC, code page 1047. */
const ebcdic = (text: string): Buffer => {
  const rows: readonly (readonly [number, string])[] = [
    ...([
      [0x81, 'abcdefghi'],
      [0x91, 'jklmnopqr'],
      [0xa2, 'stuvwxyz'],
      [0xc1, 'ABCDEFGHI'],
    ] as const),
    ...([
      [0xd1, 'JKLMNOPQR'],
      [0xe2, 'STUVWXYZ'],
      [0xf0, '0123456789'],
      [0x40, ' '],
    ] as const),
    ...([
      [0x5a, '!'],
      [0x6d, '_'],
      [0x15, '\n'],
    ] as const),
  ];
  return Buffer.from(
    [...text].map((char) => {
      const [start, row] = rows.find(([, chars]) => chars.includes(char)) as readonly [number, string];
      return start + row.indexOf(char);
    }),
  );
};

describe('bytes without a head that says what they are', () => {
  it.each<readonly [string, Uint8Array]>([
    ['deflate alone', deflateRawSync(Buffer.from(PAGE))],
    ['Brotli', brotliCompressSync(Buffer.from(PAGE))],
    ['EBCDIC', ebcdic(PAGE)],
    ['EBCDIC without a line end', ebcdic(PAGE.replaceAll('\n', ' '))],
    [
      'letters that are struck twice',
      Buffer.from([...PAGE].map((char) => (char === '\n' ? char : `${char}\b${char}`)).join('')),
    ],
    ['UTF-16 without its last byte', Buffer.from(WORD, 'utf16le').subarray(0, -1)],
    ['a zip that a PDF brings along', makePdf([flate(zip(PAGE), '/Type /EmbeddedFile')])],
    ['gzip that a PDF brings along', makePdf([flate(gzipSync(PAGE), '/Type /EmbeddedFile')])],
  ])('%s', async (_, bytes) => {
    expect(await read(bytes)).toContain(WORD);
  });

  it.each<readonly [string, Uint8Array]>([
    ['a package of Debian', Buffer.from('213c617263683e0a64617461fd377a585a000004', 'hex')],
    ['bzip2 within a program', Buffer.from('7f454c46000001425a6839314159265359aa', 'hex')],
    ['BinHex', Buffer.from('(This file must be converted with BinHex 4.0)\n:$f*\n')],
    ['yEnc', Buffer.from('=ybegin line=128 size=5 name=a\nabc\n=yend size=5\n')],
    [
      'xz in a mail',
      Buffer.from(`a\n\n${Buffer.from('fd377a585a000004e6d6b446', 'hex').toString('base64')}\n`),
    ],
  ])('that nobody opens here are refused: %s', async (_, bytes) => {
    expect(await reasonOf(bytes)).toBe('packed');
  });
});
