import { parseProblem, placeless, type TemplateError } from './error.js';
import { findFunction } from './exec/builtins.js';
import { planProgram } from './exec/plan.js';
import type { MissingKey } from './exec/state.js';
import { compareBytes, normal } from './fmt/bytes.js';
import { quoteString } from './fmt/quote.js';
import { forgetful } from './forgetful.js';
import { isAlphanumeric, runeAt, unitsAt } from './parse/chars.js';
import { parseTrees, type Trees } from './parse/parse.js';
import { type Delimiters, withDefaults } from './parse/print-node.js';
import { isEmptyTree, type TemplateTree } from './parse/template-tree.js';
import { newRenderer, type RenderEngine, type RenderOptions } from './render.js';
import type { Rendered } from './rendered.js';
import type { Result } from './result.js';
import type { TemplateFunction } from './value/value.js';

/** A file of templates: its text, and the path whose last part names the template. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Go's `template.Template`: a template that shares functions, options and a set of templates with those that were
 * made from it. Each calls the others by name. Parsing and executing answer with a result; what panics in Go throws a
 * `TypeError` with Go's text.
 */
export interface GoTemplate {
  readonly name: string;
  /** What it executes; undefined until something is parsed. */
  readonly tree: TemplateTree | undefined;
  /** A template of the same set, with these delimiters. It joins the set when something is parsed into it. */
  new: (name: string) => GoTemplate;
  /** Parses a text as the body of this template; its `define`s and `block`s join the set. */
  parse(text: string): Result<GoTemplate, TemplateError>;
  /** Parses each file as the template called like the last part of its path. */
  parseFiles(files: readonly TemplateFile[]): Result<GoTemplate, TemplateError>;
  /** Makes a tree the body of the template of this name. An empty one does not replace another. */
  addParseTree(name: string, tree: TemplateTree): GoTemplate;
  lookup(name: string): GoTemplate | undefined;
  /** All templates of the set, by name. Go has them in no order. */
  templates(): readonly GoTemplate[];
  /** `; defined templates are: "a", "b"` for an error text; empty when there are none. */
  definedTemplates(): string;
  /** A copy of the set: what is parsed into one of the two is unknown to the other. */
  clone(): GoTemplate;
  /** `missingkey=` with `default`, `invalid`, `zero` or `error`, for the whole set. */
  option(...options: readonly string[]): GoTemplate;
  /** The delimiters of what is parsed from now on; an empty one is the usual one. */
  delims(left: string, right: string): GoTemplate;
  /** Functions for the whole set, those of templates that are parsed already included. */
  funcs(functions: Readonly<Record<string, TemplateFunction>>): GoTemplate;
  execute(data: unknown, options?: RenderOptions): Result<Rendered, TemplateError>;
  executeTemplate(name: string, data: unknown, options?: RenderOptions): Result<Rendered, TemplateError>;
}

/** A new template, alone in its set. */
export const newTemplate = (
  name: string,
  { engine = 'auto' }: { readonly engine?: RenderEngine } = {},
): GoTemplate => new SetTemplate(name, newSet(engine), ['', '']);

/** What the templates of a set share. A map in use by a render is not changed but replaced. */
interface TemplateSet {
  readonly engine: RenderEngine;
  readonly members: Map<string, SetTemplate>;
  trees: ReadonlyMap<string, TemplateTree>;
  functions: ReadonlyMap<string, TemplateFunction>;
  missingKey: MissingKey;
  /** Whether a render holds `trees`. */
  isHeld: boolean;
  /** Grows with each change that a render must know of. */
  version: number;
}

const newSet = (engine: RenderEngine): TemplateSet => ({
  engine,
  members: new Map(),
  trees: new Map(),
  functions: new Map(),
  missingKey: 'default',
  isHeld: false,
  version: 0,
});

type Render = ReturnType<typeof newRenderer>;

class SetTemplate implements GoTemplate {
  readonly name: string;
  tree: TemplateTree | undefined;
  readonly #set: TemplateSet;
  #delimiters: Delimiters;
  #render: { readonly version: number; readonly tree: TemplateTree; readonly run: Render } | undefined;

  constructor(name: string, set: TemplateSet, delimiters: Delimiters, tree?: TemplateTree) {
    this.name = normal(name);
    this.#set = set;
    this.#delimiters = delimiters;
    this.tree = tree;
  }

