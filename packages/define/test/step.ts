import { createHash } from 'node:crypto';
import { composeRequest, createRedactor, toMessages } from '@cuebook/prompt';
import { composeStep, type StepInput, type StepRequest } from '../src/compose/step.js';
import type { Catalog } from '../src/load/catalog.js';

type More = Omit<StepInput, 'catalog' | 'prompt' | 'agent'>;

/** A step of a prompt, in the environment of an agent when one is named. */
export function step(
  catalog: Catalog,
  name: string,
  more: More & { readonly agentName?: string } = {},
): StepRequest {
  const entry = catalog.prompts.get(name);
  if (entry === undefined) throw new Error(`no prompt ${name}`);
  const { agentName = '', ...rest } = more;
  const composed = composeStep({ catalog, prompt: entry, agent: catalog.agents.get(agentName), ...rest });
  if (!composed.ok)
    throw new Error(composed.diagnostics.map(({ code, message }) => `${code} ${message}`).join());
  return composed.value;
}

/** The step as a provider would get it, or why not. */
export const gate = (composed: StepRequest) =>
  composeRequest({
    blocks: composed.blocks,
    tools: composed.tools,
    params: composed.params,
    hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  });

/** The step as chat messages. */
export const messages = (composed: StepRequest) => {
  const request = gate(composed);
  if (!request.ok) throw new Error(request.error.map(({ code }) => code).join());
  return toMessages(request.value.prompt);
};

/** The step's system text. */
export const system = (composed: StepRequest): string =>
  messages(composed).find(({ role }) => role === 'system')?.content ?? '';
