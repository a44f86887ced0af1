import { parseError, type TemplateError } from './error.js';
import { BUILTINS } from './exec/builtins.js';
import { type FunctionEntry, signatureOf } from './exec/function-entry.js';
import { planProgram } from './exec/plan.js';
import type { MissingKey } from './exec/state.js';
import { normal } from './fmt/bytes.js';
import { forgetful } from './forgetful.js';
import type { Node } from './parse/node.js';
import { parseTrees } from './parse/parse.js';
import { DEFAULT_DELIMITERS, type Delimiters } from './parse/print-node.js';
import { ParseFailure } from './parse/tree.js';
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
  const { name, functions = {} } = options;
  const text = normal(options.text);
  const [left = '', right = ''] = options.delimiters ?? [];
  const delimiters = [left || DEFAULT_DELIMITERS[0], right || DEFAULT_DELIMITERS[1]] as const;
  const own = new Map(Object.entries(functions));
  const findFunction = (called: string): FunctionEntry | undefined => {
    const call = own.get(called);
    if (!call) return BUILTINS.get(called);
    return { name: called, signature: signatureOf(call), builtin: undefined };
  };
  try {
    const isFunction = (called: string): boolean => own.has(called) || BUILTINS.has(called);
    const trees = forgetful(() => parseTrees({ name, text, delimiters, isFunction }));
    const program = forgetful(() => planProgram(name, trees.get(), findFunction));
    const forget = (): void => {
      trees.forget();
      program.forget();
    };
    // Here is where a wrong template shows.
    trees.get();
    const { missingKey = 'default', engine = 'auto' } = options;
    const plan = { get: program.get, forget };
    const render = newRenderer({ name, text, delimiters, plan, functions: own, missingKey, engine });
    const template: Template = {
      name,
      get nodes() {
        return trees.get().get(name) ?? [];
      },
      get templates() {
        return trees.get();
      },
      render,
    };
    return { ok: true, value: template };
  } catch (error) {
    if (error instanceof ParseFailure) return { ok: false, error: parseError({ name, text }, error) };
    if (!(error instanceof RangeError)) throw error;
    const failure = new ParseFailure('the template nests deeper than the stack', 0, true);
    return { ok: false, error: parseError({ name, text }, failure) };
  }
}
