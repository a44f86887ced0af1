import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { createRedactor } from './redactor.js';

const SECRETS: readonly string[] = [
  'hunter2-Secret/Value+9',
  'correct horse battery staple',
  'tschüs-ÿÿþ>>>???-9',
];

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');
const wrap = (text: string, width: number, glue: string): string =>
  text.replace(new RegExp(`.{${width}}(?=.)`, 'g'), (line) => line + glue);

/** Every way to write base64: its alphabet, what stands before the secret, where lines end. */
function* base64Of(secret: string): Generator<readonly [name: string, text: string]> {
  for (const before of ['', 'x', 'xy', 'user:']) {
    for (const alphabet of ['base64', 'base64url'] as const) {
      const plain = bytesOf(`${before}${secret}zz`).toString(alphabet);
      yield [`${alphabet} after ${before.length}`, plain];
      for (const width of [5, 7, 16, 20, 64]) {
        yield [
          `${alphabet} after ${before.length} in lines of ${width} of a shell`,
          wrap(plain, width, '\\\r\n'),
        ];
        yield [`${alphabet} after ${before.length} in lines of ${width}`, wrap(plain, width, '\n')];
        yield [
          `${alphabet} after ${before.length} in lines of ${width}, indented`,
          wrap(plain, width, '\r\n    '),
        ];
        yield [`${alphabet} after ${before.length} in strings of ${width}`, wrap(plain, width, '\\n')];
      }
    }
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((each) => BASE32[Number.parseInt(each.padEnd(5, '0'), 2)]).join('');
}

/** Base32 in every alignment and either case, and base64 of what is packed, short or long and in lines. */
function* packedOf(secret: string): Generator<readonly [name: string, text: string]> {
  const numbers = Array.from({ length: 200 }, (_, at) => (at * 7_919) % 997).join(' ');
  for (const before of ['', 'x', 'xy', 'xyz', 'user:', '{"key":"']) {
    const bytes = bytesOf(`${before}${secret}zz`);
    yield [`base32 after ${before.length}`, base32(bytes)];
    yield [`small base32 after ${before.length}`, `${base32(bytes).toLowerCase()}====`];
    for (const level of [1, 6, 9])
      for (const [name, pack] of Object.entries({ gzip: gzipSync, zlib: deflateSync })) {
        yield [`${name} ${level}`, pack(bytes, { level }).toString('base64')];
        yield [
          `${name} ${level} behind a long line`,
          `${'x'.repeat(200)}\n${pack(bytes, { level }).toString('base64')}`,
        ];
        yield [`${name} ${level} for addresses`, pack(bytes, { level }).toString('base64url')];
        const long = pack(bytesOf(`${before}${numbers}${secret}${numbers}`), { level }).toString('base64');
        yield [`${name} ${level} in lines`, wrap(long, 76, '\n')];
      }
  }
}

function* otherOf(secret: string): Generator<readonly [name: string, text: string]> {
  const hex = bytesOf(secret).toString('hex');
  yield ['hex', hex];
  yield ['HEX', hex.toUpperCase()];
  yield ['hex with colons', hex.replace(/..(?=.)/g, '$&:')];
  yield ['hex with spaces', hex.replace(/..(?=.)/g, '$& ')];
  yield ['hex in lines', wrap(hex, 16, '\n')];
  yield ['hex in lines of a shell', wrap(hex, 18, '\\\n')];
  yield ['hex in lines of a shell in a string', wrap(hex, 18, '\\\\\\n')];
  yield ['percent', [...bytesOf(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')];
  yield ['percent where needed', encodeURIComponent(secret)];
  yield [
    'unicode escapes',
    [...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ];
  yield [
    'byte escapes',
    [...bytesOf(secret)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  ];
  yield ['entities', [...secret].map((char) => `&#${char.codePointAt(0)};`).join('')];
  yield ['upper case', secret.toUpperCase()];
  yield ['base64 twice', bytesOf(bytesOf(secret).toString('base64')).toString('base64')];
}

describe.each(inTurn(SECRETS, 4))('the known secret %s', (secret) => {
  const redactor = createRedactor({ roots: [], private: [], names: [], credentials: [secret] });

  test('is found in every encoding, and nothing of it is left', () => {
    const missed: string[] = [];
    for (const [name, text] of [...base64Of(secret), ...otherOf(secret), ...packedOf(secret)]) {
      for (const around of [text, `see ${text} ok`, `{"a": "${text}",}`]) {
        const out = redactor.redactText(around).text;
        if (redactor.leaks(around).length === 0 || !out.includes('[removed:credential]'))
          missed.push(`${name}: ${around}`);
        expect(redactor.leaks(out)).toEqual([]);
      }
    }
    expect(missed).toEqual([]);
  });

  test('is not seen where it is not', () => {
    for (const other of ['hunter1', 'correct horse', 'another-Secret/Value+8']) {
      const text = `${other} ${bytesOf(other).toString('base64')} ${bytesOf(other).toString('hex')}`;
      expect(redactor.redactText(text).text).toBe(text);
    }
  });
});
