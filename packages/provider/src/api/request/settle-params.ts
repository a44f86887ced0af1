import { guard } from '@cuebook/guard';
import { PLAIN_NAME } from '../../tool/argument-names.js';
import type { ApiName } from '../vendor.js';
import { claudeFamily, geminiFamily, openaiEfforts } from './model-family.js';
import type { ApiParams } from './params.js';

export interface SettleContext {
  readonly vendor: ApiName;
  readonly model: string;
  readonly hasTools: boolean;
  /** The names of the tools that are offered. */
  readonly offered: ReadonlySet<string>;
  /** The thoughts before the last calls are gone. */
  readonly isLost: boolean;
  /** Whether any block speaks of JSON. */
  readonly saysJson: boolean;
}

export interface Settled {
  readonly params: ApiParams;
  /** What gave way, and why. */
  readonly notes: readonly string[];
}

/** Parameters as the vendor takes them together. Each rule is one that it documents; nothing changes unsaid. */
export function settleParams(params: ApiParams, context: SettleContext): Settled {
  const rules = [choiceOfNone, ...(RULES[context.vendor] ?? []), choiceWithoutTools];
  return rules.reduce<Settled>(
    (settled, rule) => {
      const next = rule(settled.params, context);
      return next === undefined ? settled : { params: next.params, notes: [...settled.notes, ...next.notes] };
    },
    { params, notes: [] },
  );
}

type Rule = (params: ApiParams, context: SettleContext) => Settled | undefined;

const settle = (params: ApiParams, note?: string): Settled => ({
  params,
  notes: note === undefined ? [] : [note],
});

const without = (params: ApiParams, key: keyof ApiParams): ApiParams => {
  const { [key]: _, ...rest } = params;
  return rest;
};

/** A choice among no tools is refused everywhere. */
const choiceWithoutTools: Rule = (params, { hasTools }) => {
  if (hasTools || (params.toolChoice === undefined && params.parallelToolCalls === undefined))
    return undefined;
  return settle(without(without(params, 'toolChoice'), 'parallelToolCalls'));
};

/** A tool that is not offered cannot be chosen. */
const choiceOfNone: Rule = (params, { hasTools, offered }) => {
  const { toolChoice: choice } = params;
  if (!hasTools || typeof choice !== 'object') return undefined;
  if (!guard('api.choice', !offered.has(choice.tool))) return undefined;
  return settle(
    { ...params, toolChoice: 'auto' },
    `The tool ${choice.tool} is not offered: the model is left to choose.`,
  );
};

/** An older Claude is given the form of an answer as a tool, whose fields have plain names. */
const claudeForm: Rule = (params, { model }) => {
  const { responseFormat: format } = params;
  if (typeof format !== 'object' || claudeFamily(model).takesSchema) return undefined;
  const names = Object.keys(Object(format.schema.properties));
  if (names.every((name) => PLAIN_NAME.test(name))) return undefined;
  const note = `${model} takes no form with such names of fields: the answer is asked without one, and checked here.`;
  return settle(without(params, 'responseFormat'), note);
};

/** Stop texts of white space alone are refused. */
const claudeStops: Rule = (params) => {
  const stops = [params.stop ?? []].flat();
  const told = stops.filter((stop) => !/^[\p{White_Space}\x1c-\x1f]*$/u.test(stop));
  if (!guard('api.stops', told.length < stops.length)) return undefined;
  const note = 'Stop texts of white space alone are not taken: they are left out.';
  return settle(told.length > 0 ? { ...params, stop: told } : without(params, 'stop'), note);
};

/** A Claude cannot think when it must call a tool, or without the thoughts that led to the calls. */
const claudeThinks: Rule = (params, { model, isLost }) => {
  const { thinking, takesSchema } = claudeFamily(model);
  const { reasoningEffort: effort, reasoningTokens: tokens, responseFormat } = params;
  const wantsNone = effort === 'none' || (effort === undefined && tokens === undefined);
  if (wantsNone || thinking === 'none') return undefined;
  const isTool = typeof responseFormat === 'object' && !takesSchema;
  const why = isLost
    ? 'The thoughts before the last tool calls are gone'
    : isForced(params)
      ? 'A tool must be called'
      : isTool
        ? 'The answer has a form that this model is given as a tool'
        : undefined;
  if (why === undefined) return undefined;
  return settle({ ...params, reasoningEffort: 'none' }, `${why}, so this turn goes on without thinking.`);
};

const claudeChooses: Rule = (params, { model }) => {
  if (!isForced(params) || claudeFamily(model).off !== 'never') return undefined;
  const note = `${model} always thinks and cannot be made to call a tool: it is left to choose.`;
  return settle({ ...params, toolChoice: 'auto' }, note);
};

/** This vendor's temperatures end at 1. */
const claudeWarmth: Rule = (params) => {
  if (params.temperature === undefined || params.temperature <= 1) return undefined;
  return settle({ ...params, temperature: 1 }, 'The temperature is set to 1, the highest that is taken.');
};

const geminiForm: Rule = (params, { model, hasTools }) => {
  const { responseFormat } = params;
  if (!hasTools || responseFormat === undefined || responseFormat === 'text') return undefined;
  if (geminiFamily(model).takesSchemaWithTools) return undefined;
  const note = `${model} does not take tools and a form of the answer together: the answer is not held to its form.`;
  return settle(without(params, 'responseFormat'), note);
};

const stopsUpTo =
  (most: number): Rule =>
  (params) => {
    const stops = [params.stop ?? []].flat();
    if (stops.length <= most) return undefined;
    return settle(
      { ...params, stop: stops.slice(0, most) },
      `Only the first ${most} of the stop texts are taken.`,
    );
  };

const noStops: Rule = (params, { model }) => {
  const thinks = (openaiEfforts(model) ?? []).length > 0;
  if (!thinks || params.stop === undefined) return undefined;
  return settle(without(params, 'stop'), `${model} takes no stop texts.`);
};

/** Below this the vendor refuses a limit of the answer. */
const LEAST_OUTPUT = 16;

const leastOutput: Rule = (params) => {
  const { maxOutputTokens: most } = params;
  if (most === undefined || most >= LEAST_OUTPUT) return undefined;
  const note = `The limit of output tokens is set to ${LEAST_OUTPUT}, the least that is taken.`;
  return settle({ ...params, maxOutputTokens: LEAST_OUTPUT }, note);
};

/** JSON without a schema is taken only where the words ask for it. */
const jsonSaid: Rule = (params, { saysJson }) => {
  if (params.responseFormat !== 'json' || saysJson) return undefined;
  const note =
    'The prompt does not speak of JSON, and the vendor takes the JSON form only then: it is left out.';
  return settle(without(params, 'responseFormat'), note);
};

const RULES: Readonly<Partial<Record<ApiName, readonly Rule[]>>> = {
  anthropic: [claudeForm, claudeThinks, claudeChooses, claudeWarmth, claudeStops],
  google: [geminiForm, stopsUpTo(5)],
  openai: [leastOutput, jsonSaid],
  'openai-chat': [noStops, stopsUpTo(4), jsonSaid],
  compatible: [stopsUpTo(4), jsonSaid],
};

const isForced = ({ toolChoice }: ApiParams): boolean =>
  toolChoice === 'required' || typeof toolChoice === 'object';
