import {
  type Conversation,
  type ConversationEvent,
  createAgentMachine,
  type EngineEvent,
  type PlannedCall,
} from '@cuebook/engine';
import type { RunUpdated } from '@cuebook/host';
import type { JsonValue } from '@cuebook/prompt';
import type { ComposedFacts, RunFacts, UpdatedFacts } from './facts.js';

/** What happens in a workflow run: what happens in its conversation, and what is its own. */
export type WorkflowRunEvent =
  | ConversationEvent
  | { readonly type: 'workflow.started'; readonly data: RunFacts }
  | { readonly type: 'workflow.composed'; readonly data: ComposedFacts }
  | RunUpdated<UpdatedFacts>;

/** Plain JSON, and nothing but what follows from the events. */
export type WorkflowRunState = {
  readonly facts: RunFacts | null;
  /** The latest turn. */
  readonly composed: ComposedFacts | null;
  /** Whether the closing message of this completion was said. */
  readonly isClosed: boolean;
  /** Which node each stretch of the history was said at: `until` counts messages. */
  readonly places: readonly StepPosition[];
  /** Why calls were not run, by the id of the call: their results have no other code. */
  readonly refused: { readonly [call: string]: string };
  /** Calls that an agent made in the latest turn and that were not run: no message of the history tells of them. */
  readonly strays: readonly StrayCall[];
  readonly agent: Conversation;
};

export type StrayCall = {
  readonly call: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly text: string;
};

export type StepPosition = { readonly until: number; readonly node: string | null };

/** Projecting asks nothing of the configuration: the log has what counts. */
const AGENT = createAgentMachine({ rules: { tools: [] }, priced: false, onTurnCrash: 'ask-person' });

export const NEW_RUN: WorkflowRunState = {
  facts: null,
  composed: null,
  isClosed: false,
  places: [],
  refused: {},
  strays: [],
  agent: AGENT.initial,
};

/** Folds an event in. Same log, same state. */
export function projectWorkflow(
  state: WorkflowRunState,
  event: WorkflowRunEvent | EngineEvent,
): WorkflowRunState {
  switch (event.type) {
    case 'workflow.started':
      return { ...state, facts: event.data };
    case 'run.updated': {
      const { to: sources, own } = event.data;
      return { ...state, facts: state.facts && { ...state.facts, ...own, sources } };
    }
    case 'workflow.composed':
      return composed(state, event.data);
    case 'agent.judged': {
      const { composed: turn } = state;
      const isClosed = state.isClosed || (turn?.isComplete === true && event.data.verdict === 'done');
      const refused = { ...state.refused, ...refusals(state, event.data.calls) };
      return { ...state, isClosed, refused, agent: AGENT.project(state.agent, event) };
    }
    case 'native.called': {
      const refused = { ...state.refused, ...refusals(state, [event.data]) };
      const { id: call, name, input, result } = event.data;
      const strays = result === undefined ? [] : [{ call, name, input, text: result.text }];
      const agent = AGENT.project(state.agent, event);
      return { ...state, refused, strays: [...state.strays, ...strays], agent };
    }
    default: {
      const agent = AGENT.project(state.agent, event);
      return agent === state.agent ? state : { ...state, agent };
    }
  }
}

function composed(state: WorkflowRunState, turn: ComposedFacts): WorkflowRunState {
  const place = { until: turn.messages, node: turn.nodeId };
  const last = state.places.at(-1);
  const isSame = last !== undefined && last.node === place.node;
  return {
    ...state,
    composed: turn,
    strays: [],
    isClosed: state.isClosed && turn.isComplete,
    places: isSame ? [...state.places.slice(0, -1), place] : [...state.places, place],
  };
}

/** The codes of calls that were answered without being run, in the words of the tools. */
function refusals(
  { agent }: WorkflowRunState,
  calls: readonly PlannedCall[],
): { readonly [call: string]: string } {
  const asked = agent.answer?.calls ?? [];
  return Object.fromEntries(
    calls.flatMap(({ id, result }, at) => {
      if (result?.code === undefined) return [];
      const isNotJson = asked[at]?.badInput !== undefined;
      return [[id, isNotJson ? 'TOOL_ARGS_INVALID_JSON' : (OWN_CODES[result.code] ?? result.code)]];
    }),
  );
}

const OWN_CODES: Readonly<Record<string, string>> = {
  E_TOOL_UNKNOWN: 'TOOL_NOT_AVAILABLE',
  E_TOOL_NOT_ALLOWED: 'TOOL_NOT_AVAILABLE',
  E_TOOL_DENIED: 'TOOL_NOT_AVAILABLE',
  E_TOOL_INPUT: 'E_INVALID_ARGS',
};

/** The node that a message of the history was said at; one that no turn was told yet is said at `now`. */
export function placeOf({ places }: WorkflowRunState, message: number, now: string | null): string | null {
  const place = places.find(({ until }) => message < until);
  return place === undefined ? now : place.node;
}
