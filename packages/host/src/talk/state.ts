import {
  type Conversation,
  type ConversationEvent,
  createAgentMachine,
  type EngineEvent,
  readTurnOutcome,
  type TurnOutcome,
} from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import type { KeptSources } from '../sources-place.js';

/** What a conversation was begun with: the first event of its run. */
export type TalkFacts<About extends JsonValue> = {
  /** What is run, such as `sheet:review`. */
  readonly target: string;
  readonly provider: string;
  readonly model?: string;
  /** A script speaks: only who has its words goes on. */
  readonly scripted?: true;
  /** What it is told from. */
  readonly sources?: KeptSources;
  /** What the kind keeps of it. */
  readonly about: About;
};

/** Plain JSON, and nothing but what follows from the events. */
export type TalkState<About extends JsonValue> = {
  readonly facts: TalkFacts<About> | null;
  /** The latest answer, whole or cut off. */
  readonly outcome: TurnOutcome | null;
  readonly agent: Conversation;
};

/** Projecting asks nothing of the configuration: the log has what counts. */
const AGENT = createAgentMachine({ rules: { tools: [] }, priced: false, onTurnCrash: 'ask-person' });

export const NEW_TALK = { facts: null, outcome: null, agent: AGENT.initial } as const;

/** The first event of a kind is its own; all others are those of a conversation. */
export type TalkEvent<About extends JsonValue> =
  | ConversationEvent
  | { readonly type: `${string}.started`; readonly data: TalkFacts<About> };

/** Folds an event in. Same log, same state. `begins`: the first event. */
export function projectTalk<About extends JsonValue>(
  begins: string,
  state: TalkState<About>,
  event: TalkEvent<About> | EngineEvent,
): TalkState<About> {
  if (event.type === begins) return { ...state, facts: event.data as TalkFacts<About> };
  const own = event as ConversationEvent | EngineEvent;
  const agent = AGENT.project(state.agent, own);
  const isAnswer = own.type === 'effect.settled' && state.agent.turn?.effect === own.data.id;
  if (isAnswer) return { ...state, agent, outcome: readTurnOutcome(own.data.outcome) };
  return agent === state.agent ? state : { ...state, agent };
}
