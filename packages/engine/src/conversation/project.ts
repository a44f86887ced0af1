import { NO_APPROVALS } from '../approval/approval.js';
import { EMPTY_LEDGER } from '../budget/ledger.js';
import type { EngineEvent } from '../machine.js';
import { DEFAULT_STALL_RULES, NO_STALL, projectStall } from '../stall/stall.js';
import { type Calls, openCalls, projectCalls } from '../tool-loop/calls.js';
import { DEFAULT_MAX_RESULT_BYTES } from '../tool-loop/tool.js';
import type { Conversation, ConversationEvent, Judged } from './conversation.js';
import { type ConversationMessage, currentHistory, historyCall } from './history.js';
import { projectKept } from './kept.js';
import { NOTE_BY } from './note.js';
import { readTurnOutcome } from './outcome.js';

export const NEW_CONVERSATION: Conversation = {
  mode: 'new',
  settings: { maxResultBytes: DEFAULT_MAX_RESULT_BYTES, stall: DEFAULT_STALL_RULES },
  turns: 0,
  turn: null,
  answer: null,
  latest: null,
  calls: null,
  native: [],
  history: [],
  queue: [],
  approvals: NO_APPROVALS,
  budget: EMPTY_LEDGER,
  stall: NO_STALL,
  pause: null,
  retries: 0,
  sessionId: null,
  failure: null,
  doubts: [],
};

type AnyEvent = ConversationEvent | EngineEvent;

/** Folds an event in. Events of others, such as receipts, leave the state as it is. */
export function projectConversation(state: Conversation, event: AnyEvent): Conversation {
  const parts = projectParts(state, event);
  switch (event.type) {
    case 'agent.started':
      return { ...parts, mode: event.data.ask ? 'active' : 'idle', settings: event.data.settings };
    case 'agent.told':
      return told(parts, { role: 'user', ...event.data });
    case 'agent.asked': {
      const { turn: number, effect } = event.data;
      const history = [...parts.history, ...parts.queue];
      return {
        ...parts,
        turns: number,
        turn: { number, effect, given: null },
        history,
        queue: [],
        native: [],
      };
    }
    case 'agent.judged':
      return judged(parts, event.data);
    case 'agent.worked':
      return { ...parts, history: currentHistory(parts), calls: null, latest: null };
    case 'agent.paused':
      return { ...parts, pause: event.data };
    case 'agent.resumed':
      return { ...parts, mode: 'active', pause: null, failure: null, retries: 0, stall: NO_STALL };
    case 'agent.stopping': {
      const turn = parts.turn && event.data.force ? { ...parts.turn, given: 'up' as const } : parts.turn;
      return { ...parts, mode: 'stopping', pause: null, turn };
    }
    case 'agent.stopped':
      return { ...parts, mode: 'stopped' };
    case 'native.called':
      return { ...parts, native: [...parts.native, ...openCalls([event.data])] };
    case 'budget.raised':
      return { ...parts, pause: parts.pause?.kind === 'budget' ? null : parts.pause };
    case 'effect.settled': {
      if (parts.turn?.effect !== event.data.id) return parts;
      const answer = readTurnOutcome(event.data.outcome);
      const sessionId = parts.model ? undefined : answer.sessionId;
      const rehearsal = answer.rehearsal === true ? { rehearsal: true as const } : {};
      return { ...parts, answer, ...rehearsal, sessionId: sessionId ?? parts.sessionId };
    }
    default:
      return parts;
  }
}

/** The parts that follow their own rules. */
function projectParts(state: Conversation, event: AnyEvent): Conversation {
  const { maxResultBytes, stall } = state.settings;
  const fold = (calls: Calls): Calls => projectCalls(calls, event as EngineEvent, maxResultBytes);
  const kept = projectKept(state, event);
  // A log may hold the effects of several conversations.
  const isForeign = event.type === 'effect.asked' && !isOurs(state, event.data.id);
  return {
    ...kept,
    calls: state.calls && fold(state.calls),
    native: fold(state.native),
    stall: projectStall(state.stall, event, stall),
    doubts: isForeign ? state.doubts : kept.doubts,
  };
}

const isOurs = ({ turn, calls, native }: Conversation, effect: string): boolean =>
  turn?.effect === effect || [...(calls ?? []), ...native].some((call) => call.effect === effect);

/** A person's word goes on from everything but a spent budget; a note of ours only from where it stands. */
function told(state: Conversation, message: Extract<ConversationMessage, { role: 'user' }>): Conversation {
  const queue = [...state.queue, message];
  if (message.by === NOTE_BY) return { ...state, queue };
  const pause = state.pause?.kind === 'budget' ? state.pause : null;
  return { ...state, queue, pause, mode: 'active', failure: null, retries: 0, stall: NO_STALL };
}

function judged(state: Conversation, { turn, verdict, keep, calls, failure }: Judged): Conversation {
  const { answer } = state;
  const said: ConversationMessage = {
    role: 'assistant',
    turn,
    text: answer?.text ?? '',
    calls: calls.map(historyCall),
    ...(answer?.end.reason === 'done' ? {} : { partial: true as const }),
  };
  const isKept = keep && (said.text !== '' || said.calls.length > 0);
  const opened = openCalls(calls);
  return {
    ...state,
    turn: null,
    answer: null,
    // One that failed and is asked of another model is not over.
    latest: verdict === 'fallback' ? null : answer,
    model: verdict === 'fallback' ? (state.model ?? 0) + 1 : 0,
    history: isKept ? [...state.history, said] : state.history,
    calls: isKept ? opened : null,
    mode: modeAfter(state, verdict),
    retries: verdict === 'retry' ? state.retries + 1 : 0,
    failure: failure ?? null,
  };
}

/** What was said meanwhile is still to be answered. */
function modeAfter({ mode, queue }: Conversation, verdict: Judged['verdict']): Conversation['mode'] {
  if (verdict === 'stopped') return mode;
  if (verdict === 'fail') return 'failed';
  if (verdict === 'done' && queue.length === 0) return 'done';
  return 'active';
}
