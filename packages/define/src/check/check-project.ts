import type { Diagnostic } from '@cuebook/prompt';
import { findCallable } from '../compose/callable.js';
import type { Catalog, Entry } from '../load/catalog.js';
import type { AgentData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { problemAt } from '../shape/read-shape.js';
import { checkAgent } from './agents.js';
import { checkIncludes, includeClosure } from './includes.js';
import { unknownName } from './names.js';
import { checkSecretValues } from './secrets.js';
import { checkTools } from './tools.js';
import { checkOpenVariables, checkTextVariables, declarationsIn } from './variables.js';

/** Every problem of a project at once: of its files, of each definition, and of how they name each other. Pure. */
export function checkProject(catalog: Catalog): readonly Diagnostic[] {
  const declarations = declarationsIn(catalog);
  return [
    ...catalog.diagnostics,
    ...checkIncludes(catalog),
    ...[...catalog.prompts.values()].flatMap((entry) => [
      ...checkPromptNames(catalog, entry),
      ...checkTools(catalog, entry),
      ...checkTextVariables(catalog, declarations, entry),
      ...checkOpenVariables(catalog, entry),
    ]),
    ...checkSecretValues(catalog, declarations),
    ...[...catalog.models.values()].flatMap((entry) =>
      entry.data.fallbacks.flatMap((name, index) =>
        unknownName(catalog, { by: entry, path: ['fallbacks', index], name, kinds: ['model'] }),
      ),
    ),
    ...[...catalog.agents.values()].flatMap((entry) => checkAgent(catalog, entry)),
    ...checkShadows(catalog),
  ];
}

function checkPromptNames(catalog: Catalog, entry: Entry<PromptData>): readonly Diagnostic[] {
  const { model, hooks = [] } = entry.data;
  return [
    ...unknownName(catalog, { by: entry, path: ['model'], name: model, kinds: ['model'] }),
    ...hooks.flatMap((name, index) =>
      unknownName(catalog, { by: entry, path: ['hooks', index], name, kinds: ['hook'] }),
    ),
  ];
}

/** One name for two things that can be tools: only the first of them can be reached. */
function checkShadows(catalog: Catalog): readonly Diagnostic[] {
  return [...catalog.prompts.values(), ...catalog.agents.values()].flatMap((entry) => {
    const found = findCallable(catalog, entry.name);
    if (found === undefined || found.kind === entry.kind) return [];
    const message = `As a tool "${entry.name}" is the ${found.kind} in ${found.entry.source.path}, not this ${entry.kind}`;
    return [problemAt(entry.source, ['name'], { code: 'W_NAME_SHADOWED', severity: 'warning', message })];
  });
}

/** The files that a prompt's request is made of: its own, and those of all that it names. */
export function filesOfPrompt(catalog: Catalog, entry: Entry<PromptData>): ReadonlySet<string> {
  const files = new Set(includeClosure(catalog, entry).map(({ source }) => source.path));
  const { model, tools, hooks = [] } = entry.data;
  const add = (found: Entry<unknown> | undefined): void => {
    if (found !== undefined) files.add(found.source.path);
  };
  add(catalog.models.get(model));
  for (const name of hooks) add(catalog.hooks.get(name));
  for (const { name } of tools) add(findCallable(catalog, name)?.entry);
  return files;
}

/** The files that an agent's requests are made of. */
export function filesOfAgent(catalog: Catalog, entry: Entry<AgentData>): ReadonlySet<string> {
  const files = new Set([entry.source.path]);
  for (const side of [entry.data.sideA, entry.data.sideB]) {
    const prompt = side === undefined ? undefined : catalog.prompts.get(side.prompt);
    for (const file of prompt === undefined ? [] : filesOfPrompt(catalog, prompt)) files.add(file);
  }
  for (const name of entry.data.hooks) {
    const hook = catalog.hooks.get(name);
    if (hook !== undefined) files.add(hook.source.path);
  }
  return files;
}