  new(name: string): SetTemplate {
    return new SetTemplate(name, this.#set, this.#delimiters);
  }

  parse(given: string): Result<GoTemplate, TemplateError> {
    const source = { name: this.name, text: normal(given), delimiters: withDefaults(this.#delimiters) };
    const { functions } = this.#set;
    const isFunction = (called: string): boolean => findFunction(functions, called) !== undefined;
    let trees: Trees;
    try {
      trees = parseTrees({ ...source, isFunction });
    } catch (thrown) {
      return { ok: false, error: parseProblem(source, thrown) };
    }
    for (const [name, nodes] of trees) this.addParseTree(name, { nodes, source });
    return { ok: true, value: this };
  }

  parseFiles(files: readonly TemplateFile[]): Result<GoTemplate, TemplateError> {
    if (files.length === 0) {
      const error = placeless('E_TEMPLATE_PARSE', 'template: no files named in call to ParseFiles');
      return { ok: false, error };
    }
    for (const { path, text } of files) {
      const name = normal(baseName(path));
      const parsed = (name === this.name ? this : this.new(name)).parse(text);
      if (!parsed.ok) return parsed;
    }
    return { ok: true, value: this };
  }

  addParseTree(given: string, tree: TemplateTree): GoTemplate {
    const name = normal(given);
    const template = name === this.name ? this : this.new(name);
    const isKept = this.#set.trees.has(name) && isEmptyTree(tree.nodes);
    if (!isKept) associate(this.#set, template, tree);
    if (!isKept || !template.tree) template.tree = tree;
    return template;
  }

  lookup(name: string): GoTemplate | undefined {
    return this.#set.members.get(normal(name));
  }

  templates(): readonly GoTemplate[] {
    return [...this.#set.members.values()].sort((left, right) => compareBytes(left.name, right.name));
  }

  definedTemplates(): string {
    const names = this.templates().flatMap(({ name, tree }) => (tree ? [quoteString(name)] : []));
    return names.length === 0 ? '' : `; defined templates are: ${names.join(', ')}`;
  }

  clone(): GoTemplate {
    const { engine, members, functions, missingKey } = this.#set;
    const set: TemplateSet = { ...newSet(engine), functions, missingKey };
    const copy = new SetTemplate(this.name, set, this.#delimiters, this.tree);
    for (const [name, member] of members) {
      const isThis = name === this.name;
      const other = isThis ? copy : new SetTemplate(name, set, member.#delimiters, member.tree);
      // In Go too a copy that never had a body joins its set without one.
      if (other.tree) associate(set, other, other.tree);
      else set.members.set(name, other);
    }
    return copy;
  }

  option(...options: readonly string[]): GoTemplate {
    for (const option of options) {
      if (option === '') throw new TypeError('empty option string');
      const missingKey = MISSING_KEYS.get(option);
      if (missingKey === undefined) throw new TypeError(`unrecognized option: ${option}`);
      this.#set.missingKey = missingKey;
      this.#set.version++;
    }
    return this;
  }

  delims(left: string, right: string): GoTemplate {
    this.#delimiters = [normal(left), normal(right)];
    return this;
  }

  funcs(functions: Readonly<Record<string, TemplateFunction>>): GoTemplate {
    const all = new Map(this.#set.functions);
    for (const [name, call] of Object.entries(functions)) {
      if (!isIdentifier(name))
        throw new TypeError(`function name ${quoteString(name)} is not a valid identifier`);
      if (typeof call !== 'function') throw new TypeError(`value for ${name} not a function`);
      all.set(name, call);
    }
    this.#set.functions = all;
    this.#set.version++;
    return this;
  }

  execute(data: unknown, options?: RenderOptions): Result<Rendered, TemplateError> {
    const { tree, name } = this;
    if (!tree) {
      const message = `template: ${name}: ${quoteString(name)} is an incomplete or empty template`;
      return { ok: false, error: placeless('E_TEMPLATE_EXEC', message) };
    }
    const { version } = this.#set;
    if (this.#render?.version !== version || this.#render.tree !== tree)
      this.#render = { version, tree, run: renderOf(name, tree, this.#set) };
    return this.#render.run(data, options);
  }

  executeTemplate(name: string, data: unknown, options?: RenderOptions): Result<Rendered, TemplateError> {
    const template = this.lookup(name);
    if (template) return template.execute(data, options);
    const message = `template: no template ${quoteString(normal(name))} associated with template ${quoteString(this.name)}`;
    return { ok: false, error: placeless('E_TEMPLATE_EXEC', message) };
  }
}

const MISSING_KEYS: ReadonlyMap<string, MissingKey> = new Map(
  (['default', 'invalid', 'zero', 'error'] as const).map((key) => [`missingkey=${key}`, key]),
);

/** Makes a template the one of its name. */
function associate(set: TemplateSet, template: SetTemplate, tree: TemplateTree): void {
  set.members.set(template.name, template);
  if (set.isHeld) {
    set.trees = new Map(set.trees);
    set.isHeld = false;
  }
  (set.trees as Map<string, TemplateTree>).set(template.name, tree);
  set.version++;
}

/** What renders a tree with the set as it is now: errors and spans are told later, by the same set. */
function renderOf(name: string, tree: TemplateTree, set: TemplateSet): Render {
  const { trees, functions, missingKey, engine } = set;
  set.isHeld = true;
  const plan = forgetful(() =>
    planProgram({
      name,
      tree,
      findTree: (called) => trees.get(called),
      findFunction: (called) => findFunction(functions, called),
    }),
  );
  return newRenderer({ name, plan, functions, missingKey, engine });
}

/** Go's `filepath.Base`. */
function baseName(path: string): string {
  if (path === '') return '.';
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** Letters, digits and `_`, and no digit first. */
function isIdentifier(name: string): boolean {
  if (name === '' || /^\p{Nd}/u.test(name)) return false;
  for (let at = 0; at < name.length; at += unitsAt(name, at)) {
    if (!isAlphanumeric(runeAt(name, at))) return false;
  }
  return true;
}
