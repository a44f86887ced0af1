import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData, ToolData } from '../shape/other-shapes.js';
import type { PromptData, ToolEntry } from '../shape/prompt-shape.js';

/** What a name in `tools` leads to. */
export type Callable =
  | { readonly kind: 'tool'; readonly entry: DefinitionEntry<ToolData> }
  | { readonly kind: 'prompt'; readonly entry: DefinitionEntry<PromptData> }
  | { readonly kind: 'agent'; readonly entry: DefinitionEntry<AgentData> };

/** Functions go before prompts, and prompts before agents. */
export function findCallable(catalog: Catalog, name: string): Callable | undefined {
  const tool = catalog.tools.get(name);
  if (tool !== undefined) return { kind: 'tool', entry: tool };
  const prompt = catalog.prompts.get(name);
  if (prompt !== undefined) return { kind: 'prompt', entry: prompt };
  const agent = catalog.agents.get(name);
  return agent === undefined ? undefined : { kind: 'agent', entry: agent };
}

/** The prompt that hears the first words to an agent: that of the side which receives messages. */
export const receivingPrompt = (
  { sideA, sideB }: Pick<AgentData, 'sideA' | 'sideB'>,
  { resumable }: Pick<ToolEntry, 'resumable'>,
): string =>
  typeof resumable === 'object' && resumable.receives_messages === 'side_b' && sideB !== undefined
    ? sideB.prompt
    : sideA.prompt;
