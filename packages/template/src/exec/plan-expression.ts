import type { CommandNode, IdentifierNode, Operand, PipeNode } from '../parse/node.js';
import { printNode } from '../parse/print-node.js';
import { callEntry } from './call-value.js';
import { countProblem, type FunctionEntry, type ParameterType, paramAt } from './function-entry.js';
import { isLiteral, type LiteralValue, literalAlone, literalAs } from './literal.js';
import type {
  Expression,
  FailExpression,
  FieldExpression,
  MethodArgument,
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
      return planFields(planner, word, args, first);
    case 'variable':
      if (word.idents.length > 1) return planFields(planner, word, args, first);
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
    case 'string':
    case 'number':
      return planLiteral(planner.siteOf(node), literalAlone(node));
    case 'variable':
      if (node.idents.length > 1) return planFields(planner, node, [], undefined);
      return {
        op: 'variable',
        at: planner.siteOf(node),
        target: planner.scope.find(node.idents[0] as string),
      };
    case 'field':
    case 'chain':
      return planFields(planner, node, [], undefined);
    case 'identifier':
      return planCall(planner, { node, args: [], first: undefined, site: planner.siteOf(node) });
    case 'pipe':
      return planPipe(planner, node);
  }
}

function planFields(
  planner: Planner,
  node: Extract<Operand, { kind: 'field' | 'chain' | 'variable' }>,
  given: readonly Operand[],
  first: Expression | undefined,
): FieldExpression {
  const at = planner.siteOf(node);
  switch (node.kind) {
    case 'field': {
      const args = planMethodArguments(planner, given);
      return { op: 'field', at, base: 'dot', names: node.idents, args, first };
    }
    case 'chain': {
      const base = planOperand(planner, node.node);
      const args = planMethodArguments(planner, given);
      return { op: 'field', at, base, names: node.fields, args, first };
    }
    case 'variable': {
      const base = planner.scope.find(node.idents[0] as string);
      const args = planMethodArguments(planner, given);
      return { op: 'field', at, base, names: node.idents.slice(1), args, first };
    }
  }
}

const NO_ARGUMENTS: readonly MethodArgument[] = [];

/** What types the parameters of a method have is known only when it is called. */
const planMethodArguments = (planner: Planner, nodes: readonly Operand[]): readonly MethodArgument[] =>
  nodes.length === 0
    ? NO_ARGUMENTS
    : nodes.map((node) =>
        isLiteral(node)
          ? { literal: node, at: planner.siteOf(node) }
          : { literal: undefined, value: planOperand(planner, node) },
      );

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
  const problem = countProblem(name, entry.signature, args.length, first !== undefined);
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
  if (!isLiteral(node)) return { value: planOperand(planner, node), type };
  const isLoose = type === 'any' || type === 'tagged' || type === 'data' || type === 'index';
  // A literal has the type of the parameter already.
  return { value: planLiteral(planner.siteOf(node), literalAs(node, type)), type: isLoose ? type : 'any' };
}

const planLiteral = (at: number, literal: LiteralValue): Expression =>
  'problem' in literal
    ? { op: 'fail', at, message: literal.problem, first: undefined }
    : { op: 'constant', at, value: literal.value };
