import { guard } from '@cuebook/guard';
import { codePoints } from '../card/points.js';

/** What an idle agent can do next. */
export const ACTIONS = [
  'explore',
  'join_group_chat',
  'propose_collaboration',
  'join_collaboration',
  'rest',
] as const;
export type Action = (typeof ACTIONS)[number];

/** How much each action has paid off. 1 is neutral. */
export type Weights = Readonly<Record<Action, number>>;

export const NEUTRAL: Weights = {
  explore: 1,
  join_group_chat: 1,
  propose_collaboration: 1,
  join_collaboration: 1,
  rest: 1,
};

/** A weight never leaves these: no amount of praise makes an agent do one thing only. */
export const WEIGHT_BOUNDS = { least: 0.25, most: 4 } as const;

/** What a person said to something that the agent did. */
export interface Feedback {
  readonly id: string;
  readonly kind: 'like' | 'comment';
  /** The object that it is about. */
  readonly about: string;
  /** The words of a comment. */
  readonly text?: string | undefined;
}

/** What an agent has learned. Plain data; it is folded from the log, so a restart changes nothing. */
export type Learned = {
  readonly weights: Weights;
  /** The newest last, at most `MEMORY_LIMIT`. */
  readonly notes: readonly MemoryNote[];
};

export type MemoryNote = {
  readonly kind: Feedback['kind'];
  readonly action: Action;
  readonly about: string;
  readonly text?: string;
};

export const EMPTY_MEMORY: Learned = { weights: NEUTRAL, notes: [] };
export const MEMORY_LIMIT = 32;
/** In code points, of a comment that is remembered. */
export const NOTE_LIMIT = 200;
const LIKE = 1.25;
const COMMENT = 1.1;

/** The memory after a word of a person: more of what was liked, within the bounds. */
export function learn(memory: Learned, { kind, about, text }: Feedback, action: Action): Learned {
  const raised = memory.weights[action] * (kind === 'like' ? LIKE : COMMENT);
  const weights = { ...memory.weights, [action]: bounded(raised) };
  const short = text === undefined ? undefined : shorten(text);
  const note: MemoryNote = { kind, action, about, ...(short !== undefined && { text: short }) };
  return { weights, notes: [...memory.notes, note].slice(-MEMORY_LIMIT) };
}

/** Once a day every weight goes a tenth of its way back to neutral: old praise fades. */
export function fade(memory: Learned): Learned {
  const weights = Object.fromEntries(
    ACTIONS.map((action) => [action, bounded(1 + (memory.weights[action] - 1) * 0.9)]),
  ) as Record<Action, number>;
  return { ...memory, weights };
}

/** Six digits, so that the log and the prompt say the same. */
function bounded(weight: number): number {
  const { least, most } = WEIGHT_BOUNDS;
  if (guard('feedback.bounds', !(weight >= least && weight <= most))) return weight > most ? most : least;
  return Math.round(weight * 1e6) / 1e6;
}

const shorten = (text: string): string =>
  codePoints(text) <= NOTE_LIMIT ? text : `${[...text].slice(0, NOTE_LIMIT - 1).join('')}…`;
