import { codePointCounter } from '@cuebook/yaml';

/** A place as editors count it: lines and UTF-16 units from 0. Line breaks are LF, CR LF and CR. */
export interface EditorPlace {
  readonly line: number;
  readonly character: number;
}

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text in which places are found: as diagnostics count them, and as editors do. */
export interface TextLines {
  readonly text: string;
  /** The offset of a line and column from 1, columns in code points, lines ended by LF: as diagnostics count. */
  readonly offsetOf: (line: number, column?: number) => number;
  /** The same the other way round. */
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
  /** What is outside the text is taken for its nearest end. */
  readonly offsetAt: (place: EditorPlace) => number;
  readonly placeAt: (offset: number) => EditorPlace;
}

export function linesOfText(text: string): TextLines {
  const ours = startsOf(text, /\n/g);
  const theirs = startsOf(text, /\r\n|\n|\r/g);
  const codePoints = codePointCounter(text);
  const clamp = (offset: number): number => Math.min(Math.max(offset, 0), text.length);
  /** Without the line break at its end. */
  const endOf = (starts: readonly number[], line: number): number => {
    let end = starts[line + 1] ?? text.length;
    if (starts[line + 1] !== undefined) end -= text.slice(end - 2, end) === '\r\n' ? 2 : 1;
    return Math.max(end, starts[line] ?? 0);
  };
  return {
    text,
    offsetOf(line, column = 1) {
      const start = ours[line - 1];
      if (start === undefined) return line < 1 ? 0 : text.length;
      const end = ours[line] ?? text.length;
      let offset = start;
      for (let left = column - 1; left > 0 && offset < end; left -= 1) {
        offset += (text.codePointAt(offset) as number) > 0xffff ? 2 : 1;
      }
      return Math.min(offset, endOf(ours, line - 1));
    },
    placeOf(offset) {
      const at = clamp(offset);
      const line = lineAt(ours, at);
      return { line: line + 1, column: 1 + codePoints(ours[line] as number, at) };
    },
    offsetAt({ line, character }) {
      if (line < 0) return 0;
      const start = theirs[line];
      return start === undefined
        ? text.length
        : Math.min(start + Math.max(character, 0), endOf(theirs, line));
    },
    placeAt(offset) {
      const at = clamp(offset);
      const line = lineAt(theirs, at);
      // Between CR and LF there is no place: the line ends before both.
      return { line, character: Math.min(at, endOf(theirs, line)) - (theirs[line] as number) };
    },
  };
}

/** A change of a text as editors tell it: a part of it anew, or all of it. */
export interface TypedChange {
  readonly range?: { readonly start: EditorPlace; readonly end: EditorPlace };
  readonly text: string;
}

/** A text after changes, each counted in the text that the one before left. */
export function afterChanges(text: string, changes: readonly TypedChange[]): string {
  return changes.reduce((before, change) => {
    if (change.range === undefined) return change.text;
    const { offsetAt } = linesOfText(before);
    const [from, to] = [offsetAt(change.range.start), offsetAt(change.range.end)];
    return before.slice(0, Math.min(from, to)) + change.text + before.slice(Math.max(from, to));
  }, text);
}

function startsOf(text: string, ends: RegExp): readonly number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(ends)) starts.push(index + end.length);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The word that begins or stands at an offset, without the quotes around it; else the rest of the line. */
export function wordAt(text: string, offset: number): TextRange {
  const from = /["']/.test(text.charAt(offset)) ? offset + 1 : offset;
  WORD.lastIndex = from;
  const word = WORD.exec(text)?.[0] ?? '';
  if (word !== '') return { start: from, end: from + word.length };
  REST.lastIndex = offset;
  return { start: offset, end: offset + (REST.exec(text)?.[0].length ?? 0) };
}

const WORD = /[\p{L}\p{N}_.$/@-]+/uy;
const REST = /[^\r\n]*/y;
