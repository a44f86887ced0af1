import { guard } from '@cuebook/guard';
import type { OfferedTool } from '@cuebook/prompt';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData } from '../shape/other-shapes.js';
import type { PromptData, ToolEntry } from '../shape/prompt-shape.js';
import type { JsonSchema } from '../shape/values.js';
import { TOOLS } from '../shipped-texts.js';
import type { SourceFile } from '../source/source-file.js';
import { findCallable, receivingPrompt } from './callable.js';
import type { Environment } from './environment.js';
import { servedName, toolsServed } from './served.js';

/** What a call of one of the request's tools does. */
export interface ToolBinding {
  /** The name that the model calls. */
  readonly name: string;
  readonly does: 'function' | 'sub-prompt' | 'handoff' | 'subagent' | 'subagent.create' | 'subagent.message';
  /** The definitions that it leads to: one, or for the two injected tools every agent that they serve. */
  readonly targets: readonly string[];
  /** How the prompt lists it; the injected tools have one for each target. */
  readonly configs: readonly ToolEntry[];
  /** What the model is told of its arguments. */
  readonly parameters: JsonSchema;
}

export interface BoundTools {
  readonly tools: readonly OfferedTool[];
  /** One for each tool. */
  readonly placed: readonly PlacedTool[];
  readonly bindings: readonly ToolBinding[];
}

/** Where the fields of a tool are written; undefined for what comes with Cuebook. */
export interface PlacedTool {
  readonly source: SourceFile | undefined;
  /** The MCP server that wrote it. */
  readonly server?: string;
  /** The fields of the definition by those of the tool. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The tools that a model is told of, and what each call of them means. Pure. */
export function boundTools(
  catalog: Catalog,
  prompt: DefinitionEntry<PromptData>,
  environment: Environment,
): BoundTools {
  if (guard('compose.none', prompt.data.toolChoice === 'none'))
    return { tools: [], placed: [], bindings: [] };
  const tools: OfferedTool[] = [];
  const placed: PlacedTool[] = [];
  const bindings: ToolBinding[] = [];
  const resumable: { readonly entry: DefinitionEntry<AgentData>; readonly config: ToolEntry }[] = [];
  const add = (
    does: ToolBinding['does'],
    config: ToolEntry,
    told: Omit<OfferedTool, 'name'>,
    place: PlacedTool,
  ): void => {
    const { parameters = NO_ARGUMENTS } = told;
    placed.push(place);
    tools.push({ name: config.name, ...told });
    bindings.push({ name: config.name, does, targets: [config.name], configs: [config], parameters });
  };
  for (const config of prompt.data.tools) {
    const callable = findCallable(catalog, config.name);
    if (callable === undefined && servedName(config.name) !== undefined) {
      for (const { name, server, description, parameters } of toolsServed(catalog, config.name)) {
        if (bindings.some((binding) => binding.name === name)) continue;
        add(
          'function',
          { ...config, name },
          { description, parameters },
          { source: undefined, server, fields: {} },
        );
      }
      continue;
    }
    if (callable === undefined || guard('compose.optional', isOff(config, environment))) continue;
    switch (callable.kind) {
      case 'tool': {
        const { description, args = NO_ARGUMENTS } = callable.entry.data;
        const place = {
          source: callable.entry.source,
          fields: { description: 'description', parameters: 'args' },
        };
        add('function', config, { description, parameters: args }, place);
        break;
      }
      case 'prompt': {
        const { toolDescription, requiredSchema } = callable.entry.data;
        add(
          'sub-prompt',
          config,
          { description: toolDescription, parameters: argumentsOf(config, requiredSchema) },
          { source: callable.entry.source, fields: PROMPT_FIELDS },
        );
        break;
      }
      case 'agent': {
        const { entry } = callable;
        const { type, toolDescription = '' } = entry.data;
        if (type === 'dual_ai' && typeof config.resumable === 'object') {
          resumable.push({ entry, config });
          break;
        }
        const schema = catalog.prompts.get(receivingPrompt(entry.data, config))?.data.requiredSchema;
        const parameters = argumentsOf(config, schema, 'message');
        add(
          type === 'dual_ai' ? 'subagent' : 'handoff',
          config,
          { description: toolDescription, parameters },
          { source: entry.source, fields: { description: 'toolDescription' } },
        );
      }
    }
  }
  if (resumable.length > 0) {
    const targets = resumable.map(({ entry }) => entry.name);
    const configs = resumable.map(({ config }) => config);
    for (const [does, tool] of [
      ['subagent.create', createTool(catalog, resumable)],
      ['subagent.message', TOOLS.tool(MESSAGE_NAME)],
    ] as const) {
      const { name, parameters = NO_ARGUMENTS } = tool;
      tools.push(tool);
      placed.push({ source: undefined, fields: {} });
      bindings.push({ name, does, targets, configs, parameters });
    }
  }
  return { tools, placed, bindings };
}

const PROMPT_FIELDS = { description: 'toolDescription', parameters: 'requiredSchema' };

const CREATE_NAME = 'subagent_create';
const MESSAGE_NAME = 'subagent_message';

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** Off unless the variable says true, 1 or yes, in any case and with blanks around it. */
function isOff({ optional }: ToolEntry, environment: Environment): boolean {
  if (optional === undefined) return false;
  const value = environment.resolve(optional)?.value.trim().toLowerCase() ?? '';
  return !['true', '1', 'yes'].includes(value);
}

const TEXT: JsonSchema = { type: 'string' };
const PATHS: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  description: 'The path of a file of this thread, or a list of paths',
};

