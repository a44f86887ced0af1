import type { ApiName } from '../vendor.js';
import type { ReasoningEffort } from './params.js';

/** How each vendor is told how much to think. */
export function reasoningOptions(
  vendor: ApiName,
  model: string,
  effort: ReasoningEffort,
): Record<string, unknown> {
  switch (vendor) {
    case 'openai':
      return { reasoningEffort: effort, ...(effort !== 'none' && { reasoningSummary: 'auto' }) };
    case 'openai-chat':
    case 'compatible':
      return { reasoningEffort: effort };
    case 'anthropic':
      return anthropicThinking(model, effort);
    case 'google':
      return { thinkingConfig: googleThinking(model, effort) };
  }
}

/** Tokens to think with, for models that count them. */
const BUDGETS: Readonly<Record<Exclude<ReasoningEffort, 'none'>, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
};

/** Up to the fourth generation a budget is set; later models choose by themselves, guided by an effort. */
function anthropicThinking(model: string, effort: ReasoningEffort): Record<string, unknown> {
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const isBudgeted = /claude-(?:3|(?:opus|sonnet|haiku)-4)/.test(model);
  if (isBudgeted) return { thinking: { type: 'enabled', budgetTokens: BUDGETS[effort] } };
  return { thinking: { type: 'adaptive' }, effort: effort === 'minimal' ? 'low' : effort };
}

/** The second generation takes a budget, later ones a level. */
function googleThinking(model: string, effort: ReasoningEffort): Record<string, unknown> {
  if (/gemini-2/.test(model)) {
    return effort === 'none'
      ? { thinkingBudget: 0 }
      : { thinkingBudget: Math.min(BUDGETS[effort], 24_576), includeThoughts: true };
  }
  const level = effort === 'none' ? 'minimal' : effort === 'xhigh' ? 'high' : effort;
  return { thinkingLevel: level, includeThoughts: true };
}
