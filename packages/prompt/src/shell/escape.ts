import { guard } from '@cuebook/guard';
import { literalsOf } from '../redact/json-text.js';
import { breakOffsets, joinTokens } from './chat-token.js';
import { foldLine, isPlain } from './fold.js';
import { isToolCall, structureOf } from './lex.js';
import { linesOf } from './lines.js';

/** What printing puts into free text, and where: a backslash, a line feed of JSON, or the space of a broken token. */
export interface EscapeMark {
  readonly at: number;
  readonly text: '\\' | '\n' | ' ';
}

/**
 * Free text made safe to stand among structure: a line that lexes as structure, or begins with a backslash,
 * gets one leading backslash, and a chat-template token one space. In a JSON document, which has to stay one, a
 * line feed behind its brace takes the place of the backslash. Everything else stays as it is.
 */
export function escapeBody(body: string): string {
  return withMarks(body, bodyMarks(body));
}

/** The exact inverse of `escapeBody`. */
export function unescapeBody(text: string): string {
  return joinTokens(isJsonBody(text) ? joinBraces(text) : unescapeLines(text));
}

/** What `escapeBody` puts in, in order. */
export function bodyMarks(body: string): readonly EscapeMark[] {
  const breaks = breakOffsets(body).map((at): EscapeMark => ({ at, text: ' ' }));
  if (breaks.length === 0) return lineMarks(body);
  // Lines are judged as they stand once the tokens are broken.
  const broken = withMarks(body, breaks);
  let shift = 0;
  const lines = lineMarks(broken).map(({ at, text }): EscapeMark => {
    while (shift < breaks.length && (breaks[shift] as EscapeMark).at + shift < at) shift += 1;
    return { at: at - shift, text };
  });
  return [...breaks, ...lines].sort((a, b) => a.at - b.at);
}

/** The text with its marks put in. */
export function withMarks(text: string, marks: readonly EscapeMark[]): string {
  if (marks.length === 0) return text;
  let out = '';
  let from = 0;
  for (const { at, text: mark } of marks) {
    out += text.slice(from, at) + mark;
    from = at;
  }
  return out + text.slice(from);
}

function lineMarks(body: string): readonly EscapeMark[] {
  const marks: EscapeMark[] = [];
  for (const { start, end } of linesOf(body)) {
    if (start < end && mustEscape(body.slice(start, end), start === 0)) marks.push({ at: start, text: '\\' });
  }
  return isJsonBody(body) ? braceMarks(body) : marks;
}

function mustEscape(line: string, isFirst: boolean): boolean {
  if (guard('shell.escape.backslash', line.charCodeAt(0) === BACKSLASH)) return true;
  // The first line stands right below the fields, where an item would go on with a list.
  if (isFirst && guard('shell.escape.item', /^-(?: |$)/.test(foldLine(line)))) return true;
  return structureOf(line) !== undefined;
}

function unescapeLines(text: string): string {
  let out = '';
  for (const { start, end, next } of linesOf(text)) {
    out += text.slice(text.charCodeAt(start) === BACKSLASH && start < end ? start + 1 : start, next);
  }
  return out;
}

/**
 * A JSON document with a call in it, all of whose lines begin outside its strings. There a line can be structure
 * only as a tool call, and a line feed between two tokens changes nothing of the value. A backslash never makes such
 * a document out of another text, so the reader knows by the text alone which of the two was put in.
 */
function isJsonBody(text: string): boolean {
  if (!holdsCall(text) || ODD_BREAK.test(text)) return false;
  return guard('shell.escape.json', literalsOf(text) !== undefined);
}

/** Whether the words of a tool call stand anywhere, or look to once folded. */
const holdsCall = (text: string): boolean =>
  isToolCall(text) || (!isPlain(text) && isToolCall(foldLine(text)));

/** One line feed for each brace that begins a line and would begin a tool call, however many stand behind it. */
const braceMarks = (body: string): readonly EscapeMark[] =>
  bracesOf(body).map((at): EscapeMark => ({ at, text: '\n' }));

function joinBraces(text: string): string {
  let out = '';
  let from = 0;
  for (const at of bracesOf(text)) {
    out += text.slice(from, at);
    from = text[at] === '\n' ? at + 1 : at;
  }
  return out + text.slice(from);
}

/** The JSON document without a line that reads as a tool call: one line feed where none is yet. */
export function openBraces(json: string): string {
  if (!isJsonBody(json)) return json;
  return withMarks(
    json,
    braceMarks(json).filter(({ at }) => json[at] !== '\n'),
  );
}

function bracesOf(text: string): readonly number[] {
  const offsets: number[] = [];
  for (const match of text.matchAll(BRACE_LINE)) {
    const [, head = '', rest = ''] = match;
    if (holdsCall(rest)) offsets.push(match.index + head.length);
  }
  return offsets;
}

/** A brace at the beginning of a line, and the first line behind it that is not empty. */
const BRACE_LINE = /(?<=^|[\n\r])([ \t]*\{)[\n\r]*([^\n\r]*)/g;
const ODD_BREAK = /[\v\f\x1c-\x1e\u0085\u2028\u2029]/;
const BACKSLASH = 0x5c;
