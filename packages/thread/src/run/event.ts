import type {
  ApprovalEvent,
  BudgetEvent,
  BudgetLimit,
  CallEvent,
  EngineEvent,
  PlannedCall,
  StallEvent,
  StallRules,
} from '@cuebook/engine';
import type { KeptSources, RunUpdated } from '@cuebook/host';
import type { ChildConfig } from './child-config.js';
import type { ThreadCall } from './command.js';
import type { EnvLayer } from './env-value.js';
import type { SessionOutcome, Waiter } from './frame.js';
import type { NewMessage, Side } from './message.js';
import type { ChildOpening, SideEffects } from './outcome.js';
import type { ThreadPause } from './state.js';

export type FrameOpened = {
  readonly id: string;
  readonly kind: 'thread' | 'sub-prompt';
  readonly parent: string | null;
  readonly waiter: Waiter | null;
  readonly agent: string | null;
  readonly type: 'ai_human' | 'dual_ai' | 'sub-prompt';
  readonly prompt: string | null;
  readonly name: string | null;
  readonly config: ChildConfig;
  readonly env: EnvLayer;
  /** Whether something is to be done before its first step. */
  readonly prepare: boolean;
};

export type StepAsked = {
  readonly frame: string;
  readonly effect: string;
  readonly prompt: string;
  readonly side: Side;
  readonly message: string;
  readonly model: number;
};

/** What was made of an answer. The answer itself is in the outcome of its effect. */
export type StepJudged = {
  readonly frame: string;
  readonly verdict: 'calls' | 'response' | 'retry' | 'fallback' | 'fail' | 'stopped';
  readonly keep: boolean;
  readonly calls: readonly PlannedCall[];
  /** What a call opens, by its id. */
  readonly openings: { readonly [call: string]: ChildOpening };
};

export type ThreadEvent =
  | {
      readonly type: 'thread.started';
      readonly data: {
        readonly agent: string;
        readonly by: string;
        readonly limit: BudgetLimit;
        readonly settings: { readonly stall: StallRules; readonly maxResultBytes: number };
        readonly account: EnvLayer;
        readonly instance: EnvLayer;
        readonly call?: ThreadCall;
        readonly sources?: KeptSources;
      };
    }
  | { readonly type: 'frame.opened'; readonly data: FrameOpened }
  | {
      readonly type: 'message.told';
      readonly data: { readonly frame: string; readonly message: NewMessage; readonly hooked: boolean };
    }
  | { readonly type: 'side.began'; readonly data: { readonly frame: string; readonly side: Side } }
  | { readonly type: 'step.asked'; readonly data: StepAsked }
  | { readonly type: 'step.judged'; readonly data: StepJudged }
  | {
      readonly type: 'results.stored';
      readonly data: { readonly frame: string; readonly ids: readonly string[] };
    }
  | {
      readonly type: 'side.ended';
      readonly data: { readonly frame: string; readonly reason: string; readonly text: string };
    }
  | {
      readonly type: 'session.ended';
      readonly data: {
        readonly frame: string;
        readonly outcome: SessionOutcome;
        readonly final: boolean;
        /** There is nobody to ask: what was said to it belongs to this session, and begins no other. */
        readonly unasked?: true;
      };
    }
  | {
      readonly type: 'agent.handed';
      /** `type`: how the new agent talks; left out: as the one before. */
      readonly data: { readonly frame: string; readonly agent: string; readonly type?: FrameOpened['type'] };
    }
  | { readonly type: 'waiter.set'; readonly data: { readonly frame: string; readonly waiter: Waiter } }
  | { readonly type: 'status.told'; readonly data: { readonly frame: string; readonly text: string } }
  | {
      readonly type: 'env.set';
      readonly data: {
        readonly frame: string | null;
        readonly layer: 'thread' | 'account' | 'instance';
        readonly values: EnvLayer;
      };
    }
  | {
      readonly type: 'effects.noted';
      readonly data: { readonly frame: string; readonly effects: SideEffects };
    }
  | { readonly type: 'effects.applied'; readonly data: { readonly frame: string } }
  | { readonly type: 'thread.paused'; readonly data: ThreadPause }
  | { readonly type: 'thread.resumed'; readonly data: { readonly by: string } }
  | { readonly type: 'thread.stopping'; readonly data: { readonly by: string } }
  | { readonly type: 'thread.stopped'; readonly data: { readonly by: string } }
  | RunUpdated
  | ApprovalEvent
  | BudgetEvent
  | StallEventOf
  | CallEvent;

/** Stalls are looked for in each conversation of its own. */
export type StallEventOf = {
  readonly type: 'stall.noted';
  readonly data: {
    readonly frame: string;
    readonly trace: Extract<StallEvent, { type: 'stall.observed' }>['data'];
  };
};

export type AnyThreadEvent = ThreadEvent | EngineEvent;
export type Events = readonly AnyThreadEvent[];
