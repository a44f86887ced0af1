import type { ModelData } from '@cuebook/define';
import { costOf, type Usage } from '@cuebook/provider';

/** Whether a model's definition says what it costs. */
export const hasPrice = ({ inputPrice, outputPrice }: ModelData): boolean =>
  inputPrice !== undefined && outputPrice !== undefined;

/** What a turn used, with its cost by the definition's own prices where it has some. */
export function pricedUsage(usage: Partial<Usage> | undefined, model: ModelData): Partial<Usage> | undefined {
  const { inputPrice: input, outputPrice: output, cachedPrice } = model;
  if (usage === undefined || input === undefined || output === undefined) return usage;
  const price = { input, output, ...(cachedPrice === undefined ? {} : { cachedInput: cachedPrice }) };
  const whole: Usage = {
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    ...usage,
  };
  const costUsd = costOf(whole, 'own', { date: 'as defined', models: { own: price } });
  return costUsd === undefined ? usage : { ...usage, costUsd };
}
