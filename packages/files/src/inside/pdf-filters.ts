import { constants, inflateSync } from 'node:zlib';
import { bounded } from './archive-texts.js';
import type { Budget } from './budget.js';

/**
 * The data of a stream with its filters undone, as far as they hold text; undefined for a picture. What is broken is
 * given as far as it could be read, as every viewer does.
 */
export function unfiltered(data: Buffer, dictionary: string, budget: Budget): Buffer | undefined {
  let decoded = data;
  for (const filter of filtersOf(dictionary)) {
    const decode = FILTERS[filter];
    if (decode === undefined) return undefined;
    decoded = decode(decoded, budget);
    budget.take(decoded.length);
  }
  return unpredicted(decoded, dictionary);
}

function filtersOf(dictionary: string): readonly string[] {
  const match = /\/(?:Filter|F)\s*(\[[^\]]*\]|\/[A-Za-z0-9]+)/.exec(dictionary)?.[1] ?? '';
  return [...match.matchAll(/\/([A-Za-z0-9]+)/g)].map(([, name]) => name ?? '');
}

type Decode = (data: Buffer, budget: Budget) => Buffer;

const flate: Decode = (data, budget) => {
  const options = { maxOutputLength: budget.room(), finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return Buffer.from(bounded(() => inflateSync(data, options)));
  } catch (thrown) {
    if ((thrown as { readonly reason?: string }).reason === 'broken') return data;
    throw thrown;
  }
};

const asciiHex: Decode = (data) =>
  Buffer.from(
    data
      .toString('latin1')
      .split('>')[0]
      ?.replace(/[^0-9a-fA-F]/g, '') ?? '',
    'hex',
  );

const ascii85: Decode = (data) => {
  const text = (data.toString('latin1').split('~>')[0] ?? '').replace(/^<~/, '').replace(/\s/g, '');
  const bytes: number[] = [];
  let group: number[] = [];
  const flush = (size: number): void => {
    const digits = [...group, ...Array.from({ length: 5 - group.length }, () => 84)];
    const value = digits.reduce((sum, digit) => sum * 85 + digit, 0);
    const whole = [value / 0x1000000, value / 0x10000, value / 0x100, value].map(
      (part) => Math.floor(part) & 0xff,
    );
    bytes.push(...whole.slice(0, size));
    group = [];
  };
  for (const char of text) {
    if (char === 'z' && group.length === 0) bytes.push(0, 0, 0, 0);
    else group.push(char.charCodeAt(0) - 33);
    if (group.length === 5) flush(4);
  }
  if (group.length > 1) flush(group.length - 1);
  return Buffer.from(bytes);
};

const runLength: Decode = (data, budget) => {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const length = data[at] ?? 128;
    if (length === 128) break;
    const isCopy = length < 128;
    const part = isCopy ? data.subarray(at + 1, at + 2 + length) : Buffer.alloc(257 - length, data[at + 1]);
    budget.take(part.length);
    parts.push(part);
    at += isCopy ? 2 + length : 2;
  }
  return Buffer.concat(parts);
};

/** Codes of 9 to 12 bits, each one byte longer than one before; 256 begins again, 257 ends. */
const lzw: Decode = (data, budget) => {
  const parts: Buffer[] = [];
  let table: Buffer[] = [];
  let width = 9;
  let last: Buffer | undefined;
  let bits = 0;
  let count = 0;
  const reset = (): void => {
    table = Array.from({ length: 258 }, (_, byte) => Buffer.from(byte < 256 ? [byte] : []));
    width = 9;
    last = undefined;
  };
  reset();
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff;
    count += 8;
    if (count < width) continue;
    count -= width;
    const code = (bits >> count) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      reset();
      continue;
    }
    const found =
      table[code] ?? (last === undefined ? undefined : Buffer.concat([last, last.subarray(0, 1)]));
    if (found === undefined) break;
    budget.take(found.length);
    parts.push(found);
    if (last !== undefined) table.push(Buffer.concat([last, found.subarray(0, 1)]));
    last = found;
    width = table.length >= 2047 ? 12 : table.length >= 1023 ? 11 : table.length >= 511 ? 10 : 9;
  }
  return Buffer.concat(parts);
};

const FILTERS: Readonly<Record<string, Decode>> = {
  FlateDecode: flate,
  Fl: flate,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
  RunLengthDecode: runLength,
  RL: runLength,
  LZWDecode: lzw,
  LZW: lzw,
};

/** Rows that were written as differences to the row above or to the bytes before, as in PNG. */
function unpredicted(data: Buffer, dictionary: string): Buffer {
  const number = (name: string, otherwise: number): number =>
    Number(new RegExp(`/${name}\\s+(\\d{1,5})`).exec(dictionary)?.[1] ?? otherwise);
  if (number('Predictor', 1) < 10) return data;
  const unit = Math.max(1, Math.ceil((number('Colors', 1) * number('BitsPerComponent', 8)) / 8));
  const width = Math.max(
    1,
    Math.ceil((number('Columns', 1) * number('Colors', 1) * number('BitsPerComponent', 8)) / 8),
  );
  const rows: Buffer[] = [];
  let above = Buffer.alloc(width);
  for (let at = 0; at < data.length; at += width + 1) {
    const row = Buffer.from(data.subarray(at + 1, at + 1 + width));
    for (let x = 0; x < row.length; x += 1) {
      const left = row[x - unit] ?? 0;
      const up = above[x] ?? 0;
      const corner = above[x - unit] ?? 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][data[at] ?? 0] ?? 0;
      row[x] = ((row[x] ?? 0) + guess) & 0xff;
    }
    rows.push(row);
    above = row;
  }
  return Buffer.concat(rows);
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
