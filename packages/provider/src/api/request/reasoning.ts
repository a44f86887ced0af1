import type { ApiName } from '../vendor.js';
import { claudeFamily, geminiFamily, nearestEffort, openaiEfforts, type Thought } from './model-family.js';
import type { ReasoningEffort } from './params.js';

/** The options that tell a vendor how much to think, and what could not be kept of the wish. */
export interface Reasoning {
  readonly options: Record<string, unknown>;
  readonly note?: string;
}

/** How each vendor is told how much to think, in the form that this model takes. */
export function reasoningOptions(vendor: ApiName, model: string, effort: ReasoningEffort): Reasoning {
  switch (vendor) {
    case 'openai':
    case 'openai-chat':
      return openaiReasoning(vendor, model, effort);
    case 'compatible':
      return { options: { reasoningEffort: effort } };
    case 'anthropic':
      return anthropicThinking(model, effort);
    case 'google':
      return googleThinking(model, effort);
  }
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
const BUDGETS: Readonly<Record<Thought, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
};

/** Up to 4.5 a budget is set; later models choose by themselves, guided by an effort, and refuse a budget. */
function anthropicThinking(model: string, effort: ReasoningEffort): Reasoning {
  const { thinking, efforts, maxBudget, off } = claudeFamily(model);
  if (effort === 'none') {
    if (off === 'disabled') return { options: { thinking: { type: 'disabled' } } };
    if (off === 'unsaid') return { options: {} };
    return { options: { effort: 'low' }, note: `${model} always thinks, so the least effort is set.` };
  }
  if (thinking === 'none') return cannot(model);
  if (thinking === 'budget') {
    return {
      options: { thinking: { type: 'enabled', budgetTokens: Math.min(BUDGETS[effort], maxBudget) } },
    };
  }
  const chosen = nearestEffort(effort, efforts) ?? 'high';
  return { options: { thinking: { type: 'adaptive' }, effort: chosen }, ...changed(model, effort, chosen) };
}

/** The second generation takes a budget, later ones a level. */
function googleThinking(model: string, effort: ReasoningEffort): Reasoning {
  const { thinking, levels, budget } = geminiFamily(model);
  if (thinking === 'none') return effort === 'none' ? { options: {} } : cannot(model);
  if (thinking === 'budget') {
    const wanted = effort === 'none' ? 0 : BUDGETS[effort];
    const tokens = wanted === 0 && budget.canStop ? 0 : Math.min(Math.max(wanted, budget.least), budget.most);
    const shown = effort === 'none' ? {} : { includeThoughts: true };
    return { options: { thinkingConfig: { thinkingBudget: tokens, ...shown } } };
  }
  const thinkingLevel = nearestEffort(effort, levels);
  const shown = effort === 'none' ? {} : { includeThoughts: true };
  return { options: { thinkingConfig: { thinkingLevel, ...shown } } };
}

const changed = (model: string, wanted: ReasoningEffort, chosen: ReasoningEffort) =>
  wanted === chosen || (wanted === 'minimal' && chosen === 'low')
    ? {}
    : { note: `${model} does not take the effort ${wanted}, so ${chosen} is set.` };
