import { nearest } from '@cuebook/prompt';

import type { CommandNode, Node, Operand, PipeNode, Template } from '@cuebook/template';
import { FIELDS, LIST_FIELDS, TEXT_FIELDS } from './context.js';

/** What a template reads, in every branch, executed or not. */
export interface TemplateUses {
  /** Includes whose path is written out. */
  readonly includes: readonly IncludeUse[];
  /** Whether a path is computed, so that any key may be included. */
  readonly hasComputedInclude: boolean;
  /** Fields of a value whose type is known. */
  readonly fields: readonly FieldUse[];
}

export interface IncludeUse {
  readonly path: string;
  /** Of the path, in bytes. */
  readonly offset: number;
}

export interface FieldUse {
  readonly name: string;
  /** What it is read of: the context, or a text or list, which have no fields. */
  readonly of: 'context' | 'text' | 'list';
  /** The field before it in a chain such as `.AgentName.Length`. */
  readonly owner?: string;
  readonly isKnown: boolean;
  readonly offset: number;
}

/** Walks all branches of a template and of those that it defines. */
export function findUses(template: Pick<Template, 'nodes' | 'templates'>): TemplateUses {
  const found: Found = { includes: [], fields: [], hasComputedInclude: false, deep: [] };
  walkList(template.nodes, { dot: 'context', root: 'context' }, found);
  // What a defined template is called with is not known, not even for `$`.
  const unknown: Scope = { dot: 'unknown', root: 'unknown' };
  for (const nodes of template.templates.values())
    if (nodes !== template.nodes) walkList(nodes, unknown, found);
  for (let next = found.deep.pop(); next !== undefined; next = found.deep.pop()) {
    walkPipe(next.pipe, next.scope, found);
  }
  return found;
}

/** What is wrong with a field that is not there. */
export function describeField({ name, of, owner }: FieldUse): string {
  if (owner !== undefined) return `"${owner}" is a ${of}, and a ${of} has no "${name}"`;
  if (of === 'context') {
    const meant = nearest(name, FIELDS);
    const hint = meant === undefined ? `There are ${FIELDS.join(', ')}` : `Did you mean "${meant}"?`;
    return `There is no variable "${name}". ${hint}`;
  }
  const isField = FIELDS.some((field) => field === name);
  const hint = isField ? `. Did you mean "$.${name}"?` : '';
  return `The dot is a ${of} here, and a ${of} has no "${name}"${hint}`;
}

/** The type of a value, as far as it can be told without executing. */
type Kind = FieldUse['of'] | 'unknown';

/** What the dot and `$` are at a place. */
interface Scope {
  readonly dot: Kind;
  readonly root: Kind;
}

interface Found {
  readonly includes: IncludeUse[];
  readonly fields: FieldUse[];
  hasComputedInclude: boolean;
  /** Parentheses too deep inside others to be walked in one go. */
  readonly deep: { readonly pipe: PipeNode; readonly scope: Scope }[];
}

/** Calls may nest no deeper than this; parentheses of a template nest ten thousand deep. */
const MAX_CALLS = 100;

/** Nested lists wait on a stack of our own: branches may nest deeper than calls can. */
function walkList(nodes: readonly Node[], scope: Scope, found: Found): void {
  const open: { readonly nodes: readonly Node[]; readonly scope: Scope }[] = [{ nodes, scope }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const node of next.nodes) {
      if (!('pipe' in node) || node.pipe === undefined) continue;
      const kind = walkPipe(node.pipe, next.scope, found);
      if (node.kind === 'action' || node.kind === 'template') continue;
      const dot = node.kind === 'with' ? kind : node.kind === 'range' ? elementOf(kind) : next.scope.dot;
      open.push({ nodes: node.list, scope: { ...next.scope, dot } });
      if (node.otherwise !== undefined) open.push({ nodes: node.otherwise, scope: next.scope });
    }
  }
}

const elementOf = (kind: Kind): Kind => (kind === 'list' ? 'text' : 'unknown');

/** Answers the type of the pipeline's value. */
function walkPipe(pipe: PipeNode, scope: Scope, found: Found, depth = 0): Kind {
  if (depth > MAX_CALLS) {
    found.deep.push({ pipe, scope });
    return 'unknown';
  }
  let kind: Kind = 'unknown';
  for (const [stage, command] of pipe.commands.entries()) {
    readInclude(command, pipe.commands[stage - 1], found);
    const kinds = command.args.map((arg) => operandKind(arg, scope, found, depth + 1));
    kind = command.args.length === 1 && stage === 0 ? (kinds[0] ?? 'unknown') : 'unknown';
  }
  return kind;
}

function operandKind(operand: Operand, scope: Scope, found: Found, depth: number): Kind {
  switch (operand.kind) {
    case 'dot':
      return scope.dot;
    case 'field':
      return chainKind(scope.dot, operand.idents, operand.pos, found);
    case 'variable': {
      const [name, ...fields] = operand.idents;
      return chainKind(name === '$' ? scope.root : 'unknown', fields, operand.pos, found);
    }
    case 'pipe':
      return walkPipe(operand, scope, found, depth);
    case 'chain': {
      const kind = operand.node.kind === 'pipe' ? walkPipe(operand.node, scope, found, depth) : 'unknown';
      return chainKind(kind, operand.fields, operand.pos, found);
    }
    default:
      return 'unknown';
  }
}

/** Follows fields from a value; the first that is not there ends the chain. */
function chainKind(start: Kind, names: readonly string[], offset: number, found: Found): Kind {
  let of = start;
  let owner: string | undefined;
  for (const name of names) {
    if (of === 'unknown') return of;
    const next: Kind = of === 'context' ? fieldKind(name) : 'unknown';
    found.fields.push({
      name,
      of,
      ...(owner === undefined ? {} : { owner }),
      isKnown: next !== 'unknown',
      offset,
    });
    if (next === 'unknown') return next;
    of = next;
    owner = name;
  }
  return of;
}

function fieldKind(name: string): Kind {
  if (TEXT_FIELDS.some((field) => field === name)) return 'text';
  return LIST_FIELDS.some((field) => field === name) ? 'list' : 'unknown';
}

/** `include "path"`, or `"path" | include`. Anything else that names `include` computes its path. */
function readInclude(command: CommandNode, before: CommandNode | undefined, found: Found): void {
  const [first, path] = command.args;
  const isNamed = command.args.some((arg) => arg.kind === 'identifier' && arg.name === 'include');
  if (!isNamed) return;
  const piped = before?.args.length === 1 ? before.args[0] : undefined;
  const literal = path ?? piped;
  if (first?.kind === 'identifier' && first.name === 'include' && literal?.kind === 'string') {
    found.includes.push({ path: literal.text, offset: literal.pos });
  } else found.hasComputedInclude = true;
}
