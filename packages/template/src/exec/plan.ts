import type { Node, RangeNode } from '../parse/node.js';
import type { TemplateTree } from '../parse/template-tree.js';
import type { FunctionEntry } from './function-entry.js';
import { type Planner, planPipe } from './plan-expression.js';
import type { Procedure, Program, ProgramStep, SiteNode, SiteTemplate, SlotTarget } from './program.js';
import { newScope } from './scope.js';

/** What is planned: the tree to execute under a name, and how it finds templates and functions by name. */
export interface Plannable {
  readonly name: string;
  readonly tree: TemplateTree;
  readonly findTree: (name: string) => TemplateTree | undefined;
  readonly findFunction: (name: string) => FunctionEntry | undefined;
}

/** Makes a tree ready to run, with the templates that it may call. It is the procedure of index 0. */
export function planProgram({ name, tree, findTree, findFunction }: Plannable): Program {
  const waiting: { readonly name: string; readonly tree: TemplateTree }[] = [{ name, tree }];
  // Another template may have taken the name.
  const indexes = new Map<string, number>(findTree(name)?.nodes === tree.nodes ? [[name, 0]] : []);
  const procedureOf = (called: string): number | undefined => {
    const known = indexes.get(called);
    if (known !== undefined) return known;
    const found = findTree(called);
    if (!found) return undefined;
    const index = waiting.push({ name: called, tree: found }) - 1;
    indexes.set(called, index);
    return index;
  };
  const nodes: SiteNode[] = [];
  const starts: number[] = [];
  const templates: SiteTemplate[] = [];
  const procedures: Procedure[] = [];
  const siteOf = (node: SiteNode): number => nodes.push(node) - 1;
  for (const { name: called, tree: planned } of waiting) {
    starts.push(nodes.length);
    templates.push({ name: called, source: planned.source });
    const planner = { scope: newScope(), siteOf, findFunction, procedureOf };
    const steps = planList(planner, planned.nodes);
    procedures.push({ name: called, steps, slots: planner.scope.size() });
  }
  return { procedures, sites: { nodes: nodes.slice(), starts, templates } };
}

interface ListPlanner extends Planner {
  /** The procedure of a template name; undefined when no template has it. */
  readonly procedureOf: (name: string) => number | undefined;
}

const planList = (planner: ListPlanner, nodes: readonly Node[]): readonly ProgramStep[] =>
  nodes.map((node) => planNode(planner, node));

function planNode(planner: ListPlanner, node: Node): ProgramStep {
  switch (node.kind) {
    case 'text':
      return { op: 'text', site: planner.siteOf(node), text: node.text };
    case 'action': {
      const value = planPipe(planner, node.pipe);
      return node.pipe.decl.length > 0
        ? { op: 'run', value }
        : { op: 'print', site: planner.siteOf(node), value };
    }
    case 'if':
    case 'with':
      return planner.scope.inside(() => ({
        op: 'branch',
        isWith: node.kind === 'with',
        value: planPipe(planner, node.pipe),
        list: planInside(planner, node.list),
        otherwise: planInside(planner, node.otherwise ?? []),
      }));
    case 'range':
      return planner.scope.inside(() => planRange(planner, node));
    case 'template':
      return {
        op: 'template',
        site: planner.siteOf(node),
        name: node.name,
        procedure: planner.procedureOf(node.name),
        value: node.pipe && planPipe(planner, node.pipe),
      };
    case 'break':
    case 'continue':
      return { op: node.kind };
  }
}

const planInside = (planner: ListPlanner, nodes: readonly Node[]): readonly ProgramStep[] =>
  planner.scope.inside(() => planList(planner, nodes));

function planRange(planner: ListPlanner, { pipe, list, otherwise }: RangeNode): ProgramStep {
  const value = planPipe(planner, pipe);
  const targets = pipe.decl.map(({ idents: [name = ''] }): SlotTarget => planner.scope.find(name));
  return {
    op: 'range',
    value,
    // With one variable it is the element.
    index: targets.length > 1 ? targets[0] : undefined,
    element: targets.at(-1),
    list: planInside(planner, list),
    otherwise: planInside(planner, otherwise ?? []),
  };
}
