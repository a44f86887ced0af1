import { guard } from '@cuebook/guard';
import { quote, type Reporter } from './diagnostic.js';
import { isMap } from './readers/yaml-source.js';
import type { LineColumn } from './text/mapped.js';

type Plain = Readonly<Record<string, unknown>>;

/** The settings of a source as a sheet has them. */
export interface ImportedSettings {
  /** Under the names that providers here take. */
  readonly params: Plain;
  /** What is no setting here: it is kept under `meta`. */
  readonly others: Plain;
  /** What a setting is called in the source, where it has another name there. */
  readonly names: Readonly<Record<string, string>>;
}

const within = (low: number, high: number) => (value: unknown) =>
  typeof value === 'number' && value >= low && value <= high;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The settings that providers here take, and which values of them. */
export const SETTINGS: Readonly<Record<string, (value: unknown) => boolean>> = {
  model: isText,
  temperature: within(0, 2),
  maxOutputTokens: isCount,
  topP: within(0, 1),
  topK: isCount,
  presencePenalty: within(-2, 2),
  frequencyPenalty: within(-2, 2),
  stop: (value) => isText(value) || (Array.isArray(value) && value.length <= 16 && value.every(isText)),
  seed: (value) => Number.isSafeInteger(value),
  reasoningEffort: (value) =>
    ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'].some((word) => word === value),
  toolChoice: (value) => value === 'auto' || value === 'none' || value === 'required',
  parallelToolCalls: (value) => typeof value === 'boolean',
  responseFormat: (value) => value === 'text' || value === 'json',
};

/** What the APIs of vendors call the same settings. */
const ALIASES: Readonly<Record<string, string>> = {
  max_tokens: 'maxOutputTokens',
  max_output_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
  maxTokens: 'maxOutputTokens',
  top_p: 'topP',
  top_k: 'topK',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  stop_sequences: 'stop',
  stopSequences: 'stop',
  reasoning_effort: 'reasoningEffort',
  'reasoning.effort': 'reasoningEffort',
  tool_choice: 'toolChoice',
  parallel_tool_calls: 'parallelToolCalls',
  response_format: 'responseFormat',
  'response_format.type': 'responseFormat',
};
/**
 * The settings of a source. A provider refuses a call with a setting that it does not know, so what is none here is kept
 * under `meta`, and told; so is a second name for one setting.
 */
export function readSettings(
  source: Plain,
  report: Reporter,
  at: (key: string) => LineColumn,
  { kept, isFree = false }: { readonly kept: string; readonly isFree?: boolean },
): ImportedSettings {
  const params = new Map<string, unknown>();
  const others: [string, unknown][] = [];
  const names = new Map<string, string>();
  for (const [key, given] of Object.entries(source)) {
    const { written, value } = unwrapped(key, given);
    const name = Object.hasOwn(ALIASES, written) ? (ALIASES[written] ?? written) : written;
    const isKnown = Object.hasOwn(SETTINGS, name) && SETTINGS[name]?.(value) === true && !params.has(name);
    if (guard('adopt.setting', !isKnown)) others.push([key, given]);
    else params.set(name, value);
    if (!isKnown || name === key) continue;
    names.set(name, written);
    report.info('W_IMPORT_KEY', at(key), `The setting ${quote(written)} became ${quote(name)}`);
  }
  const [first] = others;
  if (first !== undefined) {
    const list = others.map(([key]) => quote(key)).join(', ');
    // A store of prompts has a place for data of any kind; elsewhere only settings of the model stand there.
    const say = isFree ? report.info : report.warning;
    say(
      'W_IMPORT_KEY',
      at(first[0]),
      `No settings that are known here: ${list}; kept under ${kept} and never sent`,
    );
  }
  return {
    params: Object.fromEntries(params),
    others: Object.fromEntries(others),
    names: Object.fromEntries(names),
  };
}

/** `reasoning: { effort: low }` is one setting with a longer name. */
function unwrapped(key: string, given: unknown): { readonly written: string; readonly value: unknown } {
  const [inner, ...more] = isMap(given) ? Object.entries(given) : [];
  const path = `${key}.${inner?.[0] ?? ''}`;
  const isNested = inner !== undefined && more.length === 0 && Object.hasOwn(ALIASES, path);
  const written = isNested ? path : key;
  const value = isNested ? inner[1] : given;
  // The same word for the form of an answer, as vendors spell it.
  if (!written.startsWith('response_format')) return { written, value };
  return { written, value: value === 'json_object' ? 'json' : value === 'json' ? undefined : value };
}

/** Settings under the names of the source, with what was none here: an export to the same format gives them back. */
export function sourceSettings(params: Plain, meta: Plain, format: string): Plain {
  const { source, settingNames, config } = meta;
  if (!isMap(source) || source.format !== format) return params;
  const names = isMap(settingNames) ? settingNames : {};
  const entries = Object.entries(params).map(([key, value]): [string, unknown] => {
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    if (typeof name !== 'string') return [key, value];
    const [outer = '', inner] = name.split('.');
    const word = name.startsWith('response_format') && value === 'json' ? 'json_object' : value;
    return [outer, inner === undefined ? word : { [inner]: word }];
  });
  return Object.fromEntries([...entries, ...(isMap(config) ? Object.entries(config) : [])]);
}
