import type { NumberConstant } from './number.js';

/**
 * The tree of a template. `pos` is the byte at which Go places the node in error texts; it is that of the
 * second identifier for `.a.b`. `start` and `end` bound the bytes of the template that the node was.
 */
export type Node = TextNode | ActionNode | BranchNode | RangeNode | TemplateNode | BreakNode | ContinueNode;

/** Literal text, trimmed already. */
export interface TextNode extends Extent {
  readonly kind: 'text';
  readonly text: string;
}

/** `{{pipeline}}`. The extent includes the delimiters. */
export interface ActionNode extends Extent {
  readonly kind: 'action';
  readonly pipe: PipeNode;
}

/** `{{if}}` or `{{with}}`. `else if` and `else with` are a branch alone in `otherwise`. */
export interface BranchNode extends At {
  readonly kind: 'if' | 'with';
  /** The first byte of the action that opens it. */
  readonly start: number;
  readonly pipe: PipeNode;
  readonly list: readonly Node[];
  readonly otherwise: readonly Node[] | undefined;
}

export interface RangeNode extends At {
  readonly kind: 'range';
  readonly start: number;
  readonly pipe: PipeNode;
  readonly list: readonly Node[];
  readonly otherwise: readonly Node[] | undefined;
}

/** `{{template "name" pipeline}}`, and what stays of a `{{block}}`. */
export interface TemplateNode extends Extent {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}

export interface BreakNode extends At {
  readonly kind: 'break';
}

export interface ContinueNode extends At {
  readonly kind: 'continue';
}

/** `$x := a | b`. */
export interface PipeNode extends At {
  readonly kind: 'pipe';
  readonly isAssign: boolean;
  readonly decl: readonly VariableNode[];
  readonly commands: readonly CommandNode[];
}

/** One stage of a pipeline: an operand, or a function and its arguments. */
export interface CommandNode extends At {
  readonly kind: 'command';
  readonly args: readonly Operand[];
}

export type Operand =
  | FieldNode
  | VariableNode
  | ChainNode
  | IdentifierNode
  | DotNode
  | NilNode
  | BoolNode
  | NumberNode
  | StringNode
  | PipeNode;

/** `.a.b` */
export interface FieldNode extends At {
  readonly kind: 'field';
  readonly idents: readonly string[];
}

/** `$x.a`: the first identifier is the variable, with its `$`. */
export interface VariableNode extends At {
  readonly kind: 'variable';
  readonly idents: readonly string[];
}

/** `(pipeline).a.b`, or `function.a`. */
export interface ChainNode extends At {
  readonly kind: 'chain';
  readonly node: PipeNode | IdentifierNode;
  readonly fields: readonly string[];
}

/** The name of a function. */
export interface IdentifierNode extends At {
  readonly kind: 'identifier';
  readonly name: string;
}

export interface DotNode extends At {
  readonly kind: 'dot';
}

export interface NilNode extends At {
  readonly kind: 'nil';
}

export interface BoolNode extends At {
  readonly kind: 'bool';
  readonly value: boolean;
}

export interface NumberNode extends At {
  readonly kind: 'number';
  readonly text: string;
  readonly constant: NumberConstant;
}

export interface StringNode extends At {
  readonly kind: 'string';
  /** As written, quotes included. */
  readonly quoted: string;
  readonly text: string;
}

interface At {
  readonly pos: number;
}

interface Extent extends At {
  readonly start: number;
  readonly end: number;
}
