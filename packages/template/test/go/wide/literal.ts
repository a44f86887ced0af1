import type { Random } from '../random.js';
import { anyRune, anyText } from './value.js';

/** A number as a template writes it. */
export function goodNumber(random: Random): string {
  const sign = random.percent(20) ? random.pick(['-', '-', '+']) : '';
  if (random.percent(30)) return sign + String(random.below(300));
  switch (random.below(8)) {
    case 0:
      return `${sign}0x${hexDigits(random, 15)}`;
    case 1:
      return `${sign}0${random.pick(['b', 'B'])}${BigInt(random.below(2 ** 31)).toString(2)}`;
    case 2:
      return `${sign}0${random.pick(['o', 'O', '', '_'])}${random.below(2 ** 31).toString(8)}`;
    case 3:
      return `${sign}0X${hexDigits(random, 8)}${random.percent(50) ? `.${hexDigits(random, 20)}` : ''}p${random.below(2000) - 1100}`;
    case 4:
      return `${sign}${random.below(1e9)}${random.percent(60) ? `.${random.below(1e9)}` : ''}e${random.below(600) - 320}`;
    case 5:
      return `${sign}${random.pick(['', '0', '1_0', '123'])}.${random.below(1e6)}${random.percent(20) ? 'i' : ''}`;
    case 6:
      return `${random.below(100)}${random.pick(['+', '-'])}${random.below(1000) / 8}i`;
    default:
      return sign + String(BigInt(random.below(2 ** 31)) * BigInt(random.below(2 ** 32)));
  }
}

const hexDigits = (random: Random, most: number): string => {
  let made = '';
  for (let left = random.below(most); left >= 0; left--) made += random.pick([...'0123456789abcdefABCDEFeE']);
  return made;
};

/** A number as a template may write it, often one that is none. */
export function number(random: Random): string {
  const first = real(random);
  if (random.percent(12)) {
    return `${first}${random.pick(['+', '-'])}${real(random, false)}${random.percent(90) ? 'i' : ''}`;
  }
  return random.percent(12) ? `${first}i` : first;
}

function real(random: Random, isSigned = true): string {
  const sign = isSigned && random.percent(25) ? random.pick(['-', '-', '+']) : '';
  const prefix = random.percent(35) ? random.pick(['0x', '0X', '0b', '0B', '0o', '0O', '0', '00', '0_']) : '';
  const isHex = /x/i.test(prefix);
  const alphabet = isHex
    ? '0123456789abcdefABCDEFeE'
    : /b/i.test(prefix)
      ? '01'
      : /^0[oO_]?$/.test(prefix)
        ? '01234567'
        : '0123456789';
  const digits = (most: number): string => {
    let made = '';
    for (let left = random.below(most); left >= 0; left--) {
      made += random.pick([...alphabet]);
      if (random.percent(4)) made += random.percent(80) ? '_' : '__';
    }
    return random.percent(2) ? `${made}${random.pick(['8', '9', 'e', '_', 'g', 'x'])}` : made;
  };
  let text = sign + prefix + (random.percent(4) ? '' : digits(random.pick([1, 3, 3, 8, 22])));
  if (random.percent(25)) text += `.${random.percent(15) ? '' : digits(random.pick([1, 4, 18]))}`;
  const exponent = isHex
    ? random.percent(30) && random.pick(['p', 'P', 'p'])
    : random.percent(20) && random.pick(['e', 'E', 'p']);
  if (exponent)
    text += `${exponent}${random.pick(['', '-', '+'])}${random.below(random.pick([3, 30, 400, 2000]))}`;
  return text;
}

/** A character constant, when wild now and then one that is none. */
export function character(random: Random, isWild: boolean): string {
  if (random.percent(45) || !isWild) return `'${random.pick(ESCAPES)}'`;
  if (random.percent(80)) return `'${anyRune(random)}'`;
  return random.pick([
    "''",
    "'ab'",
    "'\\'",
    "'\\8'",
    "'\\400'",
    "'\\ud800'",
    "'\\U00110000'",
    "'\\x4'",
    "'\\\"'",
    "'\"'",
    "'",
    "'\\q'",
  ]);
}

/** A string constant, quoted or raw, when wild now and then one that is none. */
export function string(random: Random, isWild: boolean, text: string = anyText(random)): string {
  if (!text.includes('`') && random.percent(15)) return `\`${text}${random.percent(5) ? '\r\n' : ''}\``;
  let made = '';
  for (const rune of text) {
    if (random.percent(5)) made += random.pick(ESCAPES);
    made += quoted(random, rune);
  }
  if (isWild && random.percent(3))
    made += random.pick(['\\', '\\8', '\\ud800', '\\x', '\\u12', "\\'", '\n', '\\400', '\\\udcff']);
  return `"${made}"`;
}

function quoted(random: Random, rune: string): string {
  const code = rune.codePointAt(0) ?? 0;
  if (code >= 0xdc80 && code <= 0xdcff) return random.percent(50) ? rune : `\\x${(code & 0xff).toString(16)}`;
  if (rune === '"' || rune === '\\') return `\\${rune}`;
  if (rune === '\n') return '\\n';
  if (!random.percent(8)) return rune;
  const hex = (width: number): string => code.toString(16).padStart(width, '0');
  if (code < 0x80)
    return random.pick([
      `\\x${hex(2)}`,
      `\\u${hex(4)}`,
      `\\U${hex(8)}`,
      `\\${code.toString(8).padStart(3, '0')}`,
    ]);
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

const ESCAPES = [
  '\\a', '\\b', '\\f', '\\n', '\\r', '\\t', '\\v', '\\\\', '\\x00', '\\x41', '\\x7f', '\\x80', '\\xff', '\\xc3', '\\000', '\\101',
  '\\377', '\\303', '\\u00e9', '\\u2028', '\\ufffd', '\\ufeff', '\\u200b', '\\u0301', '\\U0001F600', '\\U0010ffff', '\\ud7ff',
]; // biome-ignore format: a table
