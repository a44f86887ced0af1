import { quoteString } from '../fmt/quote.js';
import type { CommandNode, Node, Operand, PipeNode } from './node.js';

/** What stands around an action. */
export type Delimiters = readonly [left: string, right: string];

const DEFAULT_DELIMITERS: Delimiters = ['{{', '}}'];

/** The delimiters that are meant: an empty one is the usual one. */
export const withDefaults = ([left = '', right = '']: readonly string[]): Delimiters => [
  left || DEFAULT_DELIMITERS[0],
  right || DEFAULT_DELIMITERS[1],
];

/** A node as Go prints it, between the usual delimiters. One nested past what the stack holds is `…`. */
export const printNode = (node: Node | Operand | CommandNode): string =>
  printBetween(DEFAULT_DELIMITERS, node);

/** A node as it stands between `<` and `>` in error texts. */
export function printBetween(delimiters: Delimiters, node: Node | Operand | CommandNode): string {
  try {
    return print(node, delimiters);
  } catch (error) {
    if (error instanceof RangeError) return '…';
    throw error;
  }
}

function print(node: Node | Operand | CommandNode, delimiters: Delimiters): string {
  const action = (words: string): string => `${delimiters[0]}${words}${delimiters[1]}`;
  const printList = (list: readonly Node[]): string => list.map((each) => print(each, delimiters)).join('');
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'action':
      return action(printPipe(node.pipe));
    case 'if':
    case 'with':
    case 'range': {
      const otherwise = node.otherwise ? `${action('else')}${printList(node.otherwise)}` : '';
      return `${action(`${node.kind} ${printPipe(node.pipe)}`)}${printList(node.list)}${otherwise}${action('end')}`;
    }
    case 'template':
      return action(`template ${quoteString(node.name)}${node.pipe ? ` ${printPipe(node.pipe)}` : ''}`);
    case 'break':
    case 'continue':
      return action(node.kind);
    case 'pipe':
      return printPipe(node);
    case 'command':
      return node.args.map(printArgument).join(' ');
    default:
      return printOperand(node);
  }
}

function printOperand(node: Exclude<Operand, PipeNode>): string {
  switch (node.kind) {
    case 'field':
      return node.idents.map((ident) => `.${ident}`).join('');
    case 'variable':
      return node.idents.join('.');
    case 'chain':
      return `${printArgument(node.node)}${node.fields.map((field) => `.${field}`).join('')}`;
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
  }
}

const printArgument = (node: Operand): string =>
  node.kind === 'pipe' ? `(${printPipe(node)})` : printOperand(node);

function printPipe({ decl, isAssign, commands }: PipeNode): string {
  const names = decl.map(printOperand).join(', ');
  const stages = commands.map(({ args }) => args.map(printArgument).join(' ')).join(' | ');
  return `${names && `${names} ${isAssign ? '=' : ':='} `}${stages}`;
}
