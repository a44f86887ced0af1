import { guard } from '@cuebook/guard';
import type { Redactor } from '@cuebook/prompt';
import type { CliCode } from '../codes.js';
import { linesOf } from '../input/lines.js';
import { decodeUtf8 } from '../input/stdin.js';
import type { Io } from '../io.js';
import { count } from '../output/style.js';

/** The answer to one line. `output` is null exactly when the line is refused; `error` says why it is. */
export interface LineAnswer {
  readonly id: unknown;
  readonly output: unknown;
  readonly refused: boolean;
  readonly error?: {
    readonly code: CliCode | 'E_PROMPT_LEAK' | 'E_NOT_UTF8' | 'E_NOT_UNICODE';
    readonly message: string;
  };
}

/** Answers every line of standard input as it comes; 1 when one was refused. Blank lines have no answer. */
export async function redactLines(redactor: Redactor, io: Io): Promise<number> {
  let lines = 0;
  let refused = 0;
  for await (const bytes of linesOf(io.stdin, LINE_LIMIT)) {
    const text = bytes === undefined ? undefined : decodeUtf8(bytes);
    if (text?.trim() === '') continue;
    const answer = bytes === undefined ? refuse(null, 'E_LINE', TOO_LONG) : answerLine(redactor, text);
    lines += 1;
    if (answer.refused) refused += 1;
    await io.exact(`${serialise(answer) ?? JSON.stringify(TOO_DEEP)}\n`);
  }
  io.err(`${count(lines, 'line')}, ${refused} refused.\n`);
  return refused === 0 ? 0 : 1;
}

/** Cleans the input of one line. A string is prose; any other value is cleaned leaf by leaf. */
export function answerLine(redactor: Redactor, line: string | undefined): LineAnswer {
  if (line === undefined) return refuse(null, 'E_NOT_UTF8', 'The line is not UTF-8 text');
  const row = parseRow(line);
  if (row === undefined)
    return refuse(null, 'E_LINE', 'The line is not a JSON object with the keys id and input');
  const { id, input } = row;
  if (guard('line.unicode', hasHalfCharacter(line, input))) {
    return refuse(id, 'E_NOT_UNICODE', 'The input holds half a character (a lone surrogate)');
  }
  const output =
    typeof input === 'string' ? redactor.redactText(input).text : redactor.redactValue(input).value;
  // Nested one level deeper than here, as it will be printed.
  const text = typeof output === 'string' ? output : serialise([{ id, output }]) && serialise(output);
  if (text === undefined) return TOO_DEEP;
  const leaks = redactor.leaks(text);
  if (guard('redact.leak', leaks.length > 0)) {
    const kinds = [...new Set(leaks.map(({ kind }) => kind))].join(', ');
    return refuse(id, 'E_PROMPT_LEAK', `Something private would survive (${kinds})`);
  }
  return { id, output, refused: false };
}

const LINE_LIMIT = 16 * 1024 * 1024;
const TOO_LONG = `The line is longer than ${LINE_LIMIT} bytes`;

type JsonValue = Parameters<Redactor['redactValue']>[0];

const refuse = (
  id: unknown,
  code: NonNullable<LineAnswer['error']>['code'],
  message: string,
): LineAnswer => ({
  id,
  output: null,
  refused: true,
  error: { code, message },
});

const TOO_DEEP = refuse(null, 'E_LINE', 'The value is nested too deep to be written as JSON');

/** JSON text, or undefined when the value is nested deeper than the serialiser's stack. */
function serialise(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseRow(line: string): { readonly id: unknown; readonly input: JsonValue } | undefined {
  try {
    const row: unknown = JSON.parse(line.replace(/^\ufeff/, ''));
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined;
    const { id = null, input } = row as { id?: unknown; input?: JsonValue };
    return input === undefined ? undefined : { id, input };
  } catch {
    // Not JSON; the parser's message quotes the line, so it is not passed on.
    return undefined;
  }
}

/** Half a character comes in only through an escape; lines without one need no second look. */
function hasHalfCharacter(line: string, input: JsonValue): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(line)) return false;
  const open: JsonValue[] = [input];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && /\p{Surrogate}/u.test(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next)) open.push(key, value as JsonValue);
  }
  return false;
}
