import { parseProblem, type TemplateError } from './error.js';
import { findFunction } from './exec/builtins.js';
import { planProgram } from './exec/plan.js';
import type { MissingKey } from './exec/state.js';
import { normal } from './fmt/bytes.js';
import { forgetful } from './forgetful.js';
import type { Node } from './parse/node.js';
import { parseTrees } from './parse/parse.js';
import { type Delimiters, withDefaults } from './parse/print-node.js';
import type { TemplateTree } from './parse/template-tree.js';
import { newRenderer, type RenderEngine, type RenderOptions } from './render.js';
import type { Rendered } from './rendered.js';
import type { Result } from './result.js';
import type { TemplateFunction } from './value/value.js';

export interface TemplateOptions {
  /** The name in error texts. */
  readonly name: string;
  readonly text: string;
  /** Functions besides the builtin ones; `signed` gives one the types of its parameters. */
  readonly functions?: Readonly<Record<string, TemplateFunction>>;
  /** `{{` and `}}` unless told; an empty one is the usual one. */
  readonly delimiters?: Delimiters;
  readonly missingKey?: MissingKey;
  /** `auto`, the default: generated code where that is allowed and worth it, closures otherwise. */
  readonly engine?: RenderEngine;
}

/** A parsed template. Renders any number of times; holds nothing of a render. */
export interface Template {
  readonly name: string;
  /** What the template executes. */
  readonly nodes: readonly Node[];
  /** All templates of the text by name: its own, its definitions and blocks. */
  readonly templates: ReadonlyMap<string, readonly Node[]>;
  render(data: unknown, options?: RenderOptions): Result<Rendered, TemplateError>;
}

/** Parses a Go template. Functions must be known; everything else is looked at when it is executed. */
export function parseTemplate(options: TemplateOptions): Result<Template, TemplateError> {
  const { name, missingKey = 'default', engine = 'auto' } = options;
  const text = normal(options.text);
  const source = { name, text, delimiters: withDefaults(options.delimiters ?? []) };
  const own = new Map(Object.entries(options.functions ?? {}));
  const entryOf = (called: string) => findFunction(own, called);
  const isFunction = (called: string): boolean => entryOf(called) !== undefined;
  const trees = forgetful(() => parseTrees({ ...source, isFunction }));
  try {
    // Here is where a wrong template shows.
    trees.get();
  } catch (thrown) {
    return { ok: false, error: parseProblem(source, thrown) };
  }
  const findTree = (called: string): TemplateTree | undefined => {
    const nodes = trees.get().get(called);
    return nodes && { nodes, source };
  };
  const program = forgetful(() => {
    const tree = findTree(name) ?? { nodes: [], source };
    return planProgram({ name, tree, findTree, findFunction: entryOf });
  });
  const forget = (): void => {
    trees.forget();
    program.forget();
  };
  const plan = { get: program.get, forget };
  const template: Template = {
    name,
    get nodes() {
      return trees.get().get(name) ?? [];
    },
    get templates() {
      return trees.get();
    },
    render: newRenderer({ name, plan, functions: own, missingKey, engine }),
  };
  return { ok: true, value: template };
}
