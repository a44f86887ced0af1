import type { CommandNode, Node, Operand } from './node.js';

export type AnyNode = Node | Operand | CommandNode;

/** Visits every node in the order of the text, outer before inner. Keeps a list, so that depth does not matter. */
export function walkNodes(nodes: readonly AnyNode[], visit: (node: AnyNode) => void): void {
  const waiting: AnyNode[] = [...nodes].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    visit(node);
    const children = childrenOf(node);
    for (let index = children.length - 1; index >= 0; index--) waiting.push(children[index] as AnyNode);
  }
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  switch (node.kind) {
    case 'action':
      return [node.pipe];
    case 'if':
    case 'with':
    case 'range':
      return [node.pipe, ...node.list, ...(node.otherwise ?? [])];
    case 'template':
      return node.pipe ? [node.pipe] : [];
    case 'pipe':
      return [...node.decl, ...node.commands];
    case 'command':
      return node.args;
    case 'chain':
      return [node.node];
    default:
      return [];
  }
}
