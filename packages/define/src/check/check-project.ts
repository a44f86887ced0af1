import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { findCallable } from '../compose/callable.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData, ModelData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { problemAt } from '../shape/read-shape.js';
import { checkAgent } from './agents.js';
import { checkIncludes, includeClosure } from './includes.js';
import { unknownName } from './names.js';
import { checkSecretValues } from './secrets.js';
import { isWhole } from './sketches.js';
import { checkTools } from './tools.js';
import { checkOpenVariables, checkTextVariables, declarationsIn } from './variables.js';

/** Every problem of a project at once: of its files, of each definition, and of how they name each other. Pure. */
export function checkProject(catalog: Catalog): readonly Diagnostic[] {
  const declarations = declarationsIn(catalog);
  const { sketches } = catalog;
  return [
    ...catalog.diagnostics,
    ...checkIncludes(catalog),
    ...[...catalog.prompts.values(), ...sketches.prompts].flatMap((entry) => [
      ...checkPromptNames(catalog, entry),
      ...checkEmpty(entry),
      ...checkTools(catalog, entry),
      ...checkTextVariables(catalog, declarations, entry),
      ...checkOpenVariables(catalog, entry),
    ]),
    ...checkSecretValues(catalog, declarations),
    ...[...catalog.models.values(), ...sketches.models].flatMap((entry) => checkModel(catalog, entry)),
    ...[...catalog.agents.values(), ...sketches.agents].flatMap((entry) => checkAgent(catalog, entry)),
    ...checkShadows(catalog),
  ];
}

function checkModel(catalog: Catalog, entry: DefinitionEntry<ModelData>): readonly Diagnostic[] {
  const { includedProviders, providerTools } = entry.data;
  const unused = { includedProviders, providerTools };
  return [
    ...entry.data.fallbacks.flatMap((name, index) =>
      unknownName(catalog, { by: entry, path: ['fallbacks', index], name, kinds: ['model'] }),
    ),
    ...Object.entries(unused).flatMap(([key, value]): Diagnostic[] => {
      if (value === undefined) return [];
      const message = `${key} has no effect: ${UNUSED[key as keyof typeof unused]}`;
      return [problemAt(entry.source, [key], { code: 'W_DEFINITION_UNUSED', severity: 'warning', message })];
    }),
  ];
}

const UNUSED = {
  includedProviders: 'a model uses its one provider. Choose among vendors with providerOptions',
  providerTools: 'tools are those that the prompt lists. Switch on what a vendor has with providerOptions',
} as const;

/** A prompt that tells the model nothing. One whose text does not fit has been told of. */
function checkEmpty(entry: DefinitionEntry<PromptData>): readonly Diagnostic[] {
  const { prompt } = entry.data;
  const isSaid = (part: Exclude<PromptData['prompt'], string>[number]): boolean =>
    part.type !== 'text' || (part as { readonly content?: string }).content?.trim() !== '';
  const isEmpty = typeof prompt === 'string' ? prompt.trim() === '' : isWhole(prompt) && !prompt.some(isSaid);
  if (!guard('check.empty', isEmpty)) return [];
  const message = `The prompt "${entry.name}" has no text, so its model is told nothing`;
  return [problemAt(entry.source, ['prompt'], { code: 'W_PROMPT_EMPTY', severity: 'warning', message })];
}

function checkPromptNames(catalog: Catalog, entry: DefinitionEntry<PromptData>): readonly Diagnostic[] {
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

/**
 * The problems that keep a prompt's request from being made: its own, those of its model, and those in the
 * text of all that it includes. What else is wrong with an included prompt is not part of the request.
 */
export function problemsOfPrompt(
  catalog: Catalog,
  byFile: ReadonlyMap<string, readonly Diagnostic[]>,
  entry: DefinitionEntry<PromptData>,
): readonly Diagnostic[] {
  const of = (found: DefinitionEntry<unknown> | undefined) => (found && byFile.get(found.source.path)) ?? [];
  const included = includeClosure(catalog, entry).filter((each) => each !== entry);
  return [
    ...of(entry),
    ...of(catalog.models.get(entry.data.model)),
    ...included.flatMap((each) => of(each).filter(({ path }) => path?.startsWith('prompt') === true)),
  ];
}

/** The problems that keep an agent's requests from being made: its own and those of its prompts. */
export function problemsOfAgent(
  catalog: Catalog,
  byFile: ReadonlyMap<string, readonly Diagnostic[]>,
  entry: DefinitionEntry<AgentData>,
): readonly Diagnostic[] {
  const prompts = [entry.data.sideA, entry.data.sideB].flatMap(
    (side) => (side && catalog.prompts.get(side.prompt)) ?? [],
  );
  return [
    ...(byFile.get(entry.source.path) ?? []),
    ...prompts.flatMap((prompt) => problemsOfPrompt(catalog, byFile, prompt)),
  ];
}
