import type { CommandNode, IdentifierNode, NumberNode, Operand, PipeNode } from '../parse/node.js';
import { MAX_INT } from '../parse/number.js';
import { printNode } from '../parse/print-node.js';
import { Complex, Float, type Value } from '../value/value.js';
import { callEntry } from './call-value.js';
import { type FunctionEntry, type ParameterType, paramAt } from './function-entry.js';
import type {
  Expression,
  FailExpression,
  FieldExpression,
  ProgramArgument,
  SiteNode,
  SlotTarget,
} from './program.js';
import type { VariableScope } from './scope.js';

/** What planning one template needs to know. */
export interface Planner {
  readonly scope: VariableScope;
  readonly siteOf: (node: SiteNode) => number;
  readonly findFunction: (name: string) => FunctionEntry | undefined;
}

/** A pipeline: each stage takes the value of the one before. Its variables are declared behind its stages. */
export function planPipe(planner: Planner, outer: PipeNode): Expression {
  const pipe = withoutParentheses(outer);
  let stage: Expression | undefined;
  for (const command of pipe.commands) stage = planCommand(planner, pipe, command, stage);
  const targets = pipe.decl.length === 0 ? NO_TARGETS : planTargets(planner, pipe);
  return { op: 'pipe', stage: stage as Expression, targets };
}

const NO_TARGETS: readonly SlotTarget[] = [];

const planTargets = (planner: Planner, pipe: PipeNode): readonly SlotTarget[] =>
  pipe.decl.map(({ idents: [name = ''] }): SlotTarget => {
    if (pipe.isAssign) return planner.scope.find(name);
    return { name, slots: [planner.scope.declare(name)], isCertain: true };
  });

/** Parentheses around all of a pipeline say nothing, however many there are. */
function withoutParentheses(pipe: PipeNode): PipeNode {
  for (;;) {
    const [only, ...others] = pipe.commands;
    const [word, ...args] = only?.args ?? [];
    if (pipe.decl.length > 0 || others.length > 0 || args.length > 0 || word?.kind !== 'pipe') return pipe;
    pipe = word;
  }
}

function planCommand(
  planner: Planner,
  pipe: PipeNode,
  command: CommandNode,
  first: Expression | undefined,
): Expression {
  const [word, ...args] = command.args as readonly [Operand, ...Operand[]];
  const hasArguments = args.length > 0 || first !== undefined;
  switch (word.kind) {
    case 'field':
    case 'chain':
      return planFields(planner, word, hasArguments, first);
    case 'variable':
      if (word.idents.length > 1) return planFields(planner, word, hasArguments, first);
      return hasArguments ? notAFunction(planner, word, first) : planOperand(planner, word);
    case 'identifier':
      return planCall(planner, { node: word, args, first, site: planner.siteOf(command) });
    case 'pipe': {
      if (!hasArguments) return planPipe(planner, word);
      const at = first ? -1 : planner.siteOf(pipe);
      return { op: 'fail', at, first, message: `can't give argument to non-function ${printNode(word)}` };
    }
    case 'nil':
      if (hasArguments) return notAFunction(planner, word, first);
      return { op: 'fail', at: planner.siteOf(word), first: undefined, message: 'nil is not a command' };
    default:
      return hasArguments ? notAFunction(planner, word, first) : planOperand(planner, word);
  }
}

function notAFunction(planner: Planner, word: Operand, first: Expression | undefined): FailExpression {
  const at = planner.siteOf(word);
  return { op: 'fail', at, first, message: `can't give argument to non-function ${printNode(word)}` };
}

/** An operand without arguments. `nil` has a meaning only as an argument. */
function planOperand(planner: Planner, node: Exclude<Operand, { kind: 'nil' }>): Expression {
  switch (node.kind) {
    case 'dot':
      return { op: 'dot', at: planner.siteOf(node) };
    case 'bool':
      return { op: 'constant', at: planner.siteOf(node), value: node.value };
    case 'string':
      return { op: 'constant', at: planner.siteOf(node), value: node.text };
    case 'number':
      return planNumber(planner, node);
    case 'variable':
      if (node.idents.length > 1) return planFields(planner, node, false, undefined);
      return {
        op: 'variable',
        at: planner.siteOf(node),
        target: planner.scope.find(node.idents[0] as string),
      };
    case 'field':
    case 'chain':
      return planFields(planner, node, false, undefined);
    case 'identifier':
      return planCall(planner, { node, args: [], first: undefined, site: planner.siteOf(node) });
    case 'pipe':
      return planPipe(planner, node);
  }
}

function planFields(
  planner: Planner,
  node: Extract<Operand, { kind: 'field' | 'chain' | 'variable' }>,
  hasArguments: boolean,
  first: Expression | undefined,
): FieldExpression {
  const at = planner.siteOf(node);
  switch (node.kind) {
    case 'field':
      return { op: 'field', at, base: 'dot', names: node.idents, hasArguments, first };
    case 'chain': {
      const base = planOperand(planner, node.node);
      return { op: 'field', at, base, names: node.fields, hasArguments, first };
    }
    case 'variable': {
      const base = planner.scope.find(node.idents[0] as string);
      return { op: 'field', at, base, names: node.idents.slice(1), hasArguments, first };
    }
  }
}

