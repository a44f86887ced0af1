import type { Approvals } from '@cuebook/engine';
import { NO_MEMORY } from '../prompt/past.js';
import type { TurnClosed, TurnStarted } from './event.js';
import { addMade, leftChanges, madeBy } from './made.js';
import { remember } from './memory.js';
import {
  isLeft,
  type NodeState,
  type NodeWorkState,
  nativeAbout,
  type RunSettings,
  type TeamState,
} from './state.js';

/** A node takes all that waits for it into its turn. */
export function startTurn(state: TeamState, started: TurnStarted): TeamState {
  const { node: id, ...facts } = started;
  const before = state.nodes[id];
  if (before === undefined) return state;
  const { inbox, messages, results } = before;
  const { carried = [], model: _model, ...others } = before;
  const node: NodeState = {
    ...others,
    inbox: [],
    messages: [],
    results: [],
    wake: null,
    lastTurn: facts.turn,
    work: {
      ...facts,
      globalMode: state.settings.globalMode,
      taken: { inbox, messages, results },
      ...(carried.length > 0 ? { carried } : {}),
      outcome: null,
      judged: false,
      calls: [],
      native: [],
      step: null,
      diff: null,
      flagged: [],
      unsure: null,
      interrupted: null,
      crashed: false,
    },
  };
  return { ...state, turns: facts.turn, nodes: { ...state.nodes, [id]: node } };
}

/**
 * The turn is over with all that hung on it. A turn that failed gives back what it had taken, so that the next try
 * is the same turn again, and so does one that was interrupted before its session could have heard it; one that was
 * reset gives back nothing.
 */
export function endTurn(
  before: NodeState,
  { reason, results, model: next }: TurnClosed,
  { verify }: Pick<RunSettings, 'verify'>,
): NodeState {
  const { work } = before;
  if (work === null) return before;
  const verification = work.verification === undefined ? before.verification : work.verification;
  const node = { ...before, ...lookedAt(before, work, verify.length > 0) };
  if (reason === 'unheard') return { ...node, work: null };
  if (reason === 'failed' || isUnsaid(work, reason))
    return {
      ...node,
      work: null,
      verification,
      inbox: [...work.taken.inbox, ...node.inbox],
      messages: [...work.taken.messages, ...node.messages],
      results: [...work.taken.results, ...results],
      wake: next === undefined ? wakeAfter(node, work) : 'resume',
      ...(next === undefined ? {} : { model: next }),
      session: { ...node.session, broken: work.crashed ? 'crash' : 'failed' },
    };
  const { provider } = node.node;
  const model = work.fallback?.model ?? node.node.model ?? null;
  const machine = work.outcome?.sessionId === undefined ? node.session.machine : work.outcome.machine;
  return {
    ...node,
    work: null,
    verification,
    results: [...node.results, ...results],
    wake: wakeAfter(node, work),
    session: {
      id: work.outcome?.sessionId ?? node.session.id,
      heard: { provider, model, head: work.head },
      broken: work.crashed ? 'crash' : null,
      ...(machine === undefined ? {} : { machine, turn: work.turn }),
    },
    heard: work.outcome?.parts ?? {},
    memory: remember(node.memory ?? NO_MEMORY, work),
  };
}

/** What is known of the changes of a node after a turn: those that stay, and whether a check has seen them. */
function lookedAt({ made, unchecked = null }: NodeState, work: NodeWorkState, isChecked: boolean) {
  const isOwed = isChecked && work.globalMode !== 'PLANNING' && leftChanges(work);
  return {
    made: addMade(made, madeBy(work)),
    unchecked: work.verification !== undefined ? null : isOwed ? work.turn : unchecked,
  };
}

/** What was asked in a turn that was cut off counts for the next one: nobody is asked about it again. */
export function carryOver(after: NodeState, before: NodeState, approvals: Approvals): NodeState {
  const { work } = before;
  if (work === null || !isLeft(work) || work.interrupted !== null) return after;
  const own = Object.values(approvals.asked).filter(({ about }) => about === nativeAbout(work.effect));
  const carried = [...(work.carried ?? []), ...own.map(({ id }) => id)];
  return carried.length === 0 ? after : { ...after, carried };
}

const isUnsaid = ({ outcome }: NodeWorkState, reason: TurnClosed['reason']): boolean =>
  reason === 'interrupted' && outcome?.sessionId === undefined;

/** What a pause interrupted goes on with the run, and what a stopped host cut off with the next one. */
const wakeAfter = (node: NodeState, work: NodeWorkState): NodeState['wake'] =>
  work.interrupted?.why === 'pause' || isLeft(work) ? 'resume' : node.wake;
