import { guard } from '@cuebook/guard';
import { quoteString } from '../fmt/quote.js';
import { newLexer } from './lex.js';
import type { BranchNode, Node, RangeNode } from './node.js';
import { readPipeline } from './pipeline.js';
import { byteOffsets } from './positions.js';
import { isEmptyTree } from './template-tree.js';
import { stringOf } from './term.js';
import type { Token } from './token.js';
import {
  backup,
  expect,
  fail,
  leaveScope,
  newTree,
  next,
  nextNonSpace,
  ParseFailure,
  type ParseTree,
  peek,
  peekNonSpace,
  type TemplateSource,
  unexpected,
} from './tree.js';

/** The trees of a text by template name: its own, its definitions and its blocks. */
export type Trees = ReadonlyMap<string, readonly Node[]>;

export interface ParseOptions {
  readonly name: string;
  readonly text: string;
  readonly delimiters: readonly [left: string, right: string];
  readonly isFunction: (name: string) => boolean;
}

/** Control structures inside one another. Go knows no bound here; the stack of JavaScript does. */
const MAX_NESTING = 500;

/** Parses a text. Throws a `ParseFailure` and nothing else. */
export function parseTrees({ name, text, delimiters: [left, right], isFunction }: ParseOptions): Trees {
  const lexer = newLexer({ text, left, right, isFunction });
  const parser: Parser = {
    source: { name, text, lexer, byteAt: byteOffsets(text), isFunction },
    trees: new Map(),
    depth: 0,
  };
  const tree = newTree(parser.source);
  const nodes: Node[] = [];
  while (peek(tree).kind !== 'eof') {
    if (readDefinition(parser, tree)) continue;
    const node = textOrAction(parser, tree);
    if (isEnding(node)) fail(tree, `unexpected ${showEnding(tree, node)}`);
    nodes.push(node);
  }
  addTree(parser, tree, name, nodes.slice());
  return parser.trees;
}

interface Parser {
  readonly source: TemplateSource;
  readonly trees: Map<string, readonly Node[]>;
  depth: number;
}

/** What closes a list of nodes. */
interface Ending {
  readonly kind: 'end' | 'else';
  /** The first byte of its action. */
  readonly start: number;
}

const isEnding = (node: Node | Ending): node is Ending => node.kind === 'end' || node.kind === 'else';

const showEnding = ({ source: { lexer } }: ParseTree, { kind }: Ending): string =>
  `${lexer.left}${kind}${lexer.right}`;

/** `{{define}}` stands at the top of a text alone. */
function readDefinition(parser: Parser, outer: ParseTree): boolean {
  const delim = peek(outer);
  if (delim.kind !== 'left-delim') return false;
  next(outer);
  const keyword = nextNonSpace(outer);
  if (keyword.kind !== 'define') {
    backup(outer, keyword);
    backup(outer, delim);
    return false;
  }
  const context = 'define clause';
  const tree = newTree(parser.source);
  const name = stringOf(tree, expect(tree, ['string', 'raw-string'], context));
  expect(tree, ['right-delim'], context);
  const { list, ending } = itemList(parser, tree);
  if (ending.kind !== 'end') fail(tree, `unexpected ${showEnding(tree, ending)} in ${context}`);
  addTree(parser, tree, name, list);
  return true;
}

/** A second tree of one name is good as long as one of the two is empty. */
function addTree({ trees }: Parser, tree: ParseTree, name: string, nodes: readonly Node[]): void {
  const known = trees.get(name);
  if (!known || isEmptyTree(known)) trees.set(name, nodes);
  else if (!isEmptyTree(nodes)) fail(tree, `template: multiple definition of template ${quoteString(name)}`);
}

function enter(parser: Parser, tree: ParseTree): void {
  parser.depth++;
  if (guard('limit.nesting', parser.depth > MAX_NESTING)) {
    throw new ParseFailure(`control structures nest deeper than ${MAX_NESTING}`, tree.last.start, true);
  }
}

function itemList(parser: Parser, tree: ParseTree): { readonly list: Node[]; readonly ending: Ending } {
  enter(parser, tree);
  const list: Node[] = [];
  while (peekNonSpace(tree).kind !== 'eof') {
    const node = textOrAction(parser, tree);
    if (isEnding(node)) {
      parser.depth--;
      return { list: list.slice(), ending: node };
    }
    list.push(node);
  }
  return fail(tree, 'unexpected EOF');
}

