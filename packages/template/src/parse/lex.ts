import { isPrint } from '../fmt/is-print.js';
import { quoteString, runeText } from '../fmt/quote.js';
import { isAlphanumeric, isSpace, runeAt, unitsAt } from './chars.js';
import { scanNumber } from './scan-number.js';
import { KEYWORDS, type Token, type TokenKind } from './token.js';

/** A template that is being read. After its end, or an error, there is only `eof`. */
export interface Lexer {
  readonly text: string;
  readonly left: string;
  readonly right: string;
  readonly rightStart: number;
  /** Line breaks in the delimiters. */
  readonly leftBreaks: number;
  readonly rightBreaks: number;
  /** Words that are functions here, so that `break` and `continue` are no keywords. */
  readonly isFunction: (name: string) => boolean;
  pos: number;
  /** Where the token being read begins. */
  start: number;
  parenDepth: number;
  isInside: boolean;
  isOver: boolean;
  /** Line breaks inside delimiters before the token being read, and before the next: Go counts them to no line. */
  uncounted: number;
  uncountedNext: number;
}

export type LexOptions = Pick<Lexer, 'text' | 'left' | 'right' | 'isFunction'>;

export const newLexer = ({ text, left, right, isFunction }: LexOptions): Lexer => ({
  text,
  left,
  right,
  rightStart: right.charCodeAt(0),
  leftBreaks: breaksIn(left),
  rightBreaks: breaksIn(right),
  isFunction,
  pos: 0,
  start: 0,
  parenDepth: 0,
  isInside: false,
  isOver: false,
  uncounted: 0,
  uncountedNext: 0,
});

/** The next token. Takes time in proportion to what it passes over. */
export function nextToken(lexer: Lexer): Token {
  if (lexer.isOver) return { kind: 'eof', start: lexer.start, text: 'EOF' };
  lexer.start = lexer.pos;
  lexer.uncounted = lexer.uncountedNext;
  return lexer.isInside ? insideAction(lexer) : outside(lexer);
}

const emit = (lexer: Lexer, kind: TokenKind): Token => ({
  kind,
  start: lexer.start,
  text: lexer.text.slice(lexer.start, lexer.pos),
});
function fail(lexer: Lexer, message: string): Token {
  lexer.isOver = true;
  return { kind: 'error', start: lexer.start, text: message };
}

function outside(lexer: Lexer): Token {
  for (;;) {
    const open = lexer.text.indexOf(lexer.left, lexer.pos);
    const end = open < 0 ? lexer.text.length : open;
    const isTrimmed = open >= 0 && hasLeftMarker(lexer, open + lexer.left.length);
    lexer.start = lexer.pos;
    lexer.pos = isTrimmed ? trimEnd(lexer, lexer.start, end) : end;
    if (lexer.pos > lexer.start) {
      const token = emit(lexer, 'text');
      lexer.pos = end;
      return token;
    }
    lexer.pos = end;
    lexer.start = end;
    if (open < 0) {
      lexer.isOver = true;
      return { kind: 'eof', start: lexer.start, text: 'EOF' };
    }
    const inner = open + lexer.left.length + (isTrimmed ? 2 : 0);
    if (!lexer.text.startsWith('/*', inner)) {
      lexer.pos = inner;
      lexer.isInside = true;
      lexer.parenDepth = 0;
      lexer.uncountedNext += lexer.leftBreaks;
      return { kind: 'left-delim', start: lexer.start, text: lexer.left };
    }
    const failure = passComment(lexer, inner);
    if (failure) return failure;
  }
}

function passComment(lexer: Lexer, inner: number): Token | undefined {
  lexer.start = inner;
  const close = lexer.text.indexOf('*/', inner + 2);
  if (close < 0) return fail(lexer, 'unclosed comment');
  lexer.pos = close + 2;
  const closing = rightDelimAt(lexer, lexer.pos);
  if (closing === 'none') return fail(lexer, 'comment ends before closing delimiter');
  lexer.pos += lexer.right.length;
  if (closing === 'trim') lexer.pos = trimStart(lexer, lexer.pos + 2);
  return undefined;
}

