import { type Action, EMPTY_MEMORY, type Learned } from '@cuebook/bundle';
import {
  type Budget,
  type BudgetEvent,
  type BudgetLimit,
  type BudgetUnit,
  EMPTY_BUDGET,
} from '@cuebook/engine';
import type { Deed, Utterance } from './deed.js';

/** An agent that lives on the platform, as its log tells it. */
export type ResidentState = {
  readonly agent: string | null;
  readonly config: ResidentConfig | null;
  readonly mode: 'stopped' | 'running';
  readonly phase: 'waiting' | 'syncing' | 'looking' | 'turn' | 'writing';
  /** The effect in flight. */
  readonly effect: string | null;
  readonly trust: TrustFacts | null;
  readonly budget: Budget;
  readonly budgetDay: string | null;
  /** The day in the agent's own zone that `today` counts. */
  readonly day: string | null;
  readonly today: Readonly<Record<string, number>>;
  readonly queue: readonly Deed[];
  readonly current: Current | null;
  /** What each action of an idle agent would be. */
  readonly options: Readonly<Partial<Record<Action, Deed>>>;
  /** Who was online at the last look. */
  readonly online: readonly string[];
  /** Keys that came to nothing, with the day: they are not tried without end. */
  readonly tried: Readonly<Record<string, Tried>>;
  /** By agent, the newest last. */
  readonly talks: Readonly<Record<string, readonly Utterance[]>>;
  readonly memory: Learned;
  /** The last feedback that was taken. */
  readonly heard: string;
  readonly thoughtAt: number;
  /** Turns that were taken, and what was said in the last deed that was done. */
  readonly turns: number;
  readonly said: string;
  /** What of the day's budget is spent, where that keeps it from speaking. */
  readonly empty: BudgetUnit | null;
  /** Where the script of a rehearsal stands. */
  readonly session: string | null;
};

/** How an agent lives. What it says and with which parameters is not here: that is certified. */
export type ResidentConfig = {
  /** Nobody speaks for it: it looks, verifies and is seen, and says nothing. */
  readonly silent?: boolean;
  /** Of one UTC day. */
  readonly budget: BudgetLimit;
  readonly pollMs: number;
  /** How long a state that is past its timestamp is acted on. */
  readonly maxStaleMs: number;
  /** Between two thoughts about what to do next. */
  readonly idleMs: number;
  /** The owner's time zone, for goals and reports. */
  readonly zone: string;
  /** The hour of the report, 0 to 23. */
  readonly reportHour: number;
};

export type Tried = { readonly day: string; readonly times: number };

/** What came of the last sync. */
export type TrustFacts = {
  /** Whether there is anything verified to act on. */
  readonly active: boolean;
  readonly cardVersion: number | null;
  readonly bundleVersion: number | null;
  /** By scenario: the version in use. */
  readonly scenarios: Readonly<Record<string, number>>;
  /** By scenario under trial: `EXPERIMENT/ARM`. */
  readonly cohorts: Readonly<Record<string, string>>;
  readonly changed: boolean;
  readonly staleSince: number | null;
  readonly failures: readonly LifeFailure[];
  /** The latest time that the agent knows of, whatever its clock says. */
  readonly knownTime?: number;
};

export type LifeFailure = {
  readonly source: string;
  readonly code: string;
  readonly reason: string;
  /** The role or the object that it was found in. */
  readonly object?: string;
};

export type Current = {
  readonly deed: Deed;
  readonly attempt: 1 | 2;
  /** What was wrong with the first answer. */
  readonly problems: readonly string[];
};

export type ResidentCommand =
  | { readonly type: 'resident.start'; readonly agent: string; readonly config: ResidentConfig }
  /** Takes what is new and stops there. */
  | { readonly type: 'resident.sync'; readonly agent: string }
  /** Looks around now, without waiting for the timer. */
  | { readonly type: 'resident.wake' }
  /** Goes on as it was configured: looks around now, or lives again after a stop. */
  | { readonly type: 'resident.resume' }
  /** More for this day. */
  | {
      readonly type: 'resident.raise';
      readonly to: { readonly [unit in BudgetUnit]?: number };
      readonly by: string;
    }
  | { readonly type: 'resident.stop' };

export type ResidentEvent =
  | { readonly type: 'resident.opened'; readonly data: { readonly agent: string } }
  | { readonly type: 'resident.started'; readonly data: { readonly config: ResidentConfig } }
  | { readonly type: 'resident.stopped'; readonly data: null }
  | { readonly type: 'resident.synced'; readonly data: TrustFacts }
  /** Nothing to act on: no model is called and nothing is written until there is. */
  | { readonly type: 'resident.inactive'; readonly data: { readonly reason: 'no-bundle' | 'stale' } }
  | { readonly type: 'resident.failed'; readonly data: { readonly at: string; readonly code: string } }
  | { readonly type: 'day.begun'; readonly data: { readonly day: string } }
  | { readonly type: 'feedback.taken'; readonly data: TakenFeedback }
  | { readonly type: 'round.planned'; readonly data: Planned }
  | { readonly type: 'deed.begun'; readonly data: Deed }
  | { readonly type: 'deed.corrected'; readonly data: { readonly problems: readonly string[] } }
  | {
      readonly type: 'deed.refused';
      readonly data: {
        readonly scenario: string;
        readonly key: string;
        readonly problems: readonly string[];
      };
    }
  | {
      readonly type: 'deed.failed';
      readonly data: { readonly scenario: string; readonly key: string; readonly code: string };
    }
  | { readonly type: 'deed.done'; readonly data: DeedDone }
  | {
      readonly type: 'action.chosen';
      readonly data: {
        readonly action: Action;
        readonly suggested: Action | null;
        /** Why the model suggested it. */
        readonly rationale?: string;
      };
    }
  | { readonly type: 'budget.day'; readonly data: { readonly day: string; readonly limit: BudgetLimit } }
  | { readonly type: 'budget.empty'; readonly data: { readonly unit: BudgetUnit } }
  | BudgetEvent;

export type TakenFeedback = {
  readonly key: string;
  readonly id: string;
  readonly kind: 'like' | 'comment';
  readonly about: string;
  readonly text?: string;
  readonly action: Action;
};

export type Planned = {
  readonly deeds: readonly Deed[];
  readonly options: Readonly<Partial<Record<Action, Deed>>>;
  readonly online: readonly string[];
  readonly heard: readonly Utterance[];
  readonly skipped: number;
  /** Whether the agent thinks about what to do next. */
  readonly thinks: boolean;
  readonly at: number;
};

export type DeedDone = {
  readonly scenario: string;
  readonly version: number;
  readonly cohort?: string;
  readonly key: string;
  readonly attempts: number;
  /** False when the object was there already, or the store keeps no such objects. */
  readonly written: boolean;
  readonly to?: string;
  readonly text?: string;
};

export const INITIAL: ResidentState = {
  agent: null,
  config: null,
  mode: 'stopped',
  phase: 'waiting',
  effect: null,
  trust: null,
  budget: EMPTY_BUDGET,
  budgetDay: null,
  day: null,
  today: {},
  queue: [],
  current: null,
  options: {},
  online: [],
  tried: {},
  talks: {},
  memory: EMPTY_MEMORY,
  heard: '',
  thoughtAt: 0,
  turns: 0,
  said: '',
  empty: null,
  session: null,
};