interface Call {
  readonly node: IdentifierNode;
  readonly args: readonly Operand[];
  readonly first: Expression | undefined;
  readonly site: number;
}

function planCall(planner: Planner, { node, args, first, site }: Call): Expression {
  const { name } = node;
  const at = planner.siteOf(node);
  const entry = planner.findFunction(name);
  if (!entry) return { op: 'fail', at, first, message: `"${name}" is not a defined function` };
  const problem = countProblem(entry, args.length, first !== undefined);
  if (problem) return { op: 'fail', at, first, message: problem };
  if (entry.builtin && (name === 'and' || name === 'or')) {
    return planEither(planner, { at, isOr: name === 'or', args, first });
  }
  return {
    op: 'call',
    at,
    callSite: site,
    entry: entry.builtin && name === 'call' ? callEntry(entry, args[0] && printNode(args[0])) : entry,
    args: args.map((arg, index) => planArgument(planner, arg, paramAt(entry.signature, index))),
    first,
    firstType: paramAt(entry.signature, args.length),
  };
}

function countProblem(
  { name, signature: { params, variadic } }: FunctionEntry,
  given: number,
  hasFirst: boolean,
): string | undefined {
  const all = given + (hasFirst ? 1 : 0);
  if (!variadic) {
    return all === params.length
      ? undefined
      : `wrong number of args for ${name}: want ${params.length} got ${all}`;
  }
  // Go leaves the value piped in out of this count.
  const least = params.length - 1;
  return all < least ? `wrong number of args for ${name}: want at least ${least} got ${given}` : undefined;
}

function planEither(
  planner: Planner,
  {
    at,
    isOr,
    args,
    first,
  }: { at: number; isOr: boolean; args: readonly Operand[]; first: Expression | undefined },
): Expression {
  const planned: Expression[] = [];
  const plan = (arg: Operand): void => {
    planned.push(planArgument(planner, arg, 'any').value);
  };
  args.slice(0, 1).forEach(plan);
  const resets = planner.scope.maybe(() => args.slice(1).forEach(plan));
  return { op: 'either', at, isOr, args: planned, first, resets };
}

function planArgument(planner: Planner, node: Operand, type: ParameterType): ProgramArgument {
  if (type === 'any' || type === 'data' || type === 'index') {
    if (node.kind === 'nil') {
      return { value: { op: 'constant', at: planner.siteOf(node), value: undefined }, type };
    }
    return { value: planOperand(planner, node), type };
  }
  const at = planner.siteOf(node);
  if (node.kind === 'nil') return failing(at, `cannot assign nil to ${type}`);
  if (node.kind !== 'bool' && node.kind !== 'number' && node.kind !== 'string') {
    return { value: planOperand(planner, node), type };
  }
  const value = constantOf(node, type);
  if (value === undefined) return failing(at, `expected ${TYPE_WORDS[type]}; found ${printNode(node)}`);
  return { value: { op: 'constant', at, value }, type: 'any' };
}

const failing = (at: number, message: string): ProgramArgument => ({
  value: { op: 'fail', at, message, first: undefined },
  type: 'any',
});

const TYPE_WORDS: Readonly<Record<Exclude<ParameterType, 'any' | 'data' | 'index'>, string>> = {
  string: 'string',
  int: 'integer',
  float64: 'float',
  bool: 'bool',
};

function constantOf(
  node: Extract<Operand, { kind: 'bool' | 'number' | 'string' }>,
  type: ParameterType,
): Value {
  if (type === 'string') return node.kind === 'string' ? node.text : undefined;
  if (type === 'bool') return node.kind === 'bool' ? node.value : undefined;
  if (node.kind !== 'number') return undefined;
  const { int, float } = node.constant;
  if (type === 'int') return int === undefined ? undefined : intValue(int);
  return float === undefined ? undefined : new Float(float);
}

/** A number whose type nothing says: as it is written. */
function planNumber(planner: Planner, node: NumberNode): Expression {
  const at = planner.siteOf(node);
  const { int, uint, float, complex } = node.constant;
  if (complex) return { op: 'constant', at, value: new Complex(...complex) };
  if (float !== undefined && isWrittenAsFloat(node.text)) {
    return { op: 'constant', at, value: new Float(float) };
  }
  if (int !== undefined) return { op: 'constant', at, value: intValue(int) };
  if (uint !== undefined && uint > MAX_INT) {
    return { op: 'fail', at, first: undefined, message: `${node.text} overflows int` };
  }
  return { op: 'constant', at, value: undefined };
}

/**
 * With a point or an exponent, and neither a character nor a hexadecimal integer. Go knows a hexadecimal integer
 * only without a sign: the digit e makes `-0x1e` a float64.
 */
function isWrittenAsFloat(text: string): boolean {
  if (text.startsWith("'")) return false;
  const isHexInteger = /^0[xX]./.test(text) && !/[pP]/.test(text);
  return !isHexInteger && /[.eEpP]/.test(text);
}

/** An int is a number as long as it is safe. */
function intValue(int: bigint): number | bigint {
  const value = Number(int);
  return Number.isSafeInteger(value) ? value : int;
}
