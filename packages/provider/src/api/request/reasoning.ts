import type { ApiName } from '../vendor.js';
import {
  claudeFamily,
  geminiFamily,
  nearestEffort,
  openaiEfforts,
  type ThoughtRule,
} from './model-family.js';
import type { ApiParams, ReasoningEffort } from './params.js';

/** The options that tell a vendor how much to think, and what could not be kept of the wish. */
export interface Reasoning {
  readonly options: Record<string, unknown>;
  readonly note?: string;
}

/** How much is to be thought: an effort, a number of tokens at most, or both. */
export type ReasoningWish = Pick<ApiParams, 'reasoningEffort' | 'reasoningTokens'>;

/** How each vendor is told how much to think, in the form that this model takes. */
export function reasoningOptions(vendor: ApiName, model: string, wish: ReasoningWish): Reasoning {
  const effort = effortOf(wish);
  if (effort === undefined) return { options: {} };
  switch (vendor) {
    case 'openai':
    case 'openai-chat':
      return counted(model, wish, openaiReasoning(vendor, model, effort));
    case 'compatible':
      return counted(model, wish, { options: { reasoningEffort: effort } });
    case 'anthropic':
      return claudeFamily(model).thinking === 'budget' && effort !== 'none'
        ? anthropicBudget(model, tokensOf(wish, effort))
        : counted(model, wish, anthropicThinking(model, effort));
    case 'google':
      return geminiFamily(model).thinking === 'budget'
        ? googleBudget(model, effort === 'none' ? NO_TOKENS : tokensOf(wish, effort))
        : counted(model, wish, googleThinking(model, effort));
  }
}

/** The effort of a wish. A number of tokens allows no more than the effort that takes so many. */
function effortOf({ reasoningEffort: effort, reasoningTokens: tokens }: ReasoningWish) {
  if (tokens === undefined || effort === 'none') return effort;
  const most = COUNTED.findLast((level) => BUDGETS[level] <= tokens) ?? 'minimal';
  return effort === undefined || LEVELS.indexOf(most) < LEVELS.indexOf(effort) ? most : effort;
}

interface Tokens {
  readonly wanted: number;
  /** Whether the number is the caller's own. */
  readonly isTold: boolean;
}

const NO_TOKENS: Tokens = { wanted: 0, isTold: false };

/** The tokens of a wish: its own number, but no more than its effort takes. */
function tokensOf({ reasoningEffort, reasoningTokens: tokens }: ReasoningWish, effort: ThoughtRule): Tokens {
  if (tokens === undefined) return { wanted: BUDGETS[effort], isTold: false };
  const most =
    reasoningEffort === undefined || reasoningEffort === 'none' ? tokens : BUDGETS[reasoningEffort];
  return { wanted: Math.min(tokens, most), isTold: tokens <= most };
}

/** A number of tokens cannot be told to this model: it is said what stands for it. */
function counted(model: string, { reasoningTokens: tokens }: ReasoningWish, told: Reasoning): Reasoning {
  if (tokens === undefined || Object.keys(told.options).length === 0) return told;
  const { reasoningEffort, effort, thinkingConfig } = told.options as {
    readonly reasoningEffort?: string;
    readonly effort?: string;
    readonly thinkingConfig?: { readonly thinkingLevel?: string };
  };
  const chosen = reasoningEffort ?? effort ?? thinkingConfig?.thinkingLevel;
  const note = `${model} is not told a number of tokens to think with (reasoningTokens): the effort ${chosen} stands for ${tokens}.`;
  return { ...told, note: [told.note, note].filter(Boolean).join(' ') };
}

const cannot = (model: string): Reasoning => ({
  options: {},
  note: `${model} does not take an effort of thinking, so none is set.`,
});

function openaiReasoning(
  vendor: 'openai' | 'openai-chat',
  model: string,
  effort: ReasoningEffort,
): Reasoning {
  const taken = openaiEfforts(model);
  const chosen = taken === undefined ? effort : nearestEffort(effort, taken);
  if (chosen === undefined) return effort === 'none' ? { options: {} } : cannot(model);
  const summary = vendor === 'openai' && chosen !== 'none' ? { reasoningSummary: 'auto' } : {};
  return { options: { reasoningEffort: chosen, ...summary }, ...changed(model, effort, chosen) };
}

/** Tokens to think with, for models that count them. */
const BUDGETS: Readonly<Record<ThoughtRule, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
};

const COUNTED: readonly ThoughtRule[] = ['minimal', 'low', 'medium', 'high', 'xhigh'];
const LEVELS: readonly ReasoningEffort[] = ['none', ...COUNTED];

/** The least that this vendor takes. */
const LEAST_BUDGET = 1_024;

/** Up to 4.5 a budget is set; later models choose by themselves, guided by an effort, and refuse a budget. */
function anthropicBudget(model: string, { wanted, isTold }: Tokens): Reasoning {
  const budgetTokens = Math.min(Math.max(wanted, LEAST_BUDGET), claudeFamily(model).maxBudget);
  const options = { thinking: { type: 'enabled', budgetTokens } };
  return { options, ...(isTold ? changedTokens(model, wanted, budgetTokens) : {}) };
}

function anthropicThinking(model: string, effort: ReasoningEffort): Reasoning {
  const { thinking, efforts, off } = claudeFamily(model);
  if (effort === 'none') {
    if (off === 'disabled') return { options: { thinking: { type: 'disabled' } } };
    if (off === 'unsaid') return { options: {} };
    return { options: { effort: 'low' }, note: `${model} always thinks, so the least effort is set.` };
  }
  if (thinking === 'none') return cannot(model);
  const chosen = nearestEffort(effort, efforts) ?? 'high';
  return { options: { thinking: { type: 'adaptive' }, effort: chosen }, ...changed(model, effort, chosen) };
}

/** The second generation takes a budget, later ones a level. */
function googleBudget(model: string, { wanted, isTold }: Tokens): Reasoning {
  const { budget } = geminiFamily(model);
  const tokens = wanted === 0 && budget.canStop ? 0 : Math.min(Math.max(wanted, budget.least), budget.most);
  const shown = wanted === 0 ? {} : { includeThoughts: true };
  const options = { thinkingConfig: { thinkingBudget: tokens, ...shown } };
  return { options, ...(isTold && wanted !== 0 ? changedTokens(model, wanted, tokens) : {}) };
}

function googleThinking(model: string, effort: ReasoningEffort): Reasoning {
  const { thinking, levels } = geminiFamily(model);
  if (thinking === 'none') return effort === 'none' ? { options: {} } : cannot(model);
  const thinkingLevel = nearestEffort(effort, levels);
  const shown = effort === 'none' ? {} : { includeThoughts: true };
  return { options: { thinkingConfig: { thinkingLevel, ...shown } } };
}

const changed = (model: string, wanted: ReasoningEffort, chosen: ReasoningEffort) =>
  wanted === chosen || (wanted === 'minimal' && chosen === 'low')
    ? {}
    : { note: `${model} does not take the effort ${wanted}, so ${chosen} is set.` };

const changedTokens = (model: string, wanted: number, chosen: number) =>
  wanted === chosen
    ? {}
    : {
        note: `${model} does not take ${wanted} tokens to think with (reasoningTokens), so ${chosen} are set.`,
      };
