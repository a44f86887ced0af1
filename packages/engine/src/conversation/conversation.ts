import type { JsonValue, Result } from '@cuebook/prompt';
import type { ApprovalEvent, Approvals } from '../approval/approval.js';
import type { ApprovalResolve } from '../approval/resolve.js';
import type { Exhausted, Expected } from '../budget/check.js';
import type { BudgetEvent, BudgetLedger } from '../budget/ledger.js';
import type { BudgetLimit, Unit } from '../budget/limit.js';
import type { CrashPolicy } from '../machine.js';
import type { StallEvent, StallRules, StallState, StallVerdict } from '../stall/stall.js';
import type { CallEvent, Calls } from '../tool-loop/calls.js';
import type { AskedCall, PlannedCall } from '../tool-loop/plan.js';
import type { Permit, ToolRules } from '../tool-loop/tool.js';
import type { ConversationMessage } from './history.js';
import type { TurnOutcome } from './outcome.js';

/** One conversation with a model: what is fixed about it. Its functions are pure. */
export interface ConversationConfig {
  /** Its lane; calls run in lanes below it. Left out: `agent`. */
  readonly lane?: string;
  readonly rules: ToolRules;
  /** Whether the model has a known price. */
  readonly priced: boolean;
  /** What becomes of a turn that was begun and has no outcome: `repeat` only where a turn changes nothing by itself. */
  readonly onTurnCrash: CrashPolicy;
  /** What the next turn will cost at least. Left out: nothing is known but that it is a turn. */
  readonly expect?: (state: Conversation) => Expected;
  /** Room in the budgets around this conversation, where it is a part of a larger run. Left out: there are none. */
  readonly room?: (expected: Expected) => Result<null, Exhausted>;
  /** Judges every answer, failed turns included. Left out: calls go on, words end it, a failure fails. */
  readonly onAnswer?: (state: Conversation, answer: TurnOutcome) => Verdict;
  /** What an agent may do by itself when it asks in mid-turn. Left out: a person is asked. */
  readonly permitNative?: (tool: string, input: JsonValue) => Permit;
  /** The agent cannot be given other arguments than those that it asked for: it is told them, and asks again. */
  readonly retells?: boolean;
  /** How many models a turn may be asked of, one after another as they fail; left out: 1. */
  readonly models?: number;
  /** Further tries in a row that `onAnswer` may ask for. Left out: 2. */
  readonly maxRetries?: number;
  readonly stall?: Partial<StallRules>;
  /** How long a person has to answer an approval; left out: for ever. */
  readonly approvalMs?: number;
  /** Said for the user where a turn must follow the model's own words. */
  readonly goOn?: string;
}

/** What follows from an answer. With any kind but `continue` the calls of the answer are not run, and told so. */
export type Verdict =
  | { readonly kind: 'continue'; readonly note?: string }
  | { readonly kind: 'done' }
  /** The same again, with a word about what was wrong. */
  | { readonly kind: 'retry'; readonly note?: string }
  /** A person is asked; what they say goes on. */
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'fail'; readonly code: string; readonly message: string };

/** Plain JSON, and nothing but what follows from the events. */
export type Conversation = {
  readonly mode: 'new' | 'idle' | 'active' | 'stopping' | 'stopped' | 'done' | 'failed';
  /** What the state depends on beside the events, as it was when the conversation began: it is in the log too. */
  readonly settings: Settings;
  /** Turns asked for so far. */
  readonly turns: number;
  /** The turn in flight. */
  readonly turn: TurnInFlight | null;
  /** An answer that nobody has judged yet. */
  readonly answer: TurnOutcome | null;
  /** The turn that is being worked on: what was said, for the stall detector. */
  readonly latest: TurnOutcome | null;
  /** Calls of the latest answer that is not in the history yet as results. */
  readonly calls: Calls | null;
  /** Calls that the agent makes in mid-turn. */
  readonly native: Calls;
  readonly history: readonly ConversationMessage[];
  /** Said while it was busy: it goes into the next turn. */
  readonly queue: readonly ConversationMessage[];
  readonly approvals: Approvals;
  readonly budget: BudgetLedger;
  readonly stall: StallState;
  readonly pause: Pause | null;
  readonly retries: number;
  /** A script has answered, not a model. */
  readonly rehearsal?: true;
  /** Which model is asked: 0, and left out, is the first. */
  readonly model?: number;
  readonly sessionId: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** Effects that a person was asked about after a crash. */
  readonly doubts: readonly string[];
};

