import { toBytes } from './bytes.js';
import { canBackquote, quoteString } from './quote.js';
import { pad, padding, type Spec } from './spec.js';

/** A string under a verb with its flags; undefined when the verb is not for strings. */
export function printString(text: string, verb: string, spec: Spec): string | undefined {
  switch (verb) {
    case 'v':
      return spec.sharpV ? quoted(text, spec) : plain(text, spec);
    case 's':
      return plain(text, spec);
    case 'q':
      return quoted(text, spec);
    case 'x':
    case 'X':
      return hex(text, verb, spec);
    default:
      return undefined;
  }
}

/** The text cut to the precision, in runes, and padded. */
export function plain(text: string, spec: Spec): string {
  return pad(cut(text, spec.precision), spec);
}

function quoted(text: string, spec: Spec): string {
  const shown = cut(text, spec.precision);
  if (spec.sharp && canBackquote(shown)) return pad(`\`${shown}\``, spec);
  return pad(quoteString(shown, spec.plus), spec);
}

function cut(text: string, runes: number | undefined): string {
  if (runes === undefined || runes >= text.length) return text;
  let end = 0;
  for (let count = 0; count < runes && end < text.length; count++) {
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Bytes in hexadecimal; the precision counts bytes, a space parts them, `#` adds `0x` once or to each. */
function hex(text: string, verb: 'x' | 'X', spec: Spec): string {
  const bytes = toBytes(text).subarray(0, spec.precision);
  if (bytes.length === 0) return padding(spec.width ?? 0, spec);
  const prefix = spec.sharp ? '0x' : '';
  const digits = Array.from(bytes, (byte) => HEX[byte] as string);
  const joined = spec.space ? digits.join(` ${prefix}`) : digits.join('');
  const lower = prefix + joined;
  return pad(verb === 'X' ? lower.toUpperCase() : lower, spec);
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
