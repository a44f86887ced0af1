import type { Calls, StallState } from '@cuebook/engine';
import type { ChildConfig } from './child-config.js';
import type { EnvLayer } from './env-value.js';
import type { Attachment, Message, NewMessage, Side } from './message.js';
import type { ChildOpening, PrepareOutcome, StepOutcome } from './outcome.js';

/**
 * One conversation of a run: the thread itself, a subagent's thread, or a sub-prompt. Plain JSON, and nothing but
 * what follows from the events.
 */
export type Frame = {
  readonly id: string;
  readonly kind: 'thread' | 'sub-prompt';
  /** The thread that it is part of, or was started by; null for the first. */
  readonly parent: string | null;
  /** The call that waits for its result. */
  readonly waiter: Waiter | null;
  /** Whose agent, and for a sub-prompt that of its thread. */
  readonly agent: string | null;
  readonly type: 'ai_human' | 'dual_ai' | 'sub-prompt';
  /** The sub-prompt. */
  readonly prompt: string | null;
  readonly name: string | null;
  readonly config: ChildConfig;
  /** Whose turn it is or was last. */
  readonly side: Side;
  readonly turn: number;
  /** A turn is under way. */
  readonly active: boolean;
  readonly turns: { readonly a: number; readonly b: number };
  /** Steps of this turn, and of this session. */
  readonly steps: number;
  readonly total: number;
  /** Whether a tool was called in this turn. */
  readonly called: boolean;
  readonly retries: number;
  /** Which of the prompt's models is asked: 0 is its own. */
  readonly model: number;
  readonly prepared: 'due' | 'running' | 'done';
  readonly messages: readonly Message[];
  /** What goes into the next step. `hooked`: hooks have seen it. */
  readonly inbox: readonly Waiting[];
  /** An effect about messages or results, in flight. */
  readonly hooking: Hooking | null;
  /** What an effect did beside its answer, until it is told to those whom it is for. */
  readonly after: Partial<PrepareOutcome> | null;
  readonly ask: FrameAsk | null;
  /** The step that is to be asked again, with the model behind the one that failed. */
  readonly again?: Again | null;
  readonly answer: StepOutcome | null;
  readonly calls: Calls | null;
  /** What calls of the latest answer open, by their id. */
  readonly openings: { readonly [call: string]: ChildOpening };
  /** What tools added to their results, by call. */
  readonly results: { readonly [call: string]: ResultExtra };
  readonly env: EnvLayer;
  readonly stall: StallState;
  /** How the latest session ended. */
  readonly outcome: SessionOutcome | null;
  /** It takes no more messages. */
  readonly ended: boolean;
  /** What a `sessionStatus` tool said last. */
  readonly status: string | null;
};

export type Waiter = { readonly frame: string; readonly call: string };

export type FrameAsk = {
  readonly effect: string;
  readonly prompt: string;
  readonly side: Side;
  /** The message that its answer becomes. */
  readonly message: string;
};

/** The same step with another model: the same prompt, and the same message in the end. */
export type Again = Omit<FrameAsk, 'effect'> & { readonly model: number };

export type Hooking = {
  readonly effect: string;
  readonly kind: 'thread.prepare' | 'message.hook' | 'result.hook';
  /** The messages or calls that it is about. */
  readonly about: readonly string[];
};

export type Waiting = { readonly message: NewMessage; readonly hooked: boolean };

export type ResultExtra = {
  readonly attachments?: readonly Attachment[];
  /** A hook took the call and its result out of the history. */
  readonly removed?: true;
  readonly hooked?: true;
  readonly text?: string;
  readonly isError?: boolean;
  readonly extra?: Message['extra'];
};

export type SessionOutcome = {
  readonly status: 'done' | 'failed' | 'stopped';
  /** `answered`, `session-stop`, `session-fail`, `max-turns`, `max-steps`, `failed`, `stopped`. */
  readonly reason: string;
  readonly text: string;
  readonly code?: string;
  readonly attachments?: readonly Attachment[];
};