/** The schema as it is; without one, the arguments that the configuration names, or else `otherwise`. */
function argumentsOf(config: ToolEntry, schema: JsonSchema | undefined, otherwise?: string): JsonSchema {
  if (schema !== undefined) return schema;
  const {
    initUserMessageProperty: message = otherwise,
    initAttachmentsProperty: paths,
    initAgentNameProperty: name,
  } = config;
  const properties = Object.fromEntries([
    ...(message === undefined ? [] : [[message, TEXT] as const]),
    ...(paths === undefined ? [] : [[paths, PATHS] as const]),
    ...(name === undefined ? [] : [[name, { ...TEXT, minLength: 1 }] as const]),
  ]);
  const required = [message, name].filter((each) => each !== undefined);
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

interface Resumable {
  readonly entry: DefinitionEntry<AgentData>;
  readonly config: ToolEntry;
}

function createTool(catalog: Catalog, agents: readonly Resumable[]): OfferedTool {
  const list = agents.map(({ entry: { name, data } }) => `${name}: ${data.toolDescription ?? ''}`).join('\n');
  const taken = agents.flatMap(({ entry, config }) => {
    const schema = furtherArguments(catalog, entry.data, config);
    return schema === undefined ? [] : [{ name: entry.name, schema }];
  });
  const only = agents.length === 1 ? taken[0]?.schema : undefined;
  const isNeeded = Array.isArray(only?.required) && only.required.length > 0;
  const { description, parameters } = TOOLS.tool(CREATE_NAME);
  const { properties, required } = parameters as {
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
  };
  return {
    name: CREATE_NAME,
    description: `${description}\n${list}`,
    parameters: {
      ...parameters,
      properties: {
        ...properties,
        agent: { ...properties.agent, enum: agents.map(({ entry }) => entry.name) },
        ...(taken.length === 0 ? {} : { arguments: only ?? anyArguments(taken) }),
      },
      required: [...required, ...(isNeeded ? ['arguments'] : [])],
    },
  };
}

/** Which agent takes which: a schema of alternatives says it in a way that not every vendor reads. */
const anyArguments = (
  taken: readonly { readonly name: string; readonly schema: JsonSchema }[],
): JsonSchema => ({
  type: 'object',
  description: [
    'Further arguments, by the JSON Schema of the agent:',
    ...taken.map(({ name, schema }) => `${name}: ${JSON.stringify(schema)}`),
  ].join('\n'),
});

/** The arguments of an agent beside those that the fields of `subagent_create` stand for. */
function furtherArguments(catalog: Catalog, agent: AgentData, config: ToolEntry): JsonSchema | undefined {
  const schema = catalog.prompts.get(receivingPrompt(agent, config))?.data.requiredSchema;
  if (schema === undefined) return undefined;
  const all = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const fields = new Set<unknown>([
    // The fields are texts: an argument of another kind is one of the further ones.
    ...[config.initUserMessageProperty, config.initAgentNameProperty].filter(
      (name) => all[name ?? '']?.type === 'string',
    ),
    config.initAttachmentsProperty,
  ]);
  const properties = Object.entries(all).filter(([name]) => !fields.has(name));
  if (properties.length === 0) return undefined;
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => !fields.has(name)) : [];
  const { required: _, ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}