function textOrAction(parser: Parser, tree: ParseTree): Node | Ending {
  const token = nextNonSpace(tree);
  if (token.kind === 'text') {
    const start = parser.source.byteAt(token.start);
    const end = parser.source.byteAt(token.start + token.text.length);
    return { kind: 'text', pos: start, start, end, text: token.text };
  }
  if (token.kind !== 'left-delim') return unexpected(tree, token, 'input');
  tree.actionStart = token.start;
  tree.actionUncounted = tree.lastUncounted;
  const node = action(parser, tree, token);
  tree.actionStart = -1;
  return node;
}

function action(parser: Parser, tree: ParseTree, delim: Token): Node | Ending {
  const token = nextNonSpace(tree);
  const pos = parser.source.byteAt(token.start);
  const start = parser.source.byteAt(delim.start);
  switch (token.kind) {
    case 'block':
      return block(parser, tree, delim);
    case 'break':
    case 'continue': {
      const after = nextNonSpace(tree);
      if (after.kind !== 'right-delim') unexpected(tree, after, `{{${token.kind}}}`);
      if (tree.rangeDepth === 0) fail(tree, `{{${token.kind}}} outside {{range}}`);
      return { kind: token.kind, pos };
    }
    case 'else':
      return elseEnding(tree, start);
    case 'end':
      expect(tree, ['right-delim'], 'end');
      return { kind: 'end', start };
    case 'if':
    case 'range':
    case 'with':
      return control(parser, tree, { kind: token.kind, start });
    case 'template':
      return templateCall(parser, tree, delim);
  }
  backup(tree, token);
  const pipe = readPipeline(tree, 'command');
  return { kind: 'action', pos, start, end: endOf(tree), pipe };
}

/** The end of an action: its closing delimiter was the last token read. */
const endOf = ({ source, last }: ParseTree): number => source.byteAt(last.start + last.text.length);

function elseEnding(tree: ParseTree, start: number): Ending {
  const following = peekNonSpace(tree).kind;
  if (following !== 'if' && following !== 'with') expect(tree, ['right-delim'], 'else');
  return { kind: 'else', start };
}

/** What opens a control structure, and the first byte of its action. */
interface Opening {
  readonly kind: 'if' | 'range' | 'with';
  readonly start: number;
}

function control(parser: Parser, tree: ParseTree, { kind, start }: Opening): BranchNode | RangeNode {
  const scope = tree.vars.length;
  const pipe = readPipeline(tree, kind);
  if (kind === 'range') tree.rangeDepth++;
  const { list, ending } = itemList(parser, tree);
  if (kind === 'range') tree.rangeDepth--;
  const otherwise =
    ending.kind === 'else' ? elseList(parser, tree, { kind, start: ending.start }) : undefined;
  leaveScope(tree, scope);
  return { kind, pos: pipe.pos, start, pipe, list, otherwise };
}

/** `{{else if}}` and `{{else with}}` share the end of what they belong to. */
function elseList(parser: Parser, tree: ParseTree, { kind, start }: Opening): readonly Node[] {
  if (kind !== 'range' && peek(tree).kind === kind) {
    next(tree);
    enter(parser, tree);
    const nested = control(parser, tree, { kind, start });
    parser.depth--;
    return [nested];
  }
  const { list, ending } = itemList(parser, tree);
  if (ending.kind !== 'end') fail(tree, `expected end; found ${showEnding(tree, ending)}`);
  return list;
}

function templateCall(parser: Parser, tree: ParseTree, delim: Token): Node {
  const context = 'template clause';
  const token = expect(tree, ['string', 'raw-string'], context);
  const name = stringOf(tree, token);
  const following = nextNonSpace(tree);
  if (following.kind !== 'right-delim') backup(tree, following);
  const pipe = following.kind === 'right-delim' ? undefined : readPipeline(tree, context);
  const { byteAt } = parser.source;
  const [pos, start] = [byteAt(token.start), byteAt(delim.start)];
  return { kind: 'template', pos, start, end: endOf(tree), name, pipe };
}

/** A definition and a call of it in one. */
function block(parser: Parser, tree: ParseTree, delim: Token): Node {
  const context = 'block clause';
  const token = expect(tree, ['string', 'raw-string'], context);
  const name = stringOf(tree, token);
  const pipe = readPipeline(tree, context);
  const end = endOf(tree);
  const inner = newTree(parser.source);
  const { list, ending } = itemList(parser, inner);
  if (ending.kind !== 'end') fail(tree, `unexpected ${showEnding(tree, ending)} in ${context}`);
  addTree(parser, inner, name, list);
  const { byteAt } = parser.source;
  return { kind: 'template', pos: byteAt(token.start), start: byteAt(delim.start), end, name, pipe };
}
