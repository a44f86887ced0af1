export { TEMPLATE_CODES } from './codes.js';
export type { TemplateError } from './error.js';
export { type ParamType, type Signature, type SignedFunction, signed } from './exec/function-entry.js';
export type { RenderLimits } from './exec/limits.js';
export type { MissingKey } from './exec/state.js';
export { type GoTemplate, newTemplate, type TemplateFile } from './go-template.js';
export { type JsonError, readJson } from './json.js';
export type {
  ActionNode,
  BoolNode,
  BranchNode,
  BreakNode,
  ChainNode,
  CommandNode,
  ContinueNode,
  DotNode,
  FieldNode,
  IdentifierNode,
  NilNode,
  Node,
  NumberNode,
  Operand,
  PipeNode,
  RangeNode,
  StringNode,
  TemplateNode,
  TextNode,
  VariableNode,
} from './parse/node.js';
export { type Delimiters, printNode } from './parse/print-node.js';
export type { ParsedText, TemplateTree } from './parse/template-tree.js';
export { type AnyNode, walkNodes } from './parse/walk.js';
export type { RenderEngine, RenderOptions } from './render.js';
export type { Rendered } from './rendered.js';
export type { Result } from './result.js';
export type { TemplateSpan } from './spans.js';
export { parseTemplate, type Template, type TemplateOptions } from './template.js';
export {
  bytes,
  float,
  float32,
  int8,
  int16,
  int32,
  int64,
  nilSlice,
  slice,
  struct,
  tagged,
  uint,
  uint8,
  uint16,
  uint32,
  uint64,
} from './value/make.js';
export { Float, Float32, Integer, type IntegerType, Uint8 } from './value/number.js';
export { Complex, Slice, Struct, Tagged, type TemplateFunction, type Value } from './value/value.js';
