import { quoteString } from '../fmt/quote.js';
import type { Operand } from './node.js';
import { characterConstant, type NumberConstant, readComplex, readNumber } from './number.js';
import type { Token } from './token.js';
import { backup, fail, isDeclared, nextNonSpace, type ParseTree } from './tree.js';
import { unquote, unquoteCharacter } from './unquote.js';

/** The operand that begins here; `parenthesis` when one opens, undefined when there is none. */
export function readTerm(tree: ParseTree): Operand | 'parenthesis' | undefined {
  const token = nextNonSpace(tree);
  const { text } = token;
  const pos = tree.source.byteAt(token.start);
  switch (token.kind) {
    case 'left-paren':
      return 'parenthesis';
    case 'identifier':
      if (!tree.source.isFunction(text)) fail(tree, `function ${quoteString(text)} not defined`);
      return { kind: 'identifier', pos, name: text };
    case '.':
      return { kind: 'dot', pos };
    case 'nil':
      return { kind: 'nil', pos };
    case 'variable':
      if (!isDeclared(tree, text)) fail(tree, `undefined variable ${quoteString(text)}`);
      return { kind: 'variable', pos, idents: [text] };
    case 'field':
      return { kind: 'field', pos, idents: [text.slice(1)] };
    case 'bool':
      return { kind: 'bool', pos, value: text === 'true' };
    case 'char-constant':
    case 'complex':
    case 'number':
      return { kind: 'number', pos, text, constant: constantOf(tree, token) };
    case 'string':
    case 'raw-string':
      return { kind: 'string', pos, quoted: text, text: stringOf(tree, token) };
    default:
      backup(tree, token);
      return undefined;
  }
}

/** What a string token says. */
export const stringOf = (tree: ParseTree, { text }: Token): string =>
  unquote(text) ?? fail(tree, 'invalid syntax');

function constantOf(tree: ParseTree, { kind, text }: Token): NumberConstant {
  const constant =
    kind === 'complex' ? readComplex(text) : kind === 'number' ? readNumber(text) : character(text);
  return 'problem' in constant ? fail(tree, constant.problem) : constant;
}

function character(text: string): NumberConstant | { readonly problem: string } {
  const code = unquoteCharacter(text);
  return typeof code === 'number' ? characterConstant(code) : code;
}