function insideAction(lexer: Lexer): Token {
  const closing = rightDelimAt(lexer, lexer.pos);
  if (closing !== 'none')
    return lexer.parenDepth === 0 ? rightDelim(lexer, closing) : fail(lexer, 'unclosed left paren');
  const rune = runeAt(lexer.text, lexer.pos);
  if (rune === -1) return fail(lexer, 'unclosed action');
  if (isSpace(rune)) return space(lexer);
  switch (rune) {
    case EQUALS:
      return one(lexer, 'assign');
    case COLON:
      lexer.pos += 2;
      return lexer.text.charCodeAt(lexer.pos - 1) === EQUALS
        ? emit(lexer, 'declare')
        : fail(lexer, 'expected :=');
    case BAR:
      return one(lexer, 'pipe');
    case DOUBLE_QUOTE:
      return quoted(lexer, DOUBLE_QUOTE, 'string', 'unterminated quoted string');
    case SINGLE_QUOTE:
      return quoted(lexer, SINGLE_QUOTE, 'char-constant', 'unterminated character constant');
    case BACK_QUOTE:
      return rawString(lexer);
    case DOLLAR:
      lexer.pos++;
      return fieldOrVariable(lexer, 'variable', 'variable');
    case LEFT_PAREN:
      lexer.parenDepth++;
      return one(lexer, 'left-paren');
    case RIGHT_PAREN:
      lexer.parenDepth--;
      return lexer.parenDepth < 0 ? fail(lexer, 'unexpected right paren') : one(lexer, 'right-paren');
    case DOT:
      if (lexer.pos + 1 < lexer.text.length && !isDigit(lexer.text.charCodeAt(lexer.pos + 1))) {
        lexer.pos++;
        return fieldOrVariable(lexer, 'field', '.');
      }
      return number(lexer);
  }
  if (rune === PLUS || rune === MINUS || isDigit(rune)) return number(lexer);
  if (isAlphanumeric(rune)) return word(lexer);
  if (rune < 0x80 && isPrint(rune)) return one(lexer, 'char');
  return fail(lexer, `unrecognized character in action: ${showRune(rune)}`);
}

function one(lexer: Lexer, kind: TokenKind): Token {
  lexer.pos++;
  return emit(lexer, kind);
}

function space(lexer: Lexer): Token {
  while (isSpace(lexer.text.charCodeAt(lexer.pos))) lexer.pos++;
  // The last space may belong to a closing delimiter with a trim marker.
  if (rightDelimAt(lexer, lexer.pos - 1) === 'trim') {
    lexer.pos--;
    if (lexer.pos === lexer.start) return rightDelim(lexer, 'trim');
  }
  return emit(lexer, 'space');
}

function rightDelim(lexer: Lexer, closing: 'plain' | 'trim'): Token {
  if (closing === 'trim') lexer.pos += 2;
  lexer.start = lexer.pos;
  lexer.pos += lexer.right.length;
  if (closing === 'trim') lexer.pos = trimStart(lexer, lexer.pos);
  lexer.isInside = false;
  lexer.uncountedNext += lexer.rightBreaks;
  return { kind: 'right-delim', start: lexer.start, text: lexer.right };
}

function quoted(lexer: Lexer, quote: number, kind: TokenKind, message: string): Token {
  for (lexer.pos++; ; lexer.pos++) {
    let code = lexer.text.charCodeAt(lexer.pos);
    if (code === quote) return one(lexer, kind);
    if (code === BACKSLASH) code = lexer.text.charCodeAt(++lexer.pos);
    if (Number.isNaN(code) || code === NEWLINE) return fail(lexer, message);
  }
}

function rawString(lexer: Lexer): Token {
  const close = lexer.text.indexOf('`', lexer.pos + 1);
  if (close < 0) return fail(lexer, 'unterminated raw quoted string');
  lexer.pos = close + 1;
  return emit(lexer, 'raw-string');
}

/** `.` and `$` alone are tokens of their own. */
function fieldOrVariable(lexer: Lexer, kind: TokenKind, alone: TokenKind): Token {
  if (isAtTerminator(lexer)) return emit(lexer, alone);
  passWord(lexer);
  return isAtTerminator(lexer) ? emit(lexer, kind) : badCharacter(lexer);
}

