import { type Ascii, encodeAscii, readAscii } from '../ascii.js';
import { surveyOf } from './survey.js';

/** A text as numbers. */
export interface Codes {
  readonly text: string;
  /** For ASCII text only. */
  readonly ascii: Ascii | undefined;
}

/** How a text is read: whole, with no other one in use; whole, while another one is in use; or only a part of it. */
export type Reading = 'outer' | 'inner' | 'part';

export const codesOf = (text: string, reading: Reading): Codes => ({
  text,
  ascii: reading === 'part' ? undefined : reading === 'outer' ? readAscii(text) : encodeAscii(text),
});

/** The next place at or after `from` whose class is not 0, or `to`. */
export function nextMarked(codes: Codes, table: Uint8Array, from: number, to: number): number {
  const { ascii, text } = codes;
  return ascii ? markedByte(ascii.bytes, table, from, to) : markedUnit(text, table, from, to);
}

function markedByte(bytes: Uint8Array, table: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && table[bytes[at]!] === 0) at += 1;
  return at;
}

function markedUnit(text: string, table: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && table[text.charCodeAt(at)] === 0) at += 1;
  return at;
}

/** Runs this long of letters, digits and `+ / _ -` may be a token or an encoding; shorter ones are words. */
export const LONG_RUN = 20;

const RUN_CODES = new Uint8Array(65_536);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
  RUN_CODES[char.charCodeAt(0)] = 1;

/** The long runs, as pairs of start and end. Of a text that is read as bytes they are looked for in its long words. */
export function longRuns({ ascii, text }: Codes): readonly number[] {
  if (ascii === undefined) return runsOfText(text);
  const { words } = surveyOf(text);
  const runs: number[] = [];
  for (let at = 0; at < words.length; at += 3) addRuns(ascii.bytes, words[at]!, words[at + 1]!, runs);
  return runs;
}

/**
 * From where a run could start it looks at the last place that a long one must reach and walks back: what breaks it there
 * is where the next one could start.
 */
function addRuns(bytes: Uint8Array, from: number, to: number, runs: number[]): void {
  for (let start = from; start + LONG_RUN <= to; ) {
    let at = start + LONG_RUN - 1;
    while (at >= start && RUN_CODES[bytes[at]!] === 1) at -= 1;
    if (at < start) {
      let end = start + LONG_RUN;
      while (end < to && RUN_CODES[bytes[end]!] === 1) end += 1;
      runs.push(start, end);
      at = end;
    }
    start = at + 1;
  }
}

function runsOfText(text: string): readonly number[] {
  const runs: number[] = [];
  for (let start = 0; start + LONG_RUN <= text.length; ) {
    let at = start + LONG_RUN - 1;
    while (at >= start && RUN_CODES[text.charCodeAt(at)] === 1) at -= 1;
    if (at < start) {
      let end = start + LONG_RUN;
      while (end < text.length && RUN_CODES[text.charCodeAt(end)] === 1) end += 1;
      runs.push(start, end);
      at = end;
    }
    start = at + 1;
  }
  return runs;
}
