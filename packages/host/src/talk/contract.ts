import type { Conversation, PortError, Tool, ToolRules, TurnOutcome, Verdict } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { Diagnostic, GatedRequest, JsonValue, Result } from '@cuebook/prompt';
import type { HostError, StartCall } from '../contract.js';
import type { RunSources } from '../kept-sources.js';
import type { Ground, Lacks } from '../kind.js';
import type { KindView } from '../report.js';
import type { TalkFacts, TalkState } from './state.js';

/**
 * A kind of run that is one conversation with a model. It says what is told and what its tools do; budgets, approvals,
 * stalls, doubts, stops, the record and the report are those of every conversation.
 */
export interface TalkKind<About extends JsonValue> {
  readonly name: string;
  readonly prefixes: readonly string[];
  /** Reads and checks what is to be run. Nothing is begun. */
  readonly start: (call: StartCall, place: TalkPlace) => Promise<Result<TalkStart<About>, HostError>>;
  /** The request of the next turn. A refusal fails the turn, and nothing is sent. */
  readonly compose: (talk: ToldTalk<About>, place: TalkPlace) => Promise<Result<GatedRequest, PortError>>;
  /** Left out: what the model asks for is told, and not run. */
  readonly tools?: readonly TalkTool[];
  readonly rules?: Omit<ToolRules, 'tools'>;
  /** Judges every answer, with what the run began with. Left out: calls go on, words end it, a failure fails. */
  readonly onAnswer?: (state: Conversation, answer: TurnOutcome, facts: TalkFacts<About>) => Verdict;
  readonly lacks?: Lacks;
  /** What a report says that was said. Left out: the words of the last answer. */
  readonly text?: (talk: Talk<About>) => string;
  /** What only this kind reports. */
  readonly detail?: (talk: Talk<About>) => KindView['detail'];
}

export interface TalkPlace {
  readonly run: RunId;
  readonly ground: Ground;
}

/** A conversation that has begun. */
export type Talk<About extends JsonValue> = Pick<TalkState<About>, 'agent' | 'outcome'> & {
  readonly facts: TalkFacts<About>;
};

/** The same when it is told: with the sources of its beginning. */
export type ToldTalk<About extends JsonValue> = Talk<About> & { readonly sources: RunSources };

export interface TalkStart<About extends JsonValue> {
  /** What the kind needs to know of the run later. It is in the log: nothing private may be in it. */
  readonly about: About;
  /**
   * What it is told from. It is sealed with the run and handed to every `compose` of it, in whichever process: a run is
   * told from the sources of its beginning. Left out: nothing.
   */
  readonly sources?: RunSources;
  /** What the person says first. Left out: the model begins. */
  readonly text?: string;
  /** The model that is spoken to where the call names none. */
  readonly model?: string;
  readonly diagnostics?: readonly Diagnostic[];
}

export interface TalkTool extends Tool {
  /** Does it, and answers what the model is told: a text, `{ text, isError }` or any JSON. What is thrown is an error. */
  run(input: JsonValue, context: TalkPlace & { readonly signal: AbortSignal }): Promise<JsonValue>;
}
