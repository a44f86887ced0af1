import {
  argumentsText,
  filesProblem,
  findCallable,
  initialMessage,
  type JsonSchema,
  receivingPrompt,
  type ToolBinding,
  type ToolEntry,
} from '@cuebook/define';
import { childConfig } from '../run/definitions.js';
import type { ChildOpening } from '../run/outcome.js';
import { type Args, checkedArgs, plainProblem } from './arguments.js';
import { isRecord } from './hook-message.js';
import type { DriveParts } from './parts.js';

/** An opening whose files are still to be read. */
export type WantedOpening = Omit<ChildOpening, 'attachments'> & { readonly paths: readonly string[] };

/** What a call of a sub-prompt or an agent begins with, or what is wrong with its arguments. */
export async function openingFor(
  parts: DriveParts,
  binding: ToolBinding,
  input: Args,
): Promise<WantedOpening | string> {
  const [config] = binding.configs;
  if (config === undefined) return 'it is not listed';
  if (binding.does === 'subagent.create') return createOpening(parts, binding, input);
  if (binding.does === 'subagent.message') return messageOpening(config, input);
  const schema = schemaOf(parts, config);
  const checked = await argsOf(parts, binding, config, input);
  if (typeof checked === 'string') return checked;
  const { initAgentNameProperty: nameKey } = config;
  // A name that no schema speaks of is only the name of the instance.
  const { [nameKey ?? '']: _, ...unnamed } = checked;
  const args = schema === undefined ? unnamed : checked;
  const listed = listedAs(config, binding, schema);
  const problem = filesProblem(listed, args);
  if (problem !== undefined) return problem;
  const first = initialMessage(listed, args);
  const named = nameKey === undefined ? undefined : checked[nameKey];
  return {
    does: binding.does as WantedOpening['does'],
    target: config.name,
    text: first?.text ?? '',
    ...(first?.args === undefined ? {} : { args: first.args }),
    name: typeof named === 'string' && named.trim() !== '' ? named : null,
    config: childConfig(config),
    paths: first?.attachments ?? [],
  };
}

/** The prompt that hears the first words of a call. */
function receiverOf({ live: { catalog } }: DriveParts, config: ToolEntry): string {
  const callable = findCallable(catalog, config.name);
  return callable?.kind === 'agent' ? receivingPrompt(callable.entry.data, config) : config.name;
}

const schemaOf = (parts: DriveParts, config: ToolEntry): JsonSchema | undefined =>
  parts.live.catalog.prompts.get(receiverOf(parts, config))?.data.requiredSchema;

async function argsOf(
  parts: DriveParts,
  binding: ToolBinding,
  config: ToolEntry,
  input: Args,
): Promise<Args | string> {
  if (schemaOf(parts, config) === undefined) return plainProblem(binding.parameters, input) ?? input;
  const checked = await checkedArgs(parts, receiverOf(parts, config), input);
  return checked.ok ? checked.value : checked.error;
}

/** An agent of which neither a schema nor the configuration says anything takes its `message`. */
const listedAs = (config: ToolEntry, { does }: ToolBinding, schema: JsonSchema | undefined): ToolEntry =>
  does !== 'sub-prompt' && schema === undefined && config.initUserMessageProperty === undefined
    ? { ...config, initUserMessageProperty: 'message' }
    : config;

function messageOpening(config: ToolEntry, input: Args): WantedOpening | string {
  const text = words(input, 'message');
  const target = words(input, 'referenceId');
  if (target === '') return 'subagent_message requires referenceId';
  if (text === '') return 'subagent_message requires message';
  const paths = pathsOf(input);
  if (typeof paths === 'string') return paths;
  return { does: 'subagent.message', target, text, name: null, config: childConfig(config), paths };
}

/**
 * `subagent_create`: its fields stand for the arguments that the configuration names, unless `arguments` has those
 * itself. All of them are checked together; what the fields do not say is told behind the message.
 */
async function createOpening(
  parts: DriveParts,
  { configs, targets }: ToolBinding,
  input: Args,
): Promise<WantedOpening | string> {
  const target = words(input, 'agent');
  const config = configs[targets.indexOf(target)];
  if (config === undefined) return `subagent_create requires agent: one of ${targets.join(', ')}`;
  const message = words(input, 'message');
  if (message === '') return 'subagent_create requires message';
  const name = words(input, 'name');
  const paths = pathsOf(input);
  if (typeof paths === 'string') return paths;
  const given = input.arguments ?? {};
  if (!isRecord(given)) return 'arguments: one JSON object is needed';
  const opening = { does: 'subagent.create', target, name, config: childConfig(config) } as const;
  const schema = schemaOf(parts, config);
  if (schema === undefined) {
    const strange = Object.keys(given);
    if (strange.length > 0) return `arguments: the agent ${target} takes none`;
    return { ...opening, text: message, paths };
  }
  const fields = fieldsFor(config, schema, { message, name, paths });
  const filled = Object.fromEntries(Object.entries(fields).filter(([key]) => !Object.hasOwn(given, key)));
  const checked = await checkedArgs(parts, receiverOf(parts, config), { ...filled, ...given });
  if (!checked.ok) return checked.error;
  const args = checked.value;
  const problem = filesProblem(config, args);
  if (problem !== undefined) return problem;
  const files = initialMessage({ initAttachmentsProperty: config.initAttachmentsProperty }, args);
  const { initUserMessageProperty: messageKey = '', initAttachmentsProperty: filesKey = '' } = config;
  const said = Object.hasOwn(filled, messageKey) ? args[messageKey] : undefined;
  const rest = Object.entries(args).filter(([key]) => !Object.hasOwn(filled, key) && key !== filesKey);
  return {
    ...opening,
    text: typeof said === 'string' && said !== '' ? said : message,
    ...(rest.length === 0 ? {} : { args: argumentsText(JSON.stringify(Object.fromEntries(rest))) }),
    paths: [...new Set([...paths, ...(files?.attachments ?? [])])],
  };
}

interface Fields {
  readonly message: string;
  readonly name: string;
  readonly paths: readonly string[];
}

/** The fields as the arguments that the configuration says they are. */
function fieldsFor(config: ToolEntry, schema: JsonSchema, { message, name, paths }: Fields): Args {
  const {
    initUserMessageProperty: messageKey,
    initAgentNameProperty: nameKey,
    initAttachmentsProperty: filesKey,
  } = config;
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const isText = (key: string | undefined): key is string =>
    key !== undefined && Object.hasOwn(properties, key) && properties[key]?.type === 'string';
  const isOne = isText(filesKey) && paths.length === 1;
  return {
    ...(isText(messageKey) ? { [messageKey]: message } : {}),
    ...(isText(nameKey) ? { [nameKey]: name } : {}),
    ...(filesKey === undefined || paths.length === 0
      ? {}
      : { [filesKey]: isOne ? (paths[0] as string) : [...paths] }),
  };
}

const words = (input: Args, key: string): string => {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'string' ? value : '';
};

/** The paths of a call, or what is wrong with them: one that is left out unsaid would be missed. */
function pathsOf({ attachments = [] }: Args): readonly string[] | string {
  const list = Array.isArray(attachments) ? attachments : [attachments];
  return list.every((path) => typeof path === 'string') ? list : 'attachments: a list of paths is needed';
}
