import type { SourceText } from '@cuebook/profile';
import type { Labels } from '@cuebook/prompt';
import { findCallable } from '../compose/callable.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData, ToolData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { includeClosure } from './includes.js';

/** A text that goes to a model, and where it is written. */
export interface ModelText {
  readonly by: DefinitionEntry<unknown>;
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

/** Every text of the project that goes to a model. */
export function* textsForModels({ prompts, tools, agents, sketches }: Catalog): Iterable<ModelText> {
  for (const by of [...prompts.values(), ...sketches.prompts]) yield* textsOfPrompt(by);
  for (const by of [...tools.values(), ...sketches.tools]) yield* textsOfTool(by);
  for (const by of [...agents.values(), ...sketches.agents]) yield* textsOfAgent(by);
}

/** The texts that the requests of a prompt may hold: its own, those that it includes, and those of its tools. */
export function textsReached(catalog: Catalog, entry: DefinitionEntry<PromptData>): readonly SourceText[] {
  const said = includeClosure(catalog, entry).flatMap((each) => [...textsOfPrompt(each)]);
  const called = entry.data.tools.flatMap(({ name }): readonly ModelText[] => {
    const callable = findCallable(catalog, name);
    if (callable?.kind === 'tool') return [...textsOfTool(callable.entry)];
    return callable?.kind === 'agent' ? [...textsOfAgent(callable.entry)] : [];
  });
  return [...said, ...called].map(toSource);
}

/** The same for an agent and its prompts. */
export const textsOfSides = (
  catalog: Catalog,
  agent: DefinitionEntry<AgentData>,
  prompts: readonly DefinitionEntry<PromptData>[],
): readonly SourceText[] => [
  ...[...textsOfAgent(agent)].map(toSource),
  ...prompts.flatMap((prompt) => textsReached(catalog, prompt)),
];

const LABELS: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };

const toSource = ({ by, path, text }: ModelText): SourceText => ({
  pieces: by.source.pieces(path, text, LABELS),
  fix: "Put a variable in with a part of its own: { type: 'env', property: NAME }, or write it as `code`",
});

function* textsOfPrompt(by: DefinitionEntry<PromptData>): Iterable<ModelText> {
  const { prompt, toolDescription } = by.data;
  if (toolDescription !== undefined) yield { by, path: ['toolDescription'], text: toolDescription };
  if (typeof prompt === 'string') yield { by, path: ['prompt'], text: prompt };
  else {
    yield* prompt.flatMap((part, index): ModelText[] =>
      part.type === 'text' && part.content !== undefined
        ? [{ by, path: ['prompt', index, 'content'], text: part.content }]
        : [],
    );
  }
}

function* textsOfTool(by: DefinitionEntry<ToolData>): Iterable<ModelText> {
  if (by.data.description !== undefined) yield { by, path: ['description'], text: by.data.description };
}

function* textsOfAgent(by: DefinitionEntry<AgentData>): Iterable<ModelText> {
  const { toolDescription } = by.data;
  if (toolDescription !== undefined) yield { by, path: ['toolDescription'], text: toolDescription };
}
