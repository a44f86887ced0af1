import { readLoosely } from '../ascii.js';

/** A word without which something is certainly not in a text. */
export interface Sign {
  readonly word: string;
  /** Of a longer word: its fours, by number. One of them stands at a place that four divides. */
  readonly fours: readonly number[];
}

/** Shorter ones have no four at such a place. */
const LEAST = 7;

/** The fours of all words: by place in a table the number of each, from 1 on, and by number the bytes. */
const TABLE_BITS = 13;
const TABLE = new Uint16Array(1 << TABLE_BITS);
const FOURS: number[] = [0];
/** By number: the round in which a text was looked at that has the four. */
const SEEN: number[] = [0];
let round = 0;
let last: string | undefined;

/** A word of ASCII as what is looked for. */
export const signOf = (word: string): Sign => ({
  word,
  fours: word.length < LEAST ? [] : [0, 1, 2, 3].map((at) => numberOf(fourAt(word, at))),
});

/**
 * `text.includes(word)`. Dozens of words are asked of every text, and nearly none is there: all long ones share one look,
 * which takes less time than looking for two of them.
 */
export function holds(text: string, { word, fours }: Sign): boolean {
  if (text.length < word.length) return false;
  if (fours.length > 0) {
    if (text !== last) look(text);
    if (!fours.some(isSeen)) return false;
  }
  return text.includes(word);
}

const isSeen = (number: number): boolean => SEEN[number] === round;

/** Each byte is part of one four: a quarter of the work of looking at all places. */
function look(text: string): void {
  round += 1;
  const { fours } = readLoosely(text);
  const length = text.length >> 2;
  for (let at = 0; at < length; at += 1) {
    const four = fours[at]!;
    if (TABLE[placeOf(four)] !== 0) note(four);
  }
  last = text;
}

function note(four: number): void {
  const number = TABLE[freePlace(four)]!;
  if (number !== 0) SEEN[number] = round;
}

const placeOf = (four: number): number => Math.imul(four, 0x9e3779b1) >>> (32 - TABLE_BITS);

/** Where in the table the four is, or would be. */
function freePlace(four: number): number {
  let place = placeOf(four);
  while (TABLE[place] !== 0 && FOURS[TABLE[place]!] !== four) place = (place + 1) % TABLE.length;
  return place;
}

function numberOf(four: number): number {
  const place = freePlace(four);
  if (TABLE[place] === 0) {
    TABLE[place] = FOURS.length;
    FOURS.push(four);
    SEEN.push(0);
    last = undefined;
  }
  return TABLE[place]!;
}

const BYTES = new Uint8Array(4);
const AS_FOUR = new Int32Array(BYTES.buffer);

function fourAt(word: string, from: number): number {
  for (let at = 0; at < 4; at += 1) BYTES[at] = word.charCodeAt(from + at);
  return AS_FOUR[0]!;
}
