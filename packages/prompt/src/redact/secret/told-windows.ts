import { surveyOf } from '../survey.js';

/** A part of a text, from `start` to `end`. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** How far before a secret the words may begin that tell it: what may stand between them, and the longest of them. */
const BEFORE = 200;
/** What stands behind a secret is looked at too. */
const BEHIND = 4;
/**
 * The parts of a text in which words could tell a secret: around each word that is long enough and has digits as no
 * name of a person or a file has them. Most texts have none, and are not looked at any further.
 */
export function toldWindows(text: string): readonly Window[] {
  const { words } = surveyOf(text);
  const windows: { start: number; end: number }[] = [];
  for (let at = 0; at < words.length; at += 3) {
    const start = words[at]!;
    const end = words[at + 1]!;
    if (words[at + 2] === 1 && !isFile(text, start, end)) add(windows, text, start, end);
  }
  return windows;
}

/** So many characters of a word are taken for a secret: of a longer one the end says nothing. */
const TAKEN = 120;
/** The name of a file: it is told by no words. */
const FILE = /^[\w./-]*[A-Za-z0-9]\.[a-z]{1,4}[.!*_&]{0,3}$/;
const isFile = (text: string, start: number, end: number): boolean =>
  end - start <= TAKEN && FILE.test(text.slice(start, end));

/** Parts that touch each other are one. */
function add(
  windows: { start: number; end: number }[],
  text: string,
  wordStart: number,
  wordEnd: number,
): void {
  const start = Math.max(0, wordStart - BEFORE);
  const end = Math.min(text.length, wordEnd + BEHIND);
  const last = windows.at(-1);
  if (last !== undefined && last.end >= start) last.end = end;
  else windows.push({ start, end });
}