function word(lexer: Lexer): Token {
  passWord(lexer);
  if (!isAtTerminator(lexer)) return badCharacter(lexer);
  const name = lexer.text.slice(lexer.start, lexer.pos);
  if (name === 'true' || name === 'false') return emit(lexer, 'bool');
  if (!KEYWORD_SET.has(name)) return emit(lexer, 'identifier');
  if ((name === 'break' || name === 'continue') && lexer.isFunction(name)) return emit(lexer, 'identifier');
  return emit(lexer, name as TokenKind);
}

function number(lexer: Lexer): Token {
  const first = scanNumber(lexer.text, lexer.pos);
  lexer.pos = first.end;
  if (!first.isGood) return badNumber(lexer);
  const sign = lexer.text.charCodeAt(lexer.pos);
  if (sign !== PLUS && sign !== MINUS) return emit(lexer, 'number');
  const second = scanNumber(lexer.text, lexer.pos);
  lexer.pos = second.end;
  return second.isGood && lexer.text[lexer.pos - 1] === 'i' ? emit(lexer, 'complex') : badNumber(lexer);
}

function passWord(lexer: Lexer): void {
  for (;;) {
    const code = lexer.text.charCodeAt(lexer.pos);
    if (code < 0x80) {
      if (!isAlphanumeric(code)) return;
      lexer.pos++;
    } else {
      const rune = runeAt(lexer.text, lexer.pos);
      if (rune === -1 || !isAlphanumeric(rune)) return;
      lexer.pos += unitsAt(lexer.text, lexer.pos);
    }
  }
}

function isAtTerminator(lexer: Lexer): boolean {
  const code = lexer.text.charCodeAt(lexer.pos);
  if (Number.isNaN(code) || isSpace(code)) return true;
  if (code === DOT || code === COMMA || code === BAR || code === COLON) return true;
  if (code === RIGHT_PAREN || code === LEFT_PAREN) return true;
  return code === lexer.rightStart && lexer.text.startsWith(lexer.right, lexer.pos);
}

const badCharacter = (lexer: Lexer): Token =>
  fail(lexer, `bad character ${showRune(runeAt(lexer.text, lexer.pos))}`);
const badNumber = (lexer: Lexer): Token =>
  fail(lexer, `bad number syntax: ${quoteString(lexer.text.slice(lexer.start, lexer.pos))}`);

function rightDelimAt(lexer: Lexer, at: number): 'none' | 'plain' | 'trim' {
  const code = lexer.text.charCodeAt(at);
  const isMarked = isSpace(code) && lexer.text.charCodeAt(at + 1) === MINUS;
  if (isMarked && lexer.text.startsWith(lexer.right, at + 2)) return 'trim';
  return code === lexer.rightStart && lexer.text.startsWith(lexer.right, at) ? 'plain' : 'none';
}

const hasLeftMarker = (lexer: Lexer, at: number): boolean =>
  lexer.text.charCodeAt(at) === MINUS && isSpace(lexer.text.charCodeAt(at + 1));

function trimEnd(lexer: Lexer, from: number, to: number): number {
  while (to > from && isSpace(lexer.text.charCodeAt(to - 1))) to--;
  return to;
}

function trimStart(lexer: Lexer, at: number): number {
  while (isSpace(lexer.text.charCodeAt(at))) at++;
  return at;
}

/** Go's `%#U`. */
function showRune(rune: number): string {
  const name = `U+${rune.toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrint(rune) ? `${name} '${runeText(rune)}'` : name;
}

const breaksIn = (delimiter: string): number => delimiter.split('\n').length - 1;

const KEYWORD_SET: ReadonlySet<string> = new Set(KEYWORDS);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const NEWLINE = 10;
const DOUBLE_QUOTE = 34;
const DOLLAR = 36;
const SINGLE_QUOTE = 39;
const LEFT_PAREN = 40;
const RIGHT_PAREN = 41;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const COLON = 58;
const EQUALS = 61;
const BACKSLASH = 92;
const BACK_QUOTE = 96;
const BAR = 124;
