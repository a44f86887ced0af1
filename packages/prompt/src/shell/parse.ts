import { fail, ok, type Result } from '../result.js';
import { escapeBody, unescapeBody } from './escape.js';
import { END_SUFFIX, headerOn, isFieldKey, isHeaderName } from './lex.js';
import { type Line, lineAt } from './lines.js';
import { NO_ITEMS, parseScalar, type ScalarForm } from './scalar.js';
import type { Shell, ShellField, ShellSyntaxError } from './shell.js';

/**
 * Reads what `printShells` wrote, and nothing else: `parseShells(printShells(x))` equals `x`, and whatever
 * parses prints back to the same bytes.
 */
export function parseShells(text: string): Result<readonly Shell[], ShellSyntaxError> {
  const cursor: Cursor = { text, at: 0, more: true };
  const shells: Shell[] = [];
  try {
    while (cursor.more) shells.push(parseShell(cursor));
  } catch (error) {
    if (error instanceof Unexpected)
      return fail({ code: 'E_SHELL_SYNTAX', line: error.line, expected: error.expected });
    throw error;
  }
  return ok(shells);
}

interface Cursor {
  readonly text: string;
  at: number;
  /** A blank line that announces another shell has been read. */
  more: boolean;
}

class Unexpected extends Error {
  readonly expected: ShellSyntaxError['expected'];
  readonly line: number;
  constructor(cursor: Cursor, expected: ShellSyntaxError['expected']) {
    super(expected);
    this.expected = expected;
    this.line = cursor.text.slice(0, cursor.at).split('\n').length;
  }
}

function parseShell(cursor: Cursor): Shell {
  const line = lineAt(cursor.text, cursor.at);
  const header = headerOn(cursor.text.slice(line.start, line.end));
  if (header === undefined || !isHeaderName(header)) throw new Unexpected(cursor, 'header');
  cursor.at = line.end;
  cursor.more = false;
  const fields = parseFields(cursor);
  return { header, fields, ...parseRest(cursor, header) };
}

/** Reads `\n- key: value` as long as there is one; the cursor stands at the end of a line throughout. */
function parseFields(cursor: Cursor): readonly ShellField[] {
  const fields: ShellField[] = [];
  for (;;) {
    const line = followingLine(cursor);
    const match = line && /^- ([^:\s]+):(?: (.*))?$/s.exec(cursor.text.slice(line.start, line.end));
    if (!line || !match || !isFieldKey(match[1] as string)) return fields;
    cursor.at = line.end;
    fields.push({ key: match[1] as string, value: parseValue(cursor, match[2]) });
  }
}

function parseValue(cursor: Cursor, text: string | undefined): string | readonly string[] {
  if (text === NO_ITEMS) return [];
  if (text !== undefined) return requireScalar(cursor, text, 'value');
  const items: string[] = [];
  for (;;) {
    const line = followingLine(cursor);
    if (!line || !cursor.text.startsWith('  - ', line.start)) break;
    cursor.at = line.end;
    items.push(requireScalar(cursor, cursor.text.slice(line.start + 4, line.end), 'item'));
  }
  if (items.length === 0) throw new Unexpected(cursor, 'value');
  return items;
}

function requireScalar(cursor: Cursor, text: string, form: ScalarForm): string {
  const value = parseScalar(text, form);
  if (value === undefined) throw new Unexpected(cursor, 'value');
  return value;
}

/** The body up to the end of the text, the fence end, or the blank line before the next shell. */
function parseRest(cursor: Cursor, header: string): Pick<Shell, 'body' | 'closed'> {
  const { text } = cursor;
  const from = cursor.at;
  if (from === text.length) return {};
  if (text[from] !== '\n') throw new Unexpected(cursor, 'line feed');
  for (let line = lineAt(text, from + 1); ; line = lineAt(text, line.next)) {
    const content = text.slice(line.start, line.end);
    if (content === header + END_SUFFIX) return { ...parseClose(cursor, from, line), closed: true };
    if (headerOn(content) !== undefined) return parseNext(cursor, from, line);
    if (line.next === line.end) return bodyBetween(cursor, from, text.length);
  }
}

function parseClose(cursor: Cursor, from: number, line: Line): Pick<Shell, 'body'> {
  const body = bodyBetween(cursor, from, line.start - 1);
  cursor.at = line.end;
  if (line.end === cursor.text.length) return body;
  if (!cursor.text.startsWith('\n\n', line.end)) throw new Unexpected(cursor, 'end');
  cursor.at = line.end + 2;
  cursor.more = true;
  return body;
}

function parseNext(cursor: Cursor, from: number, line: Line): Pick<Shell, 'body'> {
  const to = line.start - 2;
  if (to < from || !cursor.text.startsWith('\n\n', to)) {
    cursor.at = line.start;
    throw new Unexpected(cursor, 'blank line');
  }
  const body = bodyBetween(cursor, from, to);
  cursor.at = line.start;
  cursor.more = true;
  return body;
}

/** `text[from]` is the line feed before the body, when there is a body at all. */
function bodyBetween(cursor: Cursor, from: number, to: number): Pick<Shell, 'body'> {
  cursor.at = to;
  if (from === to) return {};
  const printed = cursor.text.slice(from + 1, to);
  const body = unescapeBody(printed);
  // A line of structure without its backslash, or a backslash that nothing asked for, is not ours.
  if (escapeBody(body) !== printed) {
    cursor.at = from + 1;
    throw new Unexpected(cursor, 'text');
  }
  return { body };
}

/** The line after the cursor, which stands at a line's end, when a plain line feed leads to it. */
function followingLine(cursor: Cursor): Line | undefined {
  return cursor.text[cursor.at] === '\n' ? lineAt(cursor.text, cursor.at + 1) : undefined;
}
