import {
  type BesideSources,
  besideSources,
  type Labels,
  type OfferedTool,
  type SpanSource,
} from '@cuebook/prompt';
import type { DefinitionEntry } from '../load/catalog.js';
import type { ModelData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { TOOLS } from '../shipped-texts.js';
import type { PlacedTool } from './tools.js';

interface Written {
  readonly placed: readonly PlacedTool[];
  readonly prompt: DefinitionEntry<PromptData>;
  readonly model: DefinitionEntry<ModelData> | undefined;
}

const AUTHOR: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };

type Beside = {
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
};

/** Where the tools and parameters of a step are written. Steps of one prompt with the same tools share the answer. */
export function stepSources(beside: Beside, written: Written): BesideSources {
  const { prompt, model } = written;
  const names = beside.tools.map(({ name }) => name);
  const key = JSON.stringify([model?.name, names, beside.params]);
  const known = KNOWN.get(prompt);
  if (known?.key === key && known.model === model) return known.sources;
  const sources = findSources(beside, written);
  KNOWN.set(prompt, { key, model, sources });
  return sources;
}

const KNOWN = new WeakMap<
  DefinitionEntry<PromptData>,
  { readonly key: string; readonly model: Written['model']; readonly sources: BesideSources }
>();

function findSources(beside: Beside, { placed, prompt, model }: Written): BesideSources {
  return besideSources(beside, ([room, key, ...rest], value): SpanSource | undefined => {
    if (room === 'params') {
      const entry = MODEL_FIELDS.has(String(key)) ? model : prompt;
      const path = PARAM_FIELDS[String(key)];
      return entry && path && { origin: entry.source.origin(path, value), ...AUTHOR };
    }
    const { source, fields } = placed[Number(key)] ?? {};
    const name = beside.tools[Number(key)]?.name ?? '';
    if (source === undefined) return TOOLS.sources(name)[rest.map((each) => `/${each}`).join('')];
    const [field, ...deeper] = rest;
    const own = field === undefined ? [] : [fields?.[String(field)] ?? String(field), ...deeper];
    return { origin: source.origin(own, value), ...AUTHOR };
  });
}

/** Parameters that the definition of a model says; the others are the prompt's. */
const MODEL_FIELDS: ReadonlySet<string> = new Set(['model', 'maxOutputTokens', 'providerOptions']);

const PARAM_FIELDS: Readonly<Record<string, readonly string[]>> = {
  model: ['model'],
  maxOutputTokens: ['capabilities', 'maxOutputTokens'],
  providerOptions: ['providerOptions'],
  toolChoice: ['toolChoice'],
  parallelToolCalls: ['parallelToolCalls'],
  reasoningEffort: ['reasoning', 'effort'],
  reasoningTokens: ['reasoning', 'maxTokens'],
};
