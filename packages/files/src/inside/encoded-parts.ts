import { base85Readings } from './base85.js';
import { Unreadable } from './budget.js';
import { utf7Readings } from './utf7.js';

/**
 * What stands in a text in an encoding of bytes: base64, base32 and hex, wrapped into lines or not, in a mail, an address
 * or the strings of a program; what uuencode and base 85 write; UTF-7. Linear. An encoding of mail that is not undone
 * here is told as packed. A text among them is a reading of the whole, bytes are to be looked into.
 */
export function* encodedParts(text: string): Iterable<string | Uint8Array> {
  if (UNDONE_NOWHERE.test(text)) throw new Unreadable('packed');
  // In a string of a program line ends and slashes are escaped.
  const plain = text.includes('\\') ? text.replace(/\\[rn]/g, '\n').replaceAll('\\/', '/') : text;
  for (const block of blocksOf(plain, RUN)) yield* decodings(block);
  yield* uuencoded(plain);
  for (const block of blocksOf(plain, DENSE)) if (/[^\w+/=-]/.test(block)) yield* base85Readings(block);
  yield* utf7Readings(plain);
}

/** BinHex and yEnc. */
const UNDONE_NOWHERE = /^\(This file must be converted with BinHex|^=ybegin .{0,80}\bline=/m;

/** The longest run of a line. */
const RUN = /[A-Za-z0-9+/_-]{16,}={0,6}/g;
const DENSE = /[!-~]{20,}/g;
/** What a line may have before and behind its run: signs of a quote, a comment, a list, a string that goes on. */
const BESIDE = /^[\s>"'`|#*,+;:.()<~]*$/;
/** A run in a line of other words is looked at from here on. */
const ALONE = 40;

/** The runs of neighbouring lines that have nothing else, joined; and long runs among other words. */
function* blocksOf(text: string, run: RegExp): Iterable<string> {
  let block: string[] = [];
  const joined = (): string => {
    const whole = block.join('');
    block = [];
    return whole;
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    const runs = line.length < 4 ? [] : [...line.matchAll(run)];
    const [first] = runs;
    const last = runs.at(-1);
    const isWhole = first !== undefined && runs.length === 1 && isBeside(line.slice(0, first.index));
    const isEnd = last !== undefined && isBeside(line.slice(last.index + last[0].length));
    if (isWhole && isEnd) {
      block.push(first[0]);
      continue;
    }
    // The last line of a block is shorter than a run.
    const rest = /^[\s>"'`|#*+]{0,12}([!-~]{1,19}?)["'`,;)\s+]{0,6}$/.exec(line)?.[1];
    // Or it is a line of its own.
    if (block.length > 0 && rest !== undefined) yield block.join('') + rest;
    if (block.length > 0) yield joined();
    for (const each of runs) {
      if (each === last && isEnd) block.push(each[0]);
      else if (each[0].length >= ALONE) yield each[0];
    }
  }
  if (block.length > 0) yield joined();
}

const isBeside = (part: string): boolean => part.length < 40 && BESIDE.test(part);

const MIN_BYTES = 8;

function* decodings(block: string): Iterable<Uint8Array> {
  const bytes: Buffer[] = [Buffer.from(block, 'base64')];
  if (/^[\da-fA-F]+$/.test(block)) bytes.push(Buffer.from(block, 'hex'));
  if (/^[A-Z2-7]+=*$/.test(block)) bytes.push(base32(block));
  for (const each of bytes) if (each.length >= MIN_BYTES) yield each;
}

function base32(word: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of word.replace(/=+$/, '')) {
    value = ((value << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

/** Files of uuencode and xxencode: each line begins with how many bytes it has. */
function* uuencoded(text: string): Iterable<Uint8Array> {
  for (const { index, 0: head } of text.matchAll(/^begin [0-7]{3,4} .{1,200}\r?\n/gm)) {
    const close = text.slice(index).search(/^end\s*$/m);
    const lines = text.slice(index + head.length, close === -1 ? undefined : index + close).split(/\r?\n/);
    yield fromLines(lines, (code) => (code - 32) & 63);
    yield fromLines(lines, (code) => XX.indexOf(String.fromCharCode(code)) & 63);
    if (close === -1) return;
  }
}

const XX = '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function fromLines(lines: readonly string[], digit: (code: number) => number): Uint8Array {
  return Buffer.concat(
    lines.map((line) => {
      const size = line === '' ? 0 : digit(line.charCodeAt(0));
      const bytes: number[] = [];
      for (let at = 1; at < line.length && bytes.length < size; at += 4) {
        const four = [0, 1, 2, 3].map((next) => digit(line.charCodeAt(at + next) || 32));
        const value = (four[0]! << 18) | (four[1]! << 12) | (four[2]! << 6) | four[3]!;
        bytes.push(value >> 16, (value >> 8) & 0xff, value & 0xff);
      }
      return Buffer.from(bytes.slice(0, size));
    }),
  );
}
