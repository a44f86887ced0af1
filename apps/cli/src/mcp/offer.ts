import type { Catalog } from '@cuebook/define';
import type { OfferedTool } from '@cuebook/prompt';
import type { McpPrompt } from '@cuebook/provider';
import { promptArguments } from './arguments.js';

/** What a tool of the server does. */
export type Offered = 'tool' | 'prompt' | 'agent';

/** What a project offers to clients of the Model Context Protocol. */
export interface ProjectOffer {
  readonly prompts: readonly McpPrompt[];
  readonly tools: readonly OfferedTool[];
  readonly kinds: ReadonlyMap<string, Offered>;
}

/**
 * Every prompt is a prompt. Tools are the functions, the prompts that are made to be called (they have a
 * `requiredSchema`, or another prompt lists them) and the exposed agents. Of one name the function goes first,
 * then the prompt.
 */
export function offerOf(catalog: Catalog): ProjectOffer {
  const tools = new Map<string, OfferedTool>();
  const kinds = new Map<string, Offered>();
  const add = (kind: Offered, tool: OfferedTool): void => {
    if (tools.has(tool.name) || !TOOL_NAME.test(tool.name)) return;
    tools.set(tool.name, tool);
    kinds.set(tool.name, kind);
  };
  for (const [name, { data }] of catalog.tools) {
    add('tool', { name, description: data.description, ...(data.args && { parameters: data.args }) });
  }
  const listed = new Set(
    [...catalog.prompts.values()].flatMap(({ data }) => data.tools.map((tool) => tool.name)),
  );
  for (const [name, { data }] of catalog.prompts) {
    if (data.requiredSchema === undefined && !listed.has(name)) continue;
    add('prompt', { name, description: data.toolDescription, parameters: data.requiredSchema ?? SAID });
  }
  for (const [name, { data }] of catalog.agents) {
    if (!data.exposeAsTool) continue;
    const { requiredSchema } = catalog.prompts.get(data.sideA.prompt)?.data ?? {};
    add('agent', { name, description: data.toolDescription ?? '', parameters: requiredSchema ?? SAID });
  }
  const prompts = [...catalog.prompts].map(([name, { data }]) => ({
    name,
    description: data.toolDescription,
    arguments: promptArguments(data.requiredSchema),
  }));
  return { prompts, tools: [...tools.values()], kinds };
}

/** What model APIs take for the name of a tool. */
const TOOL_NAME = /^[\w-]{1,64}$/;

const SAID = {
  type: 'object',
  properties: { input: { type: 'string', description: 'What the user says' } },
  additionalProperties: false,
} as const;
