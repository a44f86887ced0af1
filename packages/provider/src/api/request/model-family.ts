import type { ReasoningEffort } from './params.js';

/**
 * What a vendor documents about the models of a family, read from the name of one. Names that say nothing get the
 * rules of the newest models: those are what a new name stands for.
 */

export type ThoughtRule = Exclude<ReasoningEffort, 'none'>;

/** From the least to the most. */
const ORDER: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];

/** Of the efforts that a model takes, the one nearest to what is wanted; the lesser of two that are as near. */
export function nearestEffort(
  wanted: ReasoningEffort,
  taken: readonly ReasoningEffort[],
): ReasoningEffort | undefined {
  const distance = (effort: ReasoningEffort) => Math.abs(ORDER.indexOf(effort) - ORDER.indexOf(wanted));
  return [...taken]
    .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .reduce<ReasoningEffort | undefined>(
      (best, effort) => (best === undefined || distance(effort) < distance(best) ? effort : best),
      undefined,
    );
}

/** The generation of a name without a number. */
const NEWEST = 99;

export interface ClaudeFamily {
  /** How it is told to think: by tokens, by an effort, or it cannot. */
  readonly thinking: 'none' | 'budget' | 'adaptive';
  /** The efforts that it takes beside adaptive thinking. */
  readonly efforts: readonly ThoughtRule[];
  /** The most tokens to think with, below what an answer may have in all. */
  readonly maxBudget: number;
  /** How it is told not to think: by a word, by silence, or it always does. */
  readonly off: 'disabled' | 'unsaid' | 'never';
  /** Whether it takes a schema of the answer itself; others are given it as a tool that must be called. */
  readonly takesSchema: boolean;
  /** Whether a conversation may end with words of its own, which it then goes on from. */
  readonly takesPrefill: boolean;
}

/** The numbers of a Claude: `claude-opus-4-7`, `claude-3-7-sonnet`, `anthropic.claude-opus-4.6-v1`. */
export function claudeVersion(model: string): readonly [major: number, minor: number] | undefined {
  const [, name = ''] = /claude-(.*)$/i.exec(model) ?? [];
  const tokens = name.split(/[^a-z0-9]+/i);
  const at = tokens.findIndex((token) => /^\d{1,2}$/.test(token));
  if (at < 0) return undefined;
  const minor = tokens[at + 1] ?? '';
  return [Number(tokens[at]), /^\d{1,2}$/.test(minor) ? Number(minor) : 0];
}

export function claudeFamily(model: string): ClaudeFamily {
  const [major, minor] = claudeVersion(model) ?? [NEWEST, 0];
  const number = major + minor / 100;
  const alwaysThinks = /claude-(?:fable|mythos)|claude-(?:opus|sonnet)-5[-.]5/i.test(model);
  const isUnsaid = number < 3.07 || (number >= 4.07 && number < 5) || major === NEWEST;
  return {
    thinking: number < 3.07 ? 'none' : number < 4.06 ? 'budget' : 'adaptive',
    efforts: number < 4.07 ? ['low', 'medium', 'high'] : ['low', 'medium', 'high', 'xhigh'],
    maxBudget: number >= 4 && number < 4.05 && /opus/i.test(model) ? 24_576 : 32_768,
    off: alwaysThinks ? 'never' : isUnsaid ? 'unsaid' : 'disabled',
    takesSchema: number >= 4.01 && /claude/i.test(model),
    takesPrefill: number < 4.06,
  };
}

/** The efforts that a model of OpenAI takes; undefined for a name that says nothing. */
export function openaiEfforts(model: string): readonly ReasoningEffort[] | undefined {
  const name = model.replace(/^.*\//, '').toLowerCase();
  if (/^o\d+(?:-|$)/.test(name)) return ['low', 'medium', 'high'];
  const [, major, minor, variant = ''] = /^gpt-(\d+)(?:\.(\d+))?o?(?:-(.+))?$/.exec(name) ?? [];
  if (major === undefined) return undefined;
  const number = Number(major) + Number(minor ?? 0) / 100;
  if (number < 5 || variant.startsWith('chat')) return [];
  if (number >= 6) return ['low', 'medium', 'high', 'xhigh'];
  if (variant.startsWith('pro')) return number < 5.02 ? ['high'] : ['medium', 'high', 'xhigh'];
  const most: readonly ReasoningEffort[] =
    number >= 5.02 || variant.startsWith('codex-max')
      ? ['low', 'medium', 'high', 'xhigh']
      : ['low', 'medium', 'high'];
  if (variant.startsWith('codex')) return most;
  return number < 5.01 ? ['minimal', ...most] : ['none', ...most];
}

export interface GeminiFamily {
  readonly thinking: 'none' | 'budget' | 'level';
  readonly levels: readonly ThoughtRule[];
  readonly budget: { readonly least: number; readonly most: number; readonly canStop: boolean };
  /** Whether tools and a schema of the answer may stand in one request. */
  readonly takesSchemaWithTools: boolean;
}

export function geminiFamily(model: string): GeminiFamily {
  const [, major, minor] = /gemini-(\d+)(?:[.-](\d)(?![0-9]))?/i.exec(model) ?? [];
  const number = major === undefined ? NEWEST : Number(major) + Number(minor ?? 0) / 100;
  const isPro = /pro/i.test(model);
  const isLite = /lite/i.test(model);
  const isGemini = /gemini/i.test(model);
  const levels: readonly ThoughtRule[] = !isPro
    ? ['minimal', 'low', 'medium', 'high']
    : number < 3.01
      ? ['low', 'high']
      : ['low', 'medium', 'high'];
  return {
    thinking: /gemma/i.test(model) || (isGemini && number < 2.05) ? 'none' : number < 3 ? 'budget' : 'level',
    levels,
    budget: { least: isPro ? 128 : isLite ? 512 : 0, most: isPro ? 32_768 : 24_576, canStop: !isPro },
    takesSchemaWithTools: number >= 3,
  };
}
