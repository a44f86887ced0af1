import type { ToolBinding } from '@cuebook/define';
import {
  type AskedCall,
  type Outcome,
  readTurnOutcome,
  type TurnEnding,
  type TurnOutcome,
} from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import type { ChildConfig } from './child-config.js';
import type { EnvValue } from './env-value.js';
import type { Attachment, Message } from './message.js';

/** What hooks and functions did beside their answer. */
export type SideEffects = {
  readonly env: readonly EnvChange[];
  /** Said to the parent thread. */
  readonly notices: readonly string[];
  readonly diagnostics: readonly ThreadDiagnostic[];
};

export type EnvChange = { readonly name: string; readonly value: EnvValue };

export type ThreadDiagnostic = {
  readonly code: string;
  readonly severity: 'warning' | 'error';
  readonly message: string;
};

export const NO_EFFECTS: SideEffects = { env: [], notices: [], diagnostics: [] };

/** What a `model.turn` effect gives: the answer, with all that deciding about it needs from the project's code. */
export type StepOutcome = SideEffects &
  Omit<TurnOutcome, 'calls'> & {
    /** A hook made its words. */
    readonly rewritten?: true;
    /** What was thought is for the history, and not for whoever asked. */
    readonly hidesReasoning?: true;
    readonly calls: readonly StepCall[];
    readonly extra?: Message['extra'];
    /** The tools that the request told of. */
    readonly tools: readonly StepTool[];
    /** A call of a tool is demanded. */
    readonly required: boolean;
    /** How many models are left to try. */
    readonly fallbacks: number;
    readonly described?: readonly { readonly blob: string; readonly text: string }[];
  };

export type StepTool = {
  readonly name: string;
  readonly does: ToolBinding['does'];
  readonly idempotent: boolean;
  readonly parallel: boolean;
};

/** A call, and what became of its arguments. */
export type StepCall = AskedCall & {
  /** What is wrong with the arguments. */
  readonly problem?: string;
  /** A person allows it before it runs; the text says why, where the tool does. */
  readonly approval?: { readonly reason?: string };
  readonly opening?: ChildOpening;
};

/** What a call of a sub-prompt or an agent begins with. */
export type ChildOpening = {
  readonly does: Exclude<ToolBinding['does'], 'function'>;
  /** The definition, or for `subagent.message` the thread. */
  readonly target: string;
  readonly text: string;
  /** The arguments that `text` does not hold, as a message of their own. */
  readonly args?: string;
  readonly attachments: readonly Attachment[];
  readonly name: string | null;
  readonly config: ChildConfig;
};

/** What `thread.prepare` gives: the subagents to start before the first step. */
export type PrepareOutcome = SideEffects & {
  readonly start: readonly Start[];
  /** Variables that they took with them. */
  readonly consumed: readonly string[];
};

export type Start = {
  readonly agent: string;
  readonly name: string;
  readonly text: string;
  readonly config: ChildConfig;
  readonly env: { readonly [name: string]: EnvValue };
};

/** What `message.hook` gives. */
export type MessageOutcome = SideEffects & {
  readonly messages: readonly {
    readonly id: string;
    readonly text: string;
    /** A hook made its words. */
    readonly rewritten?: true;
    readonly extra?: Message['extra'];
  }[];
};

/** What `result.hook` gives. */
export type ResultOutcome = SideEffects & {
  readonly results: readonly {
    readonly call: string;
    readonly text: string;
    readonly isError: boolean;
    readonly removed?: true;
    readonly extra?: Message['extra'];
  }[];
};

/** What a `tool.call` effect adds to its text. */
export type ToolOutcome = SideEffects & {
  readonly text: string;
  readonly isError?: boolean;
  readonly blob?: string;
  readonly attachments?: readonly Attachment[];
  readonly removed?: true;
  readonly extra?: Message['extra'];
};

/** The step as the log has it. A driver that failed, and an output of another shape, is a failed step. */
export const readStep = (outcome: Outcome): StepOutcome => ({
  ...failedStep(FAILED),
  ...readTurnOutcome(outcome),
});

const FAILED: TurnEnding = { reason: 'error' };

export const failedStep = (end: TurnEnding): StepOutcome => ({
  ...NO_EFFECTS,
  text: '',
  calls: [],
  end,
  tools: [],
  required: false,
  fallbacks: 0,
});

/** The output of an effect of ours; an empty one where the driver failed. */
export const outputOf = <T extends SideEffects>(outcome: Outcome): Partial<T> =>
  outcome.ok && typeof outcome.output === 'object' && outcome.output !== null
    ? (outcome.output as JsonValue as unknown as Partial<T>)
    : {};
