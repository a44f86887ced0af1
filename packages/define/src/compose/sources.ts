import {
  type BesideSources,
  besideSources,
  type Labels,
  type OfferedTool,
  type Place,
  type SpanSource,
} from '@cuebook/prompt';
import { declarationsIn } from '../check/variables.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { ModelData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { TOOLS } from '../shipped-texts.js';
import type { VariableTrace } from './environment.js';
import type { PlacedTool } from './tools.js';

interface Written {
  readonly catalog: Catalog;
  readonly placed: readonly PlacedTool[];
  readonly prompt: DefinitionEntry<PromptData>;
  readonly model: DefinitionEntry<ModelData> | undefined;
  readonly trace: readonly VariableTrace[];
}

const AUTHOR: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };

type Beside = {
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
};

/** Where the tools and parameters of a step are written. Steps of one prompt with the same tools share the answer. */
export function stepSources(beside: Beside, written: Written): BesideSources {
  const { prompt, model, trace } = written;
  // The tools of a server may change while a run goes on; those of the project do not.
  const tools = beside.tools.map((tool, index) =>
    written.placed[index]?.server === undefined ? tool.name : tool,
  );
  const key = JSON.stringify([model?.name, tools, beside.params, trace]);
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

function findSources(beside: Beside, written: Written): BesideSources {
  const { placed, prompt, model } = written;
  // A tool is told because the prompt lists it.
  const via = [prompt.source.place(['tools'])];
  return besideSources(beside, ([room, key, ...rest], value): SpanSource | undefined => {
    if (room === 'params') {
      if (key === 'providerOptions') return optionSource(rest, written);
      const isOwn = key === 'maxOutputTokens' && prompt.data.maxOutputTokens === value;
      const entry = MODEL_FIELDS.has(String(key)) && !isOwn ? model : prompt;
      const path = isOwn ? ['maxOutputTokens'] : PARAM_FIELDS[String(key)];
      return entry && path && { origin: entry.source.origin(path, value), ...AUTHOR };
    }
    const { source, fields, server } = placed[Number(key)] ?? {};
    const name = beside.tools[Number(key)]?.name ?? '';
    if (server !== undefined)
      return {
        origin: { kind: 'input', ref: `MCP server ${server}`, subject: name, via },
        ...{ trust: 'external', secrecy: 'public', volatility: 'session' },
      };
    if (source === undefined) {
      const shipped = TOOLS.sources(name)[rest.map((each) => `/${each}`).join('')];
      return shipped && { ...shipped, origin: { ...shipped.origin, via } };
    }
    const [field, ...deeper] = rest;
    const own = field === undefined ? [] : [fields?.[String(field)] ?? String(field), ...deeper];
    return { origin: { ...source.origin(own, value), via }, ...AUTHOR };
  });
}

/** The options of a model, and under `cuebook` what a thread needs to know: each where its definition says it. */
function optionSource(
  path: readonly (string | number)[],
  { catalog, prompt, model, trace }: Written,
): SpanSource | undefined {
  const [room, field, index, part] = path;
  const written = (place: Place): SpanSource => ({ origin: { kind: 'value', ...place }, ...AUTHOR });
  if (room !== 'cuebook' || field === 'provider')
    return (
      model && written(model.source.place(room === 'cuebook' ? ['provider'] : ['providerOptions', ...path]))
    );
  if (field !== 'environment') return written(prompt.source.place(field === undefined ? [] : path.slice(1)));
  const row = index === undefined ? undefined : trace[Number(index)];
  if (row === undefined) return written(prompt.source.place(['tools']));
  const won = /^(.*):(\d+):(\d+)$/.exec(row.at ?? '');
  const given = won && { ref: won[1] as string, line: Number(won[2]), column: Number(won[3]) };
  if (given && (part === 'at' || part === 'layer')) return written(given);
  const declared = declarationsIn(catalog).get(row.name) ?? [];
  const { by, variable } = declared.find(({ by: { name } }) => name === row.tool) ?? declared[0] ?? {};
  if (by === undefined || variable === undefined) return given ? written(given) : undefined;
  return written(by.source.place(['variables', by.data.variables.indexOf(variable)]));
}

/** Parameters that the definition of a model says; the others are the prompt's. */
const MODEL_FIELDS: ReadonlySet<string> = new Set(['model', 'maxOutputTokens']);

const PARAM_FIELDS: Readonly<Record<string, readonly string[]>> = {
  model: ['model'],
  maxOutputTokens: ['capabilities', 'maxOutputTokens'],
  temperature: ['temperature'],
  toolChoice: ['toolChoice'],
  parallelToolCalls: ['parallelToolCalls'],
  reasoningEffort: ['reasoning', 'effort'],
  reasoningTokens: ['reasoning', 'maxTokens'],
};
