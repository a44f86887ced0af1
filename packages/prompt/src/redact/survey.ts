import { IS_LITTLE, type LooseAscii, pairOf, readLoosely } from '../ascii.js';
import { isPlain } from '../shell/fold.js';
import { isDigit } from './chars.js';
import { addWordAt, isSolid } from './long-words.js';
import { CHOSEN_CHARS, CHOSEN_SIGNS } from './secret/chosen.js';
import { FIRST_SIGN, MARKS, SIGN, SIGNS, type Sign } from './sign.js';

/**
 * What one look at a text tells all who look for something in it, so that each of them goes only where it has a reason
 * to. All of it is ASCII.
 */
export interface Survey {
  readonly isAscii: boolean;
  /** See `isPlain`. */
  readonly isPlain: boolean;
  /** A colon with a digit behind it: the place of a line may be in it. */
  readonly hasNumbers: boolean;
  /** Where something may start that a walk visits, by the marks that the text was looked at with. */
  readonly starts: readonly number[];
  /** Where signs stand whose places are kept: the number of the sign and where it starts, by turns. */
  readonly places: readonly number[];
  /** Where the signs of chosen passwords stand that touch something else of one. */
  readonly chosen: readonly number[];
  /** The words of `LONG_WORD` characters and more: where they start and end, and whether they look made by chance. */
  readonly words: readonly number[];
}

/** By two neighbouring bytes what a look stops at: the same for all, and what one context has of its own. */
export interface Marks {
  readonly own: Uint8Array;
  all: Uint8Array;
  /** How many signs there were. */
  count: number;
}

/** Something may start at the first or at the second of two bytes. */
export const [START, START_BEHIND] = [32, 64];

/** `own` has these two alone. */
export const createMarks = (own: Uint8Array): Marks => ({ own, all: own, count: -1 });

let round = 0;
/** By number of a sign: the last round in which a text had it. */
let seen = new Uint32Array(512);
let lastText: string | undefined;
let last: Survey | undefined;
/** Texts are looked at for whom the last one was: most are asked for by the same one. */
let marks: Marks = createMarks(new Uint8Array(1 << 16));

/** The survey of a text, with the starts of some context; the one that was surveyed last is not looked at again. */
export function surveyOf(text: string): Survey {
  if (last !== undefined && text === lastText && marks.count === SIGNS.length) return last;
  if (marks.count !== SIGNS.length) bringUpToDate(marks);
  round += 1;
  const survey = look(readLoosely(text), text.length, marks.all);
  [last, lastText] = [survey, text];
  return survey;
}

/** The same with the starts of this context. */
export function surveyFor(text: string, wanted: Marks): Survey {
  if (wanted !== marks) [marks, last] = [wanted, undefined];
  return surveyOf(text);
}

/** Signs are named as modules are loaded. */
function bringUpToDate(of: Marks): void {
  of.all = of.own.map((own, pair) => own | MARKS[pair]!);
  of.count = SIGNS.length;
  if (of.count > seen.length) seen = new Uint32Array(2 * of.count);
}

/** `text.includes(word)`: all signs share one look. */
export function holds(text: string, sign: Sign): boolean {
  surveyOf(text);
  return seen[sign.number] === round;
}

export function holdsAny(text: string, signs: readonly Sign[]): boolean {
  surveyOf(text);
  for (let at = 0; at < signs.length; at += 1) if (seen[signs[at]!.number] === round) return true;
  return false;
}

/** The first or the second of two characters is a sign of a chosen password, and the other one may be part of it. */
const [CHOSEN_FIRST, CHOSEN_SECOND] = [2, 4];
for (let sign = 0; sign < 128; sign += 1) {
  if (CHOSEN_SIGNS[sign] !== 1) continue;
  for (let other = 0; other < 128; other += 1) {
    if (CHOSEN_CHARS[other] !== 1) continue;
    MARKS[pairOf(sign, other)]! |= CHOSEN_FIRST;
    MARKS[pairOf(other, sign)]! |= CHOSEN_SECOND;
  }
}

