import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { findCallable } from '../compose/callable.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { problemAt } from '../shape/read-shape.js';
import type { VariableData } from '../shape/values.js';
import { includesOf } from './includes.js';

/** Declared variables by name, with those who declare them. */
export type Declarations = ReadonlyMap<string, readonly Declaration[]>;

export interface Declaration {
  readonly variable: VariableData;
  readonly by: DefinitionEntry<{ readonly variables: readonly VariableData[] }>;
}

/** Every declaration of the project, looked for once: a catalog never changes. */
export function declarationsIn(catalog: Catalog): Declarations {
  const known = KNOWN.get(catalog);
  if (known !== undefined) return known;
  const found = new Map<string, Declaration[]>();
  KNOWN.set(catalog, found);
  const { prompts, tools, agents, sketches } = catalog;
  const declaring = [...prompts.values(), ...tools.values(), ...agents.values()];
  // Who declares a variable in a definition that does not fit has declared it all the same.
  for (const by of [...declaring, ...sketches.prompts, ...sketches.tools, ...sketches.agents]) {
    by.data.variables.forEach((variable) => {
      if (variable.name === undefined) return;
      const list = found.get(variable.name);
      if (list === undefined) found.set(variable.name, [{ variable, by }]);
      else list.push({ variable, by });
    });
  }
  return found;
}

const KNOWN = new WeakMap<Catalog, Declarations>();

/** Whoever calls a variable a secret is believed, whatever others call it. */
export const secretDeclaration = (declarations: Declarations, name: string): Declaration | undefined =>
  declarations.get(name)?.find(({ variable }) => variable.type === 'secret');

/** Variables in the text of a prompt: undeclared ones, and secrets, with the chain that leads to them. */
export function checkTextVariables(
  catalog: Catalog,
  declarations: Declarations,
  entry: DefinitionEntry<PromptData>,
): readonly Diagnostic[] {
  const { prompt } = entry.data;
  if (typeof prompt === 'string') return [];
  return prompt.flatMap((part, index): Diagnostic[] => {
    if (part.type !== 'env' || part.property === undefined) return [];
    const path = ['prompt', index, 'property'];
    const { property: name } = part;
    const secret = secretDeclaration(declarations, name);
    if (guard('check.secret-part', secret !== undefined)) {
      const { by } = secret as Declaration;
      const chain = by.kind === 'prompt' ? chainBetween(catalog, by.name, entry.name) : undefined;
      const through =
        chain === undefined || chain.length < 2 ? '' : ` It gets there through ${chain.join(' -> ')}.`;
      const message = `The variable "${name}" is a secret (${by.source.path} says so) and would stand in the text of a prompt.${through}`;
      return [problemAt(entry.source, path, { code: 'E_SECRET_IN_PROMPT', severity: 'error', message })];
    }
    if (declarations.has(name)) return [];
    const meant = nearest(name, declarations.keys());
    const hint = meant === undefined ? 'Declare it in `variables`' : `Did you mean "${meant}"?`;
    const message = `Nobody declares the variable "${name}". ${hint}`;
    return [problemAt(entry.source, path, { code: 'E_VARIABLE_UNKNOWN', severity: 'error', message })];
  });
}

/** The shortest chain of includes from one prompt to another; undefined when there is none. */
function chainBetween(catalog: Catalog, from: string, to: string): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  const queue = [from];
  for (let at = 0; at < queue.length && !before.has(to); at += 1) {
    const name = queue[at] as string;
    const entry = catalog.prompts.get(name);
    for (const include of entry === undefined ? [] : includesOf(entry.data)) {
      if (before.has(include.name)) continue;
      before.set(include.name, name);
      queue.push(include.name);
    }
  }
  if (!before.has(to)) return undefined;
  const chain: string[] = [];
  for (let name: string | undefined = to; name !== undefined; name = before.get(name)) chain.unshift(name);
  return chain;
}

/** Required variables that no definition gives a value to: whoever starts a run has to. */
export function checkOpenVariables(
  catalog: Catalog,
  entry: DefinitionEntry<PromptData>,
): readonly Diagnostic[] {
  const { data, source } = entry;
  const agents = [...catalog.agents.values()].filter((agent) => speaksWith(agent.data, entry.name));
  const isGiven = (name: string): boolean =>
    Object.hasOwn(data.env, name) ||
    (agents.length > 0 && agents.every((agent) => Object.hasOwn(agent.data.env, name)));
  const open = (path: readonly PropertyKey[], name: string, what: string): Diagnostic =>
    problemAt(source, path, {
      code: 'W_VARIABLE_OPEN',
      severity: 'warning',
      message: `${what} requires the variable "${name}", and no definition gives it a value: hand it in with --env ${name}=…`,
    });
  const own = data.variables.flatMap((variable, index) =>
    variable.required && !isGiven(variable.name)
      ? [open(['variables', index, 'name'], variable.name, `The prompt "${entry.name}"`)]
      : [],
  );
  const ofTools = data.tools.flatMap((tool, index) => {
    const callable = findCallable(catalog, tool.name);
    if (callable?.kind !== 'tool') return [];
    return callable.entry.data.variables
      .filter(({ name, required }) => required && !isGiven(name) && !Object.hasOwn(tool.env ?? {}, name))
      .map(({ name }) => open(['tools', index], name, `The tool "${tool.name}"`));
  });
  return [...own, ...ofTools];
}

const speaksWith = ({ sideA, sideB }: AgentData, prompt: string): boolean =>
  sideA?.prompt === prompt || sideB?.prompt === prompt;
