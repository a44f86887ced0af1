import type { CommandNode, Node, Operand, PipeNode, Template } from '@cuebook/template';

/** What the actions of a template can print, in every branch, executed or not. */
export interface TemplateFlow {
  /** The inputs from which the action at a byte may have computed what it prints; undefined: any of them. */
  readonly inputsAt: (from: number) => ReadonlySet<string> | undefined;
  /** The actions that print something, by their first byte. */
  readonly actions: readonly number[];
  /** The inputs that are read, with the byte of each. */
  readonly fields: readonly ReadInput[];
  readonly includes: readonly ReadInclude[];
}

export interface ReadInput {
  readonly name: string;
  readonly offset: number;
}

export interface ReadInclude {
  /** Undefined where the name is computed. */
  readonly name: string | undefined;
  readonly offset: number;
}

/**
 * What flows where. The answer errs on the side of more: variables of one name count as one, a function may use all that
 * it is given. What is printed because of an input, in a branch, is not computed from it. `inputsOf` are the inputs of a
 * text that is included.
 */
export function findFlow(
  template: Pick<Template, 'name' | 'nodes' | 'templates'>,
  inputsOf: (text: string) => Iterable<string>,
): TemplateFlow {
  const found: Found = {
    inputsOf,
    variables: new Map(),
    dots: new Map([[template.name, CONTEXT]]),
    actions: new Map(),
    fields: new Map(),
    includes: new Map(),
    size: 0,
  };
  // Each round finds something new, or is the last.
  for (let known = -1; known < found.size; ) {
    known = found.size;
    for (const [name, nodes] of template.templates) {
      const dot = found.dots.get(name);
      if (dot !== undefined) walk(nodes, dot, found);
    }
  }
  return {
    inputsAt: (from) => {
      const value = found.actions.get(from) ?? NOTHING;
      return value.isContext ? undefined : value.inputs;
    },
    actions: [...found.actions.keys()],
    fields: [...found.fields].map(([offset, name]) => ({ name, offset })),
    includes: [...found.includes].map(([offset, name]) => ({ name, offset })),
  };
}

/** What a value may be made of: whole inputs, or the context that holds all of them. */
interface Value {
  readonly isContext: boolean;
  readonly inputs: ReadonlySet<string>;
}

const NOTHING: Value = { isContext: false, inputs: new Set() };
const CONTEXT: Value = { isContext: true, inputs: new Set() };

interface Found {
  readonly inputsOf: (text: string) => Iterable<string>;
  readonly variables: Map<string, Value>;
  /** What the templates of the text are called with, by name. */
  readonly dots: Map<string, Value>;
  readonly actions: Map<number, Value>;
  readonly fields: Map<number, string>;
  readonly includes: Map<number, string | undefined>;
  /** How much has been found. */
  size: number;
}

function union(a: Value, b: Value): Value {
  if (b.inputs.size === 0 && (a.isContext || !b.isContext)) return a;
  if (a.inputs.size === 0 && (b.isContext || !a.isContext)) return b;
  return { isContext: a.isContext || b.isContext, inputs: new Set([...a.inputs, ...b.inputs]) };
}

function add<Key>(map: Map<Key, Value>, key: Key, value: Value, found: Found): void {
  const before = map.get(key);
  const after = before === undefined ? value : union(before, value);
  map.set(key, after);
  if (before === undefined) found.size += 1;
  found.size += after.inputs.size - (before?.inputs.size ?? 0);
  found.size += Number(after.isContext) - Number(before?.isContext ?? false);
}

/** Nested lists wait on a list of our own: branches may nest deeper than calls can. */
function walk(top: readonly Node[], root: Value, found: Found): void {
  const open: { readonly nodes: readonly Node[]; readonly dot: Value }[] = [{ nodes: top, dot: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const node of next.nodes) {
      if (!('pipe' in node) || node.pipe === undefined) continue;
      const value = pipeValue(node.pipe, { dot: next.dot, root }, found, 0);
      if (node.kind === 'action') add(found.actions, node.start, value, found);
      else if (node.kind === 'template') add(found.dots, node.name, value, found);
      else {
        open.push({ nodes: node.list, dot: node.kind === 'if' ? next.dot : value });
        if (node.otherwise !== undefined) open.push({ nodes: node.otherwise, dot: next.dot });
      }
    }
  }
}

interface Scope {
  readonly dot: Value;
  readonly root: Value;
}

/** Parentheses that nest deeper: nobody reads such a template, and anything may be in it. */
const MAX_CALLS = 100;

function pipeValue(pipe: PipeNode, scope: Scope, found: Found, depth: number): Value {
  if (depth > MAX_CALLS) return CONTEXT;
  let value = NOTHING;
  for (const [stage, command] of pipe.commands.entries()) {
    readInclude(command, pipe.commands[stage - 1], found);
    const isCall = command.args.length > 1 || stage > 0 || command.args[0]?.kind === 'identifier';
    for (const arg of command.args) value = union(value, operandValue(arg, scope, found, depth + 1));
    if (isCall) value = union(value, includedBy(command, pipe.commands[stage - 1], found));
  }
  for (const { idents } of pipe.decl) add(found.variables, idents[0] ?? '', value, found);
  return value;
}

function operandValue(operand: Operand, scope: Scope, found: Found, depth: number): Value {
  switch (operand.kind) {
    case 'dot':
      return scope.dot;
    case 'field':
      return fieldOf(scope.dot, operand.idents, operand.pos, found);
    case 'variable': {
      const [name = '', ...fields] = operand.idents;
      const value = name === '$' ? scope.root : (found.variables.get(name) ?? NOTHING);
      return fieldOf(value, fields, operand.pos, found);
    }
    case 'pipe':
      return pipeValue(operand, scope, found, depth);
    case 'chain': {
      const { node, fields, pos } = operand;
      return fieldOf(
        node.kind === 'pipe' ? pipeValue(node, scope, found, depth) : NOTHING,
        fields,
        pos,
        found,
      );
    }
    default:
      return NOTHING;
  }
}

/** A field of the context is an input; a field of an input is made of it. */
function fieldOf(value: Value, names: readonly string[], offset: number, found: Found): Value {
  const [name] = names;
  if (name === undefined || !value.isContext) return value;
  if (!found.fields.has(offset)) found.size += 1;
  found.fields.set(offset, name);
  return { isContext: false, inputs: new Set([...value.inputs, name]) };
}

/** `include "name"`, or `"name" | include`. */
function includeName(command: CommandNode, before: CommandNode | undefined): ReadInclude | undefined {
  const at = command.args.find((arg) => arg.kind === 'identifier' && arg.name === 'include');
  if (at === undefined) return undefined;
  const [first, named] = command.args;
  const name = named ?? (before?.args.length === 1 ? before.args[0] : undefined);
  if (first === at && name?.kind === 'string') return { name: name.text, offset: name.pos };
  return { name: undefined, offset: at.pos };
}

function readInclude(command: CommandNode, before: CommandNode | undefined, found: Found): void {
  const use = includeName(command, before);
  if (use !== undefined) found.includes.set(use.offset, use.name);
}

function includedBy(command: CommandNode, before: CommandNode | undefined, found: Found): Value {
  const use = includeName(command, before);
  if (use === undefined) return NOTHING;
  return use.name === undefined ? CONTEXT : { isContext: false, inputs: new Set(found.inputsOf(use.name)) };
}
