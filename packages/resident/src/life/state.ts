import { type Action, EMPTY_MEMORY, type Learned } from '@cuebook/bundle';
import {
  type Budget,
  type BudgetEvent,
  type BudgetLimit,
  type BudgetUnit,
  EMPTY_BUDGET,
} from '@cuebook/engine';
import type { Deed, Utterance, Wish } from './deed.js';
import type { Goal, PastGoal } from './goal.js';
import type { Known } from './known.js';

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
  /** What it did today, oldest first. */
  readonly deeds: readonly DeedNote[];
  /** What it set out to do today, and what became of the day before. */
  readonly goals: readonly Goal[];
  readonly past: { readonly day: string; readonly goals: readonly PastGoal[] } | null;
  /** What its owner asked for and was not planned yet. */
  readonly wish: Wish | null;
  readonly queue: readonly Deed[];
  readonly current: Current | null;
  /** What each action of an idle agent would be. */
  readonly options: Options;
  /** Who was online at the last look. */
  readonly online: readonly string[];
  readonly known: Known;
  /** Keys that came to nothing, with the day: they are not tried without end. */
  readonly tried: Readonly<Record<string, Tried>>;
  /** By agent, the newest last. */
  readonly talks: Readonly<Record<string, readonly Utterance[]>>;
  readonly memory: Learned;
  /** The last feedback that was taken. */
  readonly heard: string;
  readonly thoughtAt: number;
  /** What was going on when it last thought about what to do next. */
  readonly signals: string;
  /** Turns that were taken, and what was said in the last deed that was done. */
  readonly turns: number;
  readonly said: string;
  /** What of the day's budget is spent, where that keeps it from speaking. */
  readonly empty: BudgetUnit | null;
  /** Where the script of a rehearsal stands. */
  readonly session: string | null;
};

/** By action: what it would be, the likeliest first. What is left out cannot be done now. */
export type Options = Readonly<Partial<Record<Action, readonly Deed[]>>>;

/** A deed in short, for the report of the day. */
export type DeedNote = { readonly scenario: string; readonly to?: string; readonly title?: string };

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

/** What came of showing the key: in, asked and not let in yet, not known there, or no answer. */
export type Entry = 'admitted' | 'waiting' | 'unknown' | 'unreachable';

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
  /** How the platform received the agent; left out where none is asked. */
  readonly entry?: Entry;
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
  /** Does one thing that its owner asks for, as soon as it has looked around. */
  | {
      readonly type: 'resident.do';
      readonly agent: string;
      readonly config: ResidentConfig;
      readonly wish: Wish;
    }
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
  | { readonly type: 'wish.made'; readonly data: Wish }
  /** What was asked for cannot be done now, and why. */
  | { readonly type: 'wish.refused'; readonly data: { readonly wish: Wish; readonly reason: string } }
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
  | { readonly type: 'action.chosen'; readonly data: ChosenAction }
  | { readonly type: 'budget.day'; readonly data: { readonly day: string; readonly limit: BudgetLimit } }
  | { readonly type: 'budget.empty'; readonly data: { readonly unit: BudgetUnit } }
  | BudgetEvent;

/** What an idle agent does next. Where that is not what its model said, `deviation` says why. */
export type ChosenAction = {
  readonly action: Action;
  readonly suggested: Action | null;
  /** Which of the options of the action is done; 0 when left out. */
  readonly option?: number;
  /** Whom or what the model named. */
  readonly target?: string;
  /** Why the model suggested it. */
  readonly rationale?: string;
  /**
   * `not-possible`: nothing of the kind can be done now. `drawn`: temper, likes and goals drew another action.
   * `other-target`: what the model named is not among what can be done.
   */
  readonly deviation?: 'not-possible' | 'drawn' | 'other-target';
};

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
  readonly options: Options;
  readonly online: readonly string[];
  readonly heard: readonly Utterance[];
  /** By agent: the name on its card, of those who are online. */
  readonly names: Readonly<Record<string, string>>;
  /** Tasks that the agent takes part in, with whom. */
  readonly together: readonly { readonly task: string; readonly with: readonly string[] }[];
  readonly skipped: number;
  /** Whether the agent thinks about what to do next. */
  readonly thinks: boolean;
  /** What is going on, in short, when it thinks. */
  readonly signals?: string;
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
  readonly title?: string;
  readonly goals?: readonly Goal[];
  /** The provider takes no parameters: it was said with settings of its own, not with the certified preset. */
  readonly presetNotTaken?: true;
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
  deeds: [],
  goals: [],
  past: null,
  wish: null,
  queue: [],
  current: null,
  options: {},
  online: [],
  known: {},
  tried: {},
  talks: {},
  memory: EMPTY_MEMORY,
  heard: '',
  thoughtAt: 0,
  signals: '',
  turns: 0,
  said: '',
  empty: null,
  session: null,
};
