import type { Node, Operand, PipeNode, Template } from '@cuebook/template';

/**
 * Which actions of a template can print something computed from text of a Secret. The answer errs on the side
 * of yes: variables of one name count as one, and a defined template may be handed anything. What is printed
 * because of a Secret, in a branch, does not count.
 *
 * `isSecret` says whether a path leads to a Secret. Answers a test for the first byte of an action.
 */
export function findSecretFlow(
  template: Pick<Template, 'nodes' | 'templates'>,
  isSecret: (path: string) => boolean,
): (from: number) => boolean {
  const flow: Flow = { isSecret, variables: new Set(), actions: new Set() };
  // Each round finds at least one more variable, or nothing new.
  for (let known = -1; known < flow.variables.size; ) {
    known = flow.variables.size;
    for (const nodes of template.templates.values()) walk(nodes, nodes !== template.nodes, flow);
  }
  return (from) => flow.actions.has(from);
}

interface Flow {
  readonly isSecret: (path: string) => boolean;
  /** Names of variables that may hold text of a Secret. */
  readonly variables: Set<string>;
  /** First bytes of actions that may print such text. */
  readonly actions: Set<number>;
}

/** Whether the dot, and `$`, may hold text of a Secret. */
interface Scope {
  readonly dot: boolean;
  readonly root: boolean;
}

function walk(nodes: readonly Node[], isDefined: boolean, flow: Flow): void {
  const top: Scope = { dot: isDefined, root: isDefined };
  const open: { readonly nodes: readonly Node[]; readonly scope: Scope }[] = [{ nodes, scope: top }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const node of next.nodes) {
      if (!('pipe' in node) || node.pipe === undefined) continue;
      const flows = flowsThrough(node.pipe, next.scope, flow);
      if (flows && node.kind === 'action') flow.actions.add(node.start);
      if (node.kind === 'action' || node.kind === 'template') continue;
      const dot = node.kind === 'if' ? next.scope.dot : flows;
      open.push({ nodes: node.list, scope: { ...next.scope, dot } });
      if (node.otherwise !== undefined) open.push({ nodes: node.otherwise, scope: next.scope });
    }
  }
}

/** Whether any value that a pipeline is made of may come from a Secret; its variables then do too. */
function flowsThrough(pipe: PipeNode, scope: Scope, flow: Flow, depth = 0): boolean {
  // Parentheses that nest deeper than calls can: nobody reads such a template.
  if (depth > MAX_CALLS) return true;
  let flows = false;
  for (const [stage, { args }] of pipe.commands.entries()) {
    const before = pipe.commands[stage - 1]?.args;
    const includes = args.some((arg) => arg.kind === 'identifier' && arg.name === 'include');
    const path = args[1] ?? (before?.length === 1 ? before[0] : undefined);
    if (includes && (path?.kind !== 'string' || flow.isSecret(path.text))) flows = true;
    for (const arg of args) if (operandFlows(arg, scope, flow, depth + 1)) flows = true;
  }
  if (flows) for (const { idents } of pipe.decl) flow.variables.add(idents[0] ?? '');
  return flows;
}

const MAX_CALLS = 100;

function operandFlows(operand: Operand, scope: Scope, flow: Flow, depth: number): boolean {
  switch (operand.kind) {
    case 'dot':
    case 'field':
      return scope.dot;
    case 'variable':
      return operand.idents[0] === '$' ? scope.root : flow.variables.has(operand.idents[0] ?? '');
    case 'pipe':
      return flowsThrough(operand, scope, flow, depth);
    case 'chain':
      return operand.node.kind === 'pipe' && flowsThrough(operand.node, scope, flow, depth);
    default:
      return false;
  }
}
