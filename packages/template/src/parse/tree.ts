import { byteLength } from '../fmt/bytes.js';
import { quoteString } from '../fmt/quote.js';
import { type Lexer, nextToken } from './lex.js';
import { type ByteOffset, lineAt } from './positions.js';
import { KEYWORDS, type Token } from './token.js';

/** What all trees of one template text share. */
export interface TemplateSource {
  readonly name: string;
  readonly text: string;
  readonly lexer: Lexer;
  readonly byteAt: ByteOffset;
  readonly isFunction: (name: string) => boolean;
}

/** What a parser of one tree (the template itself, a definition or a block) knows so far. */
export interface ParseTree {
  readonly source: TemplateSource;
  /** Tokens given back, the next one last. */
  readonly waiting: Token[];
  /** Names in scope, in the order in which they were declared, and how often each is. */
  readonly vars: string[];
  readonly varCounts: Map<string, number>;
  rangeDepth: number;
  /** The start of the action being read, -1 outside. */
  actionStart: number;
  /** The last token read from the lexer: Go counts the line of an error there. */
  last: Token;
  /** Lines that Go leaves out up to `last`, and up to the action. */
  lastUncounted: number;
  actionUncounted: number;
}

export const newTree = (source: TemplateSource): ParseTree => ({
  source,
  waiting: [],
  vars: ['$'],
  varCounts: new Map([['$', 1]]),
  rangeDepth: 0,
  actionStart: -1,
  last: { kind: 'eof', start: 0, text: '' },
  lastUncounted: 0,
  actionUncounted: 0,
});

/** Whether a name is in scope, in constant time. */
export const isDeclared = ({ varCounts }: ParseTree, name: string): boolean => (varCounts.get(name) ?? 0) > 0;

export function declare({ vars, varCounts }: ParseTree, name: string): void {
  vars.push(name);
  varCounts.set(name, (varCounts.get(name) ?? 0) + 1);
}

/** Forgets what was declared since there were `size` names. */
export function leaveScope({ vars, varCounts }: ParseTree, size: number): void {
  for (const name of vars.splice(size)) varCounts.set(name, (varCounts.get(name) as number) - 1);
}

/** Leaves the parser; `parseTrees` makes the error of it. Not an Error: its stack would cost more than it says. */
export class ParseFailure {
  readonly message: string;
  readonly index: number;
  readonly isLimit: boolean;
  /** Lines that Go leaves out when it counts. */
  readonly uncounted: number;
  constructor(message: string, index: number, isLimit = false, uncounted = 0) {
    this.message = message;
    this.index = index;
    this.isLimit = isLimit;
    this.uncounted = uncounted;
  }
}

export function next(tree: ParseTree): Token {
  const given = tree.waiting.pop();
  if (given) return given;
  return read(tree);
}

function read(tree: ParseTree): Token {
  tree.last = nextToken(tree.source.lexer);
  tree.lastUncounted = tree.source.lexer.uncounted;
  return tree.last;
}

export function nextNonSpace(tree: ParseTree): Token {
  let token = next(tree);
  while (token.kind === 'space') token = next(tree);
  return token;
}

export function peek(tree: ParseTree): Token {
  const { waiting } = tree;
  const given = waiting[waiting.length - 1];
  if (given) return given;
  const token = read(tree);
  waiting.push(token);
  return token;
}

export function peekNonSpace(tree: ParseTree): Token {
  let token = peek(tree);
  while (token.kind === 'space') {
    tree.waiting.pop();
    token = peek(tree);
  }
  return token;
}

export const backup = (tree: ParseTree, token: Token): void => {
  tree.waiting.push(token);
};

export function expect(tree: ParseTree, kinds: readonly Token['kind'][], context: string): Token {
  const token = nextNonSpace(tree);
  return kinds.includes(token.kind) ? token : unexpected(tree, token, context);
}

export function fail(tree: ParseTree, message: string): never {
  throw new ParseFailure(message, tree.last.start, false, tree.lastUncounted);
}

export function unexpected(tree: ParseTree, token: Token, context: string): never {
  if (token.kind !== 'error') fail(tree, `unexpected ${showToken(token)} in ${context}`);
  fail(tree, `${token.text}${startedAt(tree, token)}`);
}

function startedAt(tree: ParseTree, token: Token): string {
  const { actionStart, actionUncounted, lastUncounted } = tree;
  const { name, text } = tree.source;
  if (actionStart < 0) return '';
  const line = lineAt(text, actionStart) - actionUncounted;
  if (line === lineAt(text, token.start) - lastUncounted) return '';
  return `${token.text.endsWith(' action') ? '' : ' in action'} started at ${name}:${line}`;
}

function showToken({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF';
  if (KEYWORD_SET.has(kind)) return `<${text}>`;
  // More than ten bytes: the first ten characters.
  if (byteLength(text.slice(0, 11)) <= 10) return quoteString(text);
  return `${quoteString(Array.from(text.slice(0, 20)).slice(0, 10).join(''))}...`;
}

const KEYWORD_SET: ReadonlySet<string> = new Set(KEYWORDS);
