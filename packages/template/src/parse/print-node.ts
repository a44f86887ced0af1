import { quoteString } from '../fmt/quote.js';
import type { CommandNode, Node, Operand, PipeNode } from './node.js';

/** A node as Go prints it between `<` and `>` in error texts. One nested past what the stack holds is `…`. */
export function printNode(node: Node | Operand | CommandNode): string {
  try {
    return print(node);
  } catch (error) {
    if (error instanceof RangeError) return '…';
    throw error;
  }
}

function print(node: Node | Operand | CommandNode): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'action':
      return `{{${printPipe(node.pipe)}}}`;
    case 'if':
    case 'with':
    case 'range':
      return `{{${node.kind} ${printPipe(node.pipe)}}}${printList(node.list)}${printElse(node.otherwise)}{{end}}`;
    case 'template':
      return `{{template ${quoteString(node.name)}${node.pipe ? ` ${printPipe(node.pipe)}` : ''}}}`;
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
    case 'pipe':
      return printPipe(node);
    case 'command':
      return node.args.map(printArgument).join(' ');
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

const printList = (list: readonly Node[]): string => list.map(print).join('');

const printElse = (list: readonly Node[] | undefined): string => (list ? `{{else}}${printList(list)}` : '');

const printArgument = (node: Operand): string =>
  node.kind === 'pipe' ? `(${printPipe(node)})` : print(node);

function printPipe({ decl, isAssign, commands }: PipeNode): string {
  const names = decl.map(print).join(', ');
  return `${names && `${names} ${isAssign ? '=' : ':='} `}${commands.map(print).join(' | ')}`;
}
