import { isPrint } from '../is-print.js';
import { quoteRune, runeText } from '../quote.js';
import { pad, padWithSpaces, type Spec } from '../spec.js';

/** An int under a verb with its flags; undefined when the verb is not for integers. */
export function printInt(value: number | bigint, verb: string, spec: Spec): string | undefined {
  switch (verb) {
    case 'v':
    case 'd':
      return integer(value, { spec, base: 10, prefix: '' });
    case 'b':
      return integer(value, { spec, base: 2, prefix: spec.sharp ? '0b' : '' });
    case 'o':
      return integer(value, { spec, base: 8, prefix: '' });
    case 'O':
      return integer(value, { spec, base: 8, prefix: '0o' });
    case 'x':
      return integer(value, { spec, base: 16, prefix: spec.sharp ? '0x' : '' });
    case 'X':
      return integer(value, { spec, base: 16, prefix: spec.sharp ? '0X' : '', isUpper: true });
    case 'c':
      return pad(runeText(Number(value)), spec);
    case 'q':
      return pad(quoteRune(Number(value), spec.plus), spec);
    case 'U':
      return unicode(value, spec);
    default:
      return undefined;
  }
}

/** An unsigned number in Go's syntax, `0x61`: `%#v` of a uint8 and every address. */
export function printHex(value: number | bigint, spec: Spec, hasPrefix: boolean): string {
  return integer(value, { spec, base: 16, prefix: hasPrefix ? '0x' : '' });
}

interface Form {
  readonly spec: Spec;
  readonly base: number;
  readonly prefix: string;
  readonly isUpper?: boolean;
}

function integer(value: number | bigint, { spec, base, prefix, isUpper }: Form): string {
  const { precision, width } = spec;
  if (precision === 0 && Number(value) === 0) return ' '.repeat(width ?? 0);
  const sign = value < 0 ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  let digits = (value < 0 ? -value : value).toString(base);
  if (isUpper) digits = digits.toUpperCase();
  // Zeros fill the width only when no precision asks for digits; a prefix is not counted, as in Go.
  const wanted = precision ?? (spec.zero && !spec.minus && width !== undefined ? width - sign.length : 0);
  digits = digits.padStart(wanted, '0');
  if (base === 8 && spec.sharp && !digits.startsWith('0')) digits = `0${digits}`;
  return padWithSpaces(sign + prefix + digits, spec);
}

/** `U+0061`, and with `#` the character too. A negative number shows its 64 bits. */
function unicode(value: number | bigint, spec: Spec): string {
  const bits = value < 0 ? BigInt.asUintN(64, BigInt(value)) : value;
  const text = `U+${bits
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(spec.precision ?? 4, 4), '0')}`;
  const isShown = spec.sharp && bits <= 0x10ffff && isPrint(Number(bits));
  return padWithSpaces(isShown ? `${text} '${runeText(Number(bits))}'` : text, spec);
}
