import { guard } from './guard.js';

/** An invisible character and the text that shows it. Offsets are UTF-16 units. */
export interface Unhidden {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The characters of `text` that a person cannot see but a model reads: Unicode tag characters, bidirectional
 * controls, and zero-width characters outside words and emoji. Each is to be shown as `[U+200B]`.
 * A joiner between two letters, a variation selector after its base, an emoji sequence and the three flags
 * made of tags are ordinary text and stay.
 */
export function findInvisible(text: string): readonly Unhidden[] {
  if (!SUSPECT.test(text)) return [];
  const found: Unhidden[] = [];
  for (const match of text.matchAll(FLAG_OR_SUSPECT)) {
    const [run] = match;
    if (run.startsWith(BLACK_FLAG)) continue;
    if (isOrdinary(text, match.index, run)) continue;
    let at = match.index;
    for (const char of run) {
      if (isHidden(char)) found.push({ start: at, end: at + char.length, text: show(char) });
      at += char.length;
    }
  }
  return found;
}

const show = (char: string): string =>
  `[U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`;

function isHidden(char: string): boolean {
  if (TAG.test(char)) return guard('visible.tag', true);
  if (BIDI.test(char)) return guard('visible.bidi', true);
  return guard('visible.zero-width', true);
}

/** One joiner inside a word or an emoji, or one selector after a character that takes it. */
function isOrdinary(text: string, at: number, run: string): boolean {
  const before = codePointBefore(text, at);
  if (VARIATION.test(run)) return before !== undefined && TAKES_VARIATION.test(before);
  // An emoji's own selector may stand before its joiner.
  const joiner = run.length === 2 && run[0] === '\ufe0f' ? run[1] : run;
  if (joiner === undefined || !ZERO_WIDTH.test(joiner)) return false;
  const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 0x20);
  if (before === undefined) return false;
  if (joiner === '\u200d' && EMOJI.test(before) && EMOJI.test(after)) return true;
  return run === joiner && WORD.test(before) && WORD.test(after);
}

function codePointBefore(text: string, at: number): string | undefined {
  if (at === 0) return undefined;
  const low = text.charCodeAt(at - 1);
  const start = low >= 0xdc00 && low <= 0xdfff && at > 1 ? at - 2 : at - 1;
  return text.slice(start, at);
}

const BLACK_FLAG = '\u{1f3f4}';
const HIDDEN =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
const SUSPECT = new RegExp(`[${HIDDEN}]`, 'u');
/** England, Scotland and Wales: the only flags in use that are spelled with tags. */
const TAG_FLAGS =
  '\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}';
const FLAG_OR_SUSPECT = new RegExp(`${TAG_FLAGS}|[${HIDDEN}]+`, 'gu');
const TAG = /^[\u{e0000}-\u{e007f}]$/u;
const BIDI = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;
const VARIATION = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180d\u180f]$/u;
const TAKES_VARIATION =
  /^[\p{Extended_Pictographic}\p{Emoji}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Sm}\p{So}]$/u;
const ZERO_WIDTH = /^[\u034f\u00ad\u200b-\u200d\u2060]$/u;
const EMOJI = /^[\ufe0f\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const WORD = /^[\p{L}\p{M}\p{N}]$/u;
