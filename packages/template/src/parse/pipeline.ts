import { quoteString } from '../fmt/quote.js';
import type { CommandNode, Operand, PipeNode, VariableNode } from './node.js';
import { printNode } from './print-node.js';
import { readTerm } from './term.js';
import type { TokenKind } from './token.js';
import {
  backup,
  declare,
  fail,
  next,
  nextNonSpace,
  type ParseTree,
  peek,
  peekNonSpace,
  unexpected,
} from './tree.js';

/** Go's bound on parentheses inside parentheses. */
const MAX_PARENTHESES = 10_000;

/** A pipeline that is being read: the action's own, or one in parentheses. */
interface Open {
  readonly context: string;
  readonly end: TokenKind;
  readonly pos: number;
  readonly decl: readonly VariableNode[];
  readonly isAssign: boolean;
  readonly commands: CommandNode[];
  /** The command that a nested pipeline is an argument of. */
  args: Operand[];
  commandPos: number;
}

/**
 * Reads a pipeline up to its closing delimiter. Parentheses are kept on a list and not on the stack, so that
 * ten thousand of them are as good as one.
 */
export function readPipeline(tree: ParseTree, context: string): PipeNode {
  const stack: Open[] = [openPipeline(tree, context, 'right-delim')];
  for (;;) {
    const open = stack.at(-1) as Open;
    const token = nextNonSpace(tree);
    if (token.kind === open.end) {
      const pipe = closePipeline(tree, open);
      stack.pop();
      const outer = stack.at(-1);
      if (!outer) return pipe;
      readArguments(tree, outer, stack, pipe);
    } else if (OPERANDS.has(token.kind)) {
      backup(tree, token);
      open.args = [];
      open.commandPos = tree.source.byteAt(token.start);
      readArguments(tree, open, stack, undefined);
    } else unexpected(tree, token, open.context);
  }
}

/** Goes on with a command until it ends, or until a parenthesis opens. `nested` is the one that has closed. */
function readArguments(tree: ParseTree, open: Open, stack: Open[], nested: PipeNode | undefined): void {
  let term: Operand | 'parenthesis' | undefined = nested;
  for (;;) {
    if (!term) {
      peekNonSpace(tree);
      term = readTerm(tree);
    }
    if (term === 'parenthesis') {
      if (stack.length > MAX_PARENTHESES) fail(tree, 'max expression depth exceeded');
      stack.push(openPipeline(tree, 'parenthesized pipeline', 'right-paren'));
      return;
    }
    if (term) open.args.push(withFields(tree, term));
    term = undefined;
    const token = next(tree);
    if (token.kind === 'space') continue;
    if (token.kind === 'right-delim' || token.kind === 'right-paren') backup(tree, token);
    else if (token.kind !== 'pipe') unexpected(tree, token, 'operand');
    break;
  }
  if (open.args.length === 0) fail(tree, 'empty command');
  open.commands.push({ kind: 'command', pos: open.commandPos, args: exact(open.args) });
}

function openPipeline(tree: ParseTree, context: string, end: TokenKind): Open {
  const pos = tree.source.byteAt(peekNonSpace(tree).start);
  const decl: VariableNode[] = [];
  let isAssign = false;
  for (;;) {
    const variable = peekNonSpace(tree);
    if (variable.kind !== 'variable') break;
    next(tree);
    const after = next(tree);
    const following = after.kind === 'space' ? nextNonSpace(tree) : after;
    const isDeclaration = following.kind === 'assign' || following.kind === 'declare';
    if (!isDeclaration && following.text !== ',') {
      backup(tree, following);
      if (after !== following) backup(tree, after);
      backup(tree, variable);
      break;
    }
    const ident = variable.text;
    decl.push({ kind: 'variable', pos: tree.source.byteAt(variable.start), idents: [ident] });
    declare(tree, ident);
    if (isDeclaration) {
      isAssign = following.kind === 'assign';
      break;
    }
    if (context !== 'range' || decl.length > 1) fail(tree, `too many declarations in ${context}`);
    if (!AFTER_COMMA.has(peekNonSpace(tree).kind)) fail(tree, 'range can only initialize variables');
  }
  return { context, end, pos, decl, isAssign, commands: [], args: [], commandPos: 0 };
}

function closePipeline(tree: ParseTree, { context, pos, decl, isAssign, commands }: Open): PipeNode {
  if (commands.length === 0) fail(tree, `missing value for ${context}`);
  commands.slice(1).forEach(({ args }, index) => {
    if (NOT_EXECUTABLE.has(args[0]?.kind ?? '')) {
      fail(tree, `non executable command in pipeline stage ${index + 2}`);
    }
  });
  return { kind: 'pipe', pos, decl: exact(decl), isAssign, commands: exact(commands) };
}

/** A list that grew holds more room than it needs, and trees are kept. */
const exact = <Item>(items: readonly Item[]): readonly Item[] => (items.length === 0 ? NONE : items.slice());

const NONE: readonly never[] = [];

/** The operand with the fields that follow it: `(x).a`, `$x.a`, `.a.b`. */
function withFields(tree: ParseTree, term: Operand): Operand {
  const first = peek(tree);
  if (first.kind !== 'field') return term;
  const pos = tree.source.byteAt(first.start);
  const fields: string[] = [];
  while (peek(tree).kind === 'field') fields.push(next(tree).text.slice(1));
  switch (term.kind) {
    case 'field':
    case 'variable':
      return { kind: term.kind, pos, idents: [...term.idents, ...fields] };
    case 'pipe':
    case 'identifier':
      return { kind: 'chain', pos, node: term, fields: exact(fields) };
    default:
      return fail(tree, `unexpected . after term ${quoteString(printNode(term))}`);
  }
}

const NOT_EXECUTABLE: ReadonlySet<string> = new Set(['bool', 'dot', 'nil', 'number', 'string']);
const AFTER_COMMA: ReadonlySet<TokenKind> = new Set<TokenKind>(['variable', 'right-delim', 'right-paren']);
const OPERANDS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'bool',
  'char-constant',
  'complex',
  '.',
  'field',
  'identifier',
  'number',
  'nil',
  'raw-string',
  'string',
  'variable',
  'left-paren',
]);
