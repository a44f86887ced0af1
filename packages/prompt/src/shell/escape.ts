import { guard } from '../guard.js';
import { foldLine } from './fold.js';
import { structureOf } from './lex.js';
import { linesOf } from './lines.js';

/**
 * Free text made safe to stand among structure: a line that lexes as structure, or begins with a backslash,
 * gets one leading backslash. Everything else stays as it is, so the text stays readable.
 */
export function escapeBody(body: string): string {
  return insertAt(body, escapeOffsets(body), '\\');
}

/** The exact inverse of `escapeBody`. */
export function unescapeBody(text: string): string {
  let out = '';
  for (const { start, end, next } of linesOf(text)) {
    out += text.slice(text.charCodeAt(start) === BACKSLASH && start < end ? start + 1 : start, next);
  }
  return out;
}

/** The offsets at which `escapeBody` puts its backslashes, in order. */
export function escapeOffsets(body: string): readonly number[] {
  const offsets: number[] = [];
  for (const { start, end } of linesOf(body)) {
    if (start < end && mustEscape(body.slice(start, end), start === 0)) offsets.push(start);
  }
  return offsets;
}

function mustEscape(line: string, isFirst: boolean): boolean {
  if (guard('shell.escape.backslash', line.charCodeAt(0) === BACKSLASH)) return true;
  // The first line stands right below the fields, where an item would go on with a list.
  if (isFirst && guard('shell.escape.item', /^-(?: |$)/.test(foldLine(line)))) return true;
  return structureOf(line) !== undefined;
}

function insertAt(text: string, offsets: readonly number[], inserted: string): string {
  let out = '';
  let from = 0;
  for (const offset of offsets) {
    out += text.slice(from, offset) + inserted;
    from = offset;
  }
  return out + text.slice(from);
}

const BACKSLASH = 0x5c;