/** A character that is not plain, with anything behind it; a colon, with a digit behind it. */
const [HIDDEN, NUMBER] = [8, 16];
for (let code = 0; code < 128; code += 1) {
  if (!isPlain(String.fromCharCode(code)))
    for (let next = 0; next < 128; next += 1) MARKS[pairOf(code, next)]! |= HIDDEN;
  if (isDigit(code)) MARKS[pairOf(58, code)]! |= NUMBER;
}

/** Places of marks, while a text is looked at. */
let marked = new Int32Array(1 << 10);

function look(ascii: LooseAscii, length: number, table: Uint8Array): Survey {
  const words: number[] = [];
  const count = markPlaces(ascii, length, table, words);
  const places: number[] = [];
  const chosen: number[] = [];
  // What the first byte starts together with what stands before the text is not marked.
  const starts: number[] = [0];
  const { bytes, isAscii } = ascii;
  let any = 0;
  for (let index = 0; index < count; index += 1) {
    const at = marked[index]!;
    const pair = pairOf(bytes[at]!, bytes[at + 1]!);
    const mark = at < length ? table[pair]! : 0;
    any |= mark;
    if ((mark & SIGN) !== 0) noteSigns(bytes, at, pair, places);
    if ((mark & CHOSEN_FIRST) !== 0) chosen.push(at);
    if ((mark & CHOSEN_SECOND) !== 0) chosen.push(at + 1);
    if ((mark & START) !== 0 && starts[starts.length - 1] !== at) starts.push(at);
    if ((mark & START_BEHIND) !== 0) starts.push(at + 1);
  }
  return {
    isAscii,
    isPlain: isAscii && (any & HIDDEN) === 0,
    hasNumbers: (any & NUMBER) !== 0,
    starts,
    places,
    chosen,
    words,
  };
}

/** Four pairs a step: those that lie in a four, and the one that goes on into the next. Behind a text stand zeros. */
function markPlaces(
  { bytes, fours }: LooseAscii,
  length: number,
  marks: Uint8Array,
  words: number[],
): number {
  const steps = (length + 3) >> 2;
  let places = marked;
  let count = 0;
  let wasSolid = false;
  let four = fours[0]!;
  for (let step = 0; step < steps; step += 1) {
    const next = fours[step + 1]!;
    const across = IS_LITTLE ? (four >>> 24) | ((next & 0xff) << 8) : ((four & 0xff) << 8) | (next >>> 24);
    const low = marks[four & 0xffff]!;
    const middle = marks[(four >>> 8) & 0xffff]!;
    const high = marks[four >>> 16]!;
    const last = marks[across]!;
    if ((low | middle | high | last) !== 0) {
      if (count + 4 > places.length) places = grown(places);
      const at = 4 * step;
      if ((IS_LITTLE ? low : high) !== 0) places[count++] = at;
      if (middle !== 0) places[count++] = at + 1;
      if ((IS_LITTLE ? high : low) !== 0) places[count++] = at + 2;
      if (last !== 0) places[count++] = at + 3;
    }
    const solid = isSolid(four);
    if (solid && wasSolid) addWordAt(bytes, 4 * step, length, words);
    wasSolid = solid;
    four = next;
  }
  marked = places;
  return count;
}

function grown(places: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * places.length);
  more.set(places);
  return more;
}

function noteSigns(bytes: Uint8Array, at: number, pair: number, places: number[]): void {
  for (let number = FIRST_SIGN[pair]!; number !== 0; ) {
    const { word, offset, code, beside, isPlaced, next } = SIGNS[number]!;
    if (at >= offset && bytes[at + beside] === code && standsAt(bytes, at - offset, word)) {
      seen[number] = round;
      if (isPlaced) places.push(number, at - offset);
    }
    number = next;
  }
}

function standsAt(bytes: Uint8Array, start: number, word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (bytes[start + at] !== word.charCodeAt(at)) return false;
  return true;
}
