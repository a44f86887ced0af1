import { pairOf } from '../ascii.js';

/** A word without which something is certainly not in a text. */
export interface Sign {
  readonly word: string;
  readonly number: number;
  /** Where in the word its rarest two characters stand: a text is compared with the word only where it has these. */
  readonly offset: number;
  /** One more of its characters, and how far from the first of the two it stands: most places fail on it. */
  readonly code: number;
  readonly beside: number;
  /** Its places are kept, not only whether it is there. */
  readonly isPlaced: boolean;
  /** The number of another one with the same rarest two characters, or 0. */
  readonly next: number;
}

/** By two bytes, as this machine reads them: bit by bit who looks closer where they stand. */
export const MARKS = new Uint8Array(1 << 16);
/** Somebody who looks for a sign. */
export const SIGN = 1;

/** By number, from 1 on. */
export const SIGNS: Sign[] = [];
/** By two bytes: the number of the first sign with these as its rarest two, or 0. */
export const FIRST_SIGN = new Uint16Array(1 << 16);

/** A word of two or more characters of ASCII as what is looked for. */
export const signOf = (word: string): Sign => register(word, false);

/** The same, of which the places are asked for. */
export const placedSign = (word: string): Sign => register(word, true);

function register(word: string, isPlaced: boolean): Sign {
  const number = Math.max(1, SIGNS.length);
  const offset = rarestIn(word);
  const beside = offset > 0 ? -offset : Math.min(2, word.length - 1);
  const pair = pairOf(word.charCodeAt(offset), word.charCodeAt(offset + 1));
  const code = word.charCodeAt(offset + beside);
  const sign: Sign = { word, number, offset, code, beside, isPlaced, next: FIRST_SIGN[pair]! };
  SIGNS[number] = sign;
  FIRST_SIGN[pair] = number;
  MARKS[pair]! |= SIGN;
  return sign;
}

function rarestIn(word: string): number {
  let best = 0;
  for (let at = 1; at + 1 < word.length; at += 1) if (rarity(word, at) > rarity(word, best)) best = at;
  return best;
}

/** Greater for rarer pairs; those that are not listed are all rare. */
function rarity(word: string, at: number): number {
  const rank = FREQUENT.indexOf(word.slice(at, at + 2));
  return rank === -1 ? FREQUENT.length : rank;
}

/** Pairs of characters of prose and code, from the most frequent on. */
const FREQUENT: readonly string[] = (
  'e |s | t|th|t |he| a|d | s|in|er|re|es|on|an|n | i|at|or|nd|st|r |en| o|te|, |is| w|it|to|: |ti|ar|ed| c|y |o |ou|se|ro|nt|' +
  'al|le|of|f | p|co|ha|hi|as|io|ne|me|de|ve|ng|g |a |ea| b|ri|li| f|om|ll|ch| m|ra|ce|l |ic|el|ho| d|be|no|ta|ec|wh|ma|ns|et|ot|' +
  'ut|il|ur|si|h |la|un|us|pe|ct|tr|ac|so|pr| n| h|ai|di|ee|ge| r|fo|rs| l|m |ss|ie|lo|ad|ke|wi|em|ts|fi|po|ol|ca|am|ow|mp|k |p | e|' +
  'id|nc|ex|sh|ag|do|wa|pa|ul| u|tu|im|mo|ir|op|iv|ev|ey|ni|ld|tt|rt|os|bl|na|w |ff|ef|pl|sa|ay|ck|ly|vi|up|rd|su|ry|mi|bo|ru|ab|if|' +
  'uc|ig|fr|gr|rk|ap|av|cl|by|wo|go|pp|rr|ds|ui|fe|ep|sp|ty|cr|od|oo|" | "|" ,|/s|s/|t/|(|)|--|- | -| /|a.|e.|s.|t.|.t|.m|.j|e,|s,'
).split('|');
