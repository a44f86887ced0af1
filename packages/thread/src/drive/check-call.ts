import {
  type ArgsCheck,
  type Entry,
  findCallable,
  initialMessage,
  type PromptData,
  type ToolBinding,
  type ToolEntry,
} from '@cuebook/define';
import type { AskedCall } from '@cuebook/engine';
import type { JsonValue, Redactor } from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import { childConfig } from '../run/definitions.js';
import type { Opening, StepCall } from '../run/outcome.js';
import { attach } from './attachments.js';
import { isRecord } from './hook-message.js';
import type { DriveParts } from './parts.js';

export interface Checking {
  readonly call: AskedCall;
  readonly bindings: readonly ToolBinding[];
  readonly reader: Reader & { readonly prompt: Entry<PromptData> };
  /** For the bytes of what is attached. */
  readonly redactor: Redactor;
}

/** What the project's schemas say of a call, and what a sub-prompt or an agent would begin with. */
export async function checkCall(
  parts: DriveParts,
  { call, bindings, redactor }: Checking,
): Promise<StepCall> {
  const binding = bindings.find(({ name }) => name === call.name);
  if (binding === undefined || call.badInput !== undefined) return call;
  const { catalog } = parts.live;
  if (binding.does === 'function') {
    if (catalog.tools.get(call.name)?.data.args === undefined)
      return isRecord(call.input) ? call : { ...call, problem: 'the arguments are one JSON object' };
    const checked = await parts.live.check({ kind: 'tool', name: call.name }, call.input);
    return checked.ok ? call : { ...call, problem: problemsText(checked) };
  }
  if (!isRecord(call.input)) return { ...call, problem: 'the arguments are one JSON object' };
  const wanted = await openingFor(parts, binding, call.input);
  if (typeof wanted === 'string') return { ...call, problem: wanted };
  const attached = await attach(parts, { paths: wanted.paths, by: 'agent', redactor });
  if (!attached.ok) return { ...call, problem: attached.error.message };
  const { paths: _, ...opening } = wanted;
  return { ...call, opening: { ...opening, attachments: attached.value } };
}

type Wanted = Omit<Opening, 'attachments'> & { readonly paths: readonly string[] };

async function openingFor(
  parts: DriveParts,
  binding: ToolBinding,
  input: { readonly [key: string]: JsonValue },
): Promise<Wanted | string> {
  const { catalog } = parts.live;
  const [config] = binding.configs;
  if (config === undefined) return 'it is not listed';
  if (binding.does === 'subagent.create') return createOpening(binding, input);
  if (binding.does === 'subagent.message') {
    const text = words(input, 'message');
    const target = words(input, 'referenceId');
    if (target === '') return 'subagent_message requires referenceId';
    if (text === '') return 'subagent_message requires message';
    return {
      does: 'subagent.message',
      target,
      text,
      name: null,
      config: childConfig(config),
      paths: pathsOf(input),
    };
  }
  const callable = findCallable(catalog, config.name);
  const prompt = callable?.kind === 'agent' ? callable.entry.data.sideA.prompt : config.name;
  const args = await parsedArgs(parts, prompt, input);
  if (typeof args === 'string') return args;
  const first = initialMessage(listed(config, binding), args);
  const named = config.initAgentNameProperty === undefined ? undefined : args[config.initAgentNameProperty];
  return {
    does: binding.does as Wanted['does'],
    target: config.name,
    text: first?.text ?? '',
    name: typeof named === 'string' ? named : null,
    config: childConfig(config),
    paths: first?.attachments ?? [],
  };
}

/** An agent that nothing else is said of takes its `message`. */
const listed = (config: ToolEntry, { does }: ToolBinding): ToolEntry =>
  does !== 'sub-prompt' && config.initUserMessageProperty === undefined
    ? { ...config, initUserMessageProperty: 'message' }
    : config;

function createOpening(
  { configs, targets }: ToolBinding,
  input: { readonly [key: string]: JsonValue },
): Wanted | string {
  const target = words(input, 'agent');
  const config = configs[targets.indexOf(target)];
  if (config === undefined) return `subagent_create requires agent: one of ${targets.join(', ')}`;
  const text = words(input, 'message');
  if (text === '') return 'subagent_create requires message';
  return {
    does: 'subagent.create',
    target,
    text,
    name: words(input, 'name'),
    config: childConfig(config),
    paths: pathsOf(input),
  };
}

async function parsedArgs(
  parts: DriveParts,
  prompt: string,
  input: { readonly [key: string]: JsonValue },
): Promise<{ readonly [key: string]: JsonValue } | string> {
  if (parts.live.catalog.prompts.get(prompt)?.data.requiredSchema === undefined) return input;
  const checked = await parts.live.check({ kind: 'prompt', name: prompt }, input);
  if (!checked.ok) return problemsText(checked);
  return isRecord(checked.value) ? checked.value : input;
}

const problemsText = ({ problems }: Extract<ArgsCheck, { ok: false }>): string =>
  problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');

const words = (input: { readonly [key: string]: JsonValue }, key: string): string => {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'string' ? value : '';
};

const pathsOf = ({ attachments }: { readonly [key: string]: JsonValue }): readonly string[] =>
  Array.isArray(attachments) ? attachments.filter((path) => typeof path === 'string') : [];
