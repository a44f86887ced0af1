import type { Node, RangeNode } from '../parse/node.js';
import type { Trees } from '../parse/parse.js';
import type { FunctionEntry } from './function-entry.js';
import { type Planner, planPipe } from './plan-expression.js';
import type { Procedure, Program, ProgramStep, SiteNode, SlotTarget } from './program.js';
import { newScope } from './scope.js';

/** Makes the trees of a text ready to run. The procedure of index 0 is the template called `name`. */
export function planProgram(
  name: string,
  trees: Trees,
  findFunction: (name: string) => FunctionEntry | undefined,
): Program {
  const names = [name, ...[...trees.keys()].filter((other) => other !== name)];
  const indexes = new Map(names.map((each, index) => [each, index]));
  const nodes: SiteNode[] = [];
  const starts: number[] = [];
  const siteOf = (node: SiteNode): number => nodes.push(node) - 1;
  const procedures = names.map((template): Procedure => {
    starts.push(nodes.length);
    const planner = { scope: newScope(), siteOf, findFunction, indexes };
    const steps = planList(planner, trees.get(template) ?? []);
    return { name: template, steps, slots: planner.scope.size() };
  });
  return { procedures, sites: { nodes: nodes.slice(), starts, names } };
}

interface ListPlanner extends Planner {
  /** The procedure of each template name. */
  readonly indexes: ReadonlyMap<string, number>;
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
        procedure: planner.indexes.get(node.name),
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