export type Settings = { readonly maxResultBytes: number; readonly stall: StallRules };

export type TurnInFlight = {
  readonly number: number;
  readonly effect: string;
  /** The run was stopped by force: what comes of the turn is counted, and not listened to. */
  readonly given: 'up' | null;
};

/** Why it does not go on by itself. Nothing is lost: the answer to it goes on from here. */
export type Pause =
  | { readonly kind: 'budget'; readonly exhausted: Exhausted }
  | { readonly kind: 'stall'; readonly verdict: StallVerdict }
  | { readonly kind: 'person'; readonly reason: string };

export type ConversationCommand =
  | {
      readonly type: 'agent.start';
      /** The first message; without one it waits for `agent.say`, or with `ask` begins by itself. */
      readonly text?: string;
      readonly ask?: boolean;
      readonly budget?: { readonly [unit in Unit]?: number };
      readonly by: string;
    }
  | { readonly type: 'agent.say'; readonly text: string; readonly by: string }
  /** `force`: does not wait for what is running. */
  | { readonly type: 'agent.stop'; readonly by: string; readonly force?: boolean }
  | { readonly type: 'agent.resume'; readonly by: string }
  | ApprovalResolve
  | { readonly type: 'budget.raise'; readonly to: { readonly [unit in Unit]?: number }; readonly by: string }
  /** The agent calls one of our tools in mid-turn. The answer is `{ call }`. */
  | { readonly type: 'native.call'; readonly effect: string; readonly call: AskedCall }
  /** The agent asks before it acts by itself. The answer is `{ approval }`, or `{ permit }` when nobody need be asked. */
  | {
      readonly type: 'native.approve';
      readonly effect: string;
      readonly tool: string;
      readonly input: JsonValue;
      /** These are words of the agent and its model about what they want, not what a program runs. */
      readonly claimed?: boolean;
      /** Which try of the turn asks; left out: the first. */
      readonly attempt?: number;
    }
  /** The answer to an approval goes to the agent now. */
  | {
      readonly type: 'native.tell';
      readonly effect: string;
      readonly approval: string;
      readonly attempt?: number;
    };

export type ConversationEvent =
  | {
      readonly type: 'agent.started';
      readonly data: {
        readonly limit: BudgetLimit;
        readonly settings: Settings;
        readonly ask: boolean;
        readonly by: string;
      };
    }
  | {
      readonly type: 'agent.told';
      readonly data: { readonly id: string; readonly text: string; readonly by: string };
    }
  | {
      readonly type: 'agent.asked';
      /** `model`: left out, the first. */
      readonly data: { readonly turn: number; readonly effect: string; readonly model?: number };
    }
  | { readonly type: 'agent.judged'; readonly data: Judged }
  | { readonly type: 'agent.worked'; readonly data: { readonly turn: number } }
  | { readonly type: 'agent.paused'; readonly data: Pause }
  | { readonly type: 'agent.resumed'; readonly data: { readonly by: string } }
  | { readonly type: 'agent.stopping'; readonly data: { readonly by: string; readonly force: boolean } }
  | { readonly type: 'agent.stopped'; readonly data: { readonly turn: number } }
  | { readonly type: 'native.called'; readonly data: PlannedCall }
  | ApprovalEvent
  | BudgetEvent
  | StallEvent
  | CallEvent;

/** What was made of an answer. The answer itself is in the outcome of its effect. */
export type Judged = {
  readonly turn: number;
  /** `stopped`: nobody was listening any more. `fallback`: the same turn is asked of the next model. */
  readonly verdict: Verdict['kind'] | 'fallback' | 'stopped';
  /** Whether what was said goes into the history. */
  readonly keep: boolean;
  readonly calls: readonly PlannedCall[];
  readonly failure?: { readonly code: string; readonly message: string };
};
