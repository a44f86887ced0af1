import { describe, expect, it } from 'vitest';
import type { ApiName } from '../vendor.js';
import { reasoningOptions } from './reasoning.js';

const MODELS: Readonly<Record<ApiName, readonly string[]>> = {
  openai: ['gpt-5', 'gpt-5.1', 'gpt-5.2-pro', 'gpt-5-pro', 'gpt-5.2-codex-max', 'o3', 'o4-mini', 'new-name'],
  'openai-chat': ['gpt-5', 'gpt-5.1', 'o3', 'new-name'],
  compatible: ['x', 'llama-4', 'deepseek-r2'],
  anthropic: [
    'claude-3-7-sonnet',
    'claude-opus-4-1',
    'claude-sonnet-4-5',
    'claude-opus-4-7',
    'claude-opus-5-5',
    'new',
  ],
  google: [
    'gemini-2.5-flash',
    'gemini-2.5-pro',
    'gemini-2.5-flash-lite',
    'gemini-3-pro',
    'gemini-3.1-pro',
    'gemini-9',
  ],
};
const ROWS = Object.entries(MODELS).flatMap(([api, models]) =>
  models.map((model) => [api as ApiName, model] as const),
);
const LEVELS = ['minimal', 'low', 'medium', 'high', 'xhigh'];

/** How much thinking the options ask for, as a number: tokens where they are counted, else the level. */
function amountOf(options: unknown): number {
  const text = JSON.stringify(options);
  const tokens = /"(?:budgetTokens|thinkingBudget)":(\d+)/.exec(text)?.[1];
  if (tokens !== undefined) return Number(tokens);
  return LEVELS.findIndex((level) => text.includes(`"${level}"`));
}

describe('the effort of thinking', () => {
  it.each(ROWS)('%s %s: low asks for no more than medium, and medium for no more than high', (api, model) => {
    const [low = -1, medium = -1, high = -1] = (['low', 'medium', 'high'] as const).map((effort) =>
      amountOf(reasoningOptions(api, model, { reasoningEffort: effort }).options),
    );
    expect(low).toBeGreaterThanOrEqual(0);
    expect([low, medium, high]).toEqual([low, medium, high].toSorted((a, b) => a - b));
  });

  it.each(ROWS)('%s %s: an effort that the model does not take is told', (api, model) => {
    for (const effort of ['low', 'medium', 'high'] as const) {
      const { options, note } = reasoningOptions(api, model, { reasoningEffort: effort });
      const level = LEVELS.find((each) => JSON.stringify(options).includes(`"${each}"`));
      if (level !== undefined && level !== effort && api !== 'google') expect(note).toContain(effort);
    }
  });

  it.each([
    ['openai', 'gpt-4o'],
    ['anthropic', 'claude-3-5-haiku'],
    ['google', 'gemma-3'],
  ] as const)('%s %s does not think: nothing is set, and that is told', (api, model) => {
    expect(reasoningOptions(api, model, { reasoningEffort: 'high' })).toEqual({
      options: {},
      note: expect.stringContaining(model),
    });
  });
});
