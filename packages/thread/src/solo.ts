import type { AgentData, Catalog, DefinitionEntry, PromptData } from '@cuebook/define';

/** No definition can have this name: it stands for a prompt that is an agent of its own, for one step. */
export const soloName = (prompt: string): string => `prompt:${prompt}`;

/** The project with an agent that is one prompt and nothing else. */
export function withSolo(catalog: Catalog, prompt: DefinitionEntry<PromptData>): Catalog {
  const name = soloName(prompt.name);
  const data: AgentData = {
    name,
    type: 'ai_human',
    sideA: { prompt: prompt.name, stopOnResponse: true, maxSteps: 1 },
    exposeAsTool: false,
    env: {},
    variables: [],
    hooks: [],
  };
  const entry: DefinitionEntry<AgentData> = { kind: 'agent', name, data, source: prompt.source };
  return { ...catalog, agents: new Map([...catalog.agents, [name, entry]]) };
}
