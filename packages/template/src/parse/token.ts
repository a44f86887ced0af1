/** What the lexer hands out. Keywords, `.` and `nil` are named by their own text. */
export type TokenKind =
  | 'text'
  | 'left-delim'
  | 'right-delim'
  | 'space'
  | 'assign'
  | 'declare'
  | 'pipe'
  | 'left-paren'
  | 'right-paren'
  | 'char'
  | 'string'
  | 'raw-string'
  | 'char-constant'
  | 'number'
  | 'complex'
  | 'bool'
  | 'identifier'
  | 'field'
  | 'variable'
  | 'error'
  | 'eof'
  | Keyword;

export type Keyword = (typeof KEYWORDS)[number];

export const KEYWORDS = [
  '.',
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
] as const;

/** A piece of the template. `start` counts UTF-16 units; the text of an error is its message. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly text: string;
}
