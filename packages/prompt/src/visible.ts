import { guard } from '@cuebook/guard';

/** A character that nobody sees and the text that shows it. Offsets are UTF-16 units. */
export interface Unhidden {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The characters of `text` that a person cannot see but a model reads: Unicode tag characters, bidirectional
 * controls, zero-width and other ignorable characters, blanks that are no spaces, control characters, private-use
 * characters, line breaks that only some readers know, and marks that pile up until they cover the lines around them.
 * Each is to be shown as `[U+200B]`. What writing needs is ordinary and stays: tab, line
 * feed and CRLF; joiners in scripts that join; direction marks beside right-to-left letters; a soft hyphen in a
 * word; a variation selector behind a character that takes it; emoji sequences, and the three flags made of tags.
 */
export function findInvisible(text: string): readonly Unhidden[] {
  if (!SUSPECT.test(text)) return [];
  const found: Unhidden[] = [];
  for (const match of text.matchAll(FLAG_OR_SUSPECT)) {
    const [run] = match;
    if (run.startsWith(BLACK_FLAG)) continue;
    if (isOrdinary(text, match.index, run)) continue;
    let at = match.index;
    let marks = 0;
    for (const char of run) {
      marks = MARK.test(char) ? marks + 1 : 0;
      if (marks > MAX_MARKS || isHidden(char)) {
        found.push({ start: at, end: at + char.length, text: showChar(char) });
      }
      at += char.length;
    }
  }
  return found;
}

/** The text with each of them shown. Showing twice is showing once. */
export function showInvisible(text: string): string {
  let out = '';
  let from = 0;
  for (const { start, end, text: shown } of findInvisible(text)) {
    out += text.slice(from, start) + shown;
    from = end;
  }
  return out + text.slice(from);
}

/** `[U+200B]` */
export const showChar = (char: string): string =>
  `[U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Each character that nobody sees is of one of these classes. */
const isHidden = (char: string): boolean =>
  guard('visible.tag', TAG.test(char)) ||
  guard('visible.bidi', BIDI.test(char)) ||
  guard('visible.control', CONTROL.test(char)) ||
  guard('visible.private-use', PRIVATE_USE.test(char)) ||
  guard(
    'visible.zero-width',
    IS_HIDDEN.test(char) && ![TAG, BIDI, CONTROL, PRIVATE_USE].some((each) => each.test(char)),
  );

/** One character that the writing around it needs, or an emoji's selector and joiner. */
function isOrdinary(text: string, at: number, run: string): boolean {
  const before = codePointBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 0x20);
  if (run === '\u200d' || run === '\ufe0f\u200d') {
    if (EMOJI.test(before) && EMOJI.test(after)) return true;
  }
  switch (run) {
    case '\u200c':
    case '\u200d':
      return JOINING.test(before) || JOINING.test(after);
    case '\u200b':
      return UNSPACED.test(before) && UNSPACED.test(after);
    case '\u200e':
    case '\u200f':
    case '\u061c':
      return RIGHT_TO_LEFT.test(nearby(text, at, run));
    case '\u00ad':
      return HYPHENATED.test(text.slice(Math.max(0, at - 4), at + 5));
    case '\u034f':
      return HEBREW.test(before);
    case '\u115f':
    case '\u1160':
      return JAMO.test(before) || JAMO.test(after);
    case '\u2800':
      return BRAILLE.test(before) || BRAILLE.test(after);
    case '\ufe0e':
    case '\ufe0f':
      return TAKES_PRESENTATION.test(before);
    default:
      return takesVariant(before, run) || (GLYPH_JOINERS.test(run) && GLYPH.test(before));
  }
}

/** A selector of a variant, behind a character that has registered or standard variants. */
function takesVariant(before: string, run: string): boolean {
  if (IDEOGRAPHIC.test(run)) return HAN.test(before);
  if (STANDARD.test(run)) return TAKES_STANDARD.test(before);
  return MONGOLIAN_SELECTOR.test(run) && MONGOLIAN.test(before);
}

/** The line around a direction mark, as far as it may lean on it. */
function nearby(text: string, at: number, run: string): string {
  const before = text.slice(Math.max(0, at - NEARBY), at);
  const after = text.slice(at + run.length, at + run.length + NEARBY);
  return before.slice(before.lastIndexOf('\n') + 1) + (after.split('\n', 1)[0] as string);
}

function codePointBefore(text: string, at: number): string {
  if (at === 0) return ' ';
  const low = text.charCodeAt(at - 1);
  const start = low >= 0xdc00 && low <= 0xdfff && at > 1 ? at - 2 : at - 1;
  return text.slice(start, at);
}

const NEARBY = 120;
const BLACK_FLAG = '\u{1f3f4}';
/** Blanks that are no spaces, whatever may be ignored when drawn, controls, private use, separators of lines, and what is no character. */
const HIDDEN =
  '\\u2800\\u{13430}-\\u{1343f}\\u{16fe4}\\u{1d159}\\p{Default_Ignorable_Code_Point}\\p{Co}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffb\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
/** As many marks as one letter of any writing has: stacks of Tibetan have nine. */
const MAX_MARKS = 10;
const MARK = /^\p{M}$/u;
/** A carriage return is ordinary before a line feed alone. */
const ONE = `(?:[${HIDDEN}]|\\r(?!\\n))`;
const FLOOD = `\\p{M}{${MAX_MARKS + 1},}`;
const SUSPECT = new RegExp(`${ONE}|${FLOOD}`, 'u');
/** England, Scotland and Wales: the only flags in use that are spelled with tags. */
const TAG_FLAGS =
  '\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}';
const FLAG_OR_SUSPECT = new RegExp(`${TAG_FLAGS}|${FLOOD}|${ONE}+`, 'gu');
const TAG = /^[\u{e0000}-\u{e007f}]$/u;
const BIDI = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;
const CONTROL = /^[\p{Cc}\p{Zl}\p{Zp}]$/u;
const PRIVATE_USE = /^[\p{Co}\p{Noncharacter_Code_Point}]$/u;
const IS_HIDDEN = new RegExp(`^[${HIDDEN}]$`, 'u');
const BRAILLE = /^[\u2801-\u28ff]$/u;
const GLYPH = /^[\p{Script=Egyptian_Hieroglyphs}\p{Script=Khitan_Small_Script}]$/u;
const GLYPH_JOINERS = /^[\u{13430}-\u{1343f}\u{16fe4}]$/u;
const EMOJI = /^[\ufe0f\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
/** Words are parted with two letters at least on either side: a soft hyphen behind each letter is a message. */
const HYPHENATED = /[\p{L}\p{M}]{2}\u00ad[\p{L}\p{M}]{2}/u;
const HEBREW = /^[\p{Script=Hebrew}]$/u;
const JAMO = /^[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/u;
const HAN = /^\p{Script=Han}$/u;
const MONGOLIAN = /^\p{Script=Mongolian}$/u;
const MONGOLIAN_SELECTOR = /^[\u180b-\u180f]$/u;
/** No ideograph has more registered variants; the other selectors carry bytes. */
const IDEOGRAPHIC = /^[\u{e0100}-\u{e011f}]$/u;
const STANDARD = /^[\ufe00-\ufe02]$/u;
const TAKES_STANDARD =
  /^[0\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}\p{Script=Mongolian}\p{Sm}\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]$/u;
const TAKES_PRESENTATION = /^[\p{Emoji}\p{Extended_Pictographic}\p{Sm}\p{So}]$/u;
/** Scripts in which a joiner or a non-joiner changes how letters are drawn. */
const JOINING =
  /^(?=[\p{L}\p{M}])[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Phags_Pa}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Balinese}\p{Script=Javanese}\p{Script=Meetei_Mayek}\p{Script=Newa}\p{Script=Grantha}\p{Script=Chakma}\p{Script=Tirhuta}]$/u;
/** Scripts that are written without spaces: a zero-width space tells where a line may break. */
const UNSPACED =
  /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Javanese}\p{Script=Balinese}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}]$/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
