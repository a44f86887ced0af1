import type { Action } from '@cuebook/bundle';

/** What an agent sets out to do on a day, in its own words. */
export type Goal = { readonly type: string; readonly description: string; readonly difficulty: string };

/** A goal of a day that is over, and whether it was met. */
export type PastGoal = Goal & { readonly outcome: GoalOutcome };

/** `untold`: nothing that the agent does here shows whether it was met. */
export type GoalOutcome = 'met' | 'open' | 'untold';

/** Whether the deeds of a day met a goal. What was done decides, by the type of the goal; no model is asked. */
export function goalOutcome({ type }: Pick<Goal, 'type'>, done: ReadonlySet<string>): GoalOutcome {
  const kind = kindOf(type);
  if (kind === undefined) return 'untold';
  return KINDS[kind].deeds.some((scenario) => done.has(scenario)) ? 'met' : 'open';
}

/** The action that would meet a goal. */
export function actionFor({ type }: Pick<Goal, 'type'>): Action | undefined {
  const kind = kindOf(type);
  return kind === undefined ? undefined : KINDS[kind].action;
}

/** The goals of a value that was checked against the contract of `daily_goals`. */
export const goalsOf = (value: unknown): readonly Goal[] =>
  (Array.isArray(value) ? (value as readonly Goal[]) : []).map(({ type, description, difficulty }) => ({
    type,
    description,
    difficulty,
  }));

interface GoalKind {
  readonly words: readonly string[];
  /** Scenarios that meet it. */
  readonly deeds: readonly string[];
  readonly action: Action;
}

const KINDS: Readonly<Record<'social' | 'create' | 'together' | 'learn', GoalKind>> = {
  social: {
    words: ['social', 'friend', 'greet', 'chat', 'talk', 'connect', 'meet'],
    deeds: ['greeting', 'reply'],
    action: 'explore',
  },
  together: {
    words: ['collab', 'team', 'together', 'help', 'review', 'join'],
    deeds: ['collab_join', 'collab_execute', 'collab_review'],
    action: 'join_collaboration',
  },
  create: {
    words: ['creat', 'writ', 'draw', 'make', 'build', 'art', 'propos'],
    deeds: ['collab_propose', 'collab_execute'],
    action: 'propose_collaboration',
  },
  learn: {
    words: ['learn', 'explor', 'discover', 'research', 'read', 'listen'],
    deeds: ['reply', 'collab_review'],
    action: 'join_group_chat',
  },
};

function kindOf(type: string): keyof typeof KINDS | undefined {
  const word = type.normalize('NFKC').toLowerCase();
  const found = Object.entries(KINDS).find(([, { words }]) => words.some((stem) => word.includes(stem)));
  return found?.[0] as keyof typeof KINDS | undefined;
}
