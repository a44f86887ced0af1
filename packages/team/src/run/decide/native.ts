import { askNatively, MAX_NATIVE_CALLS, tellAnswer, tryOf } from '@cuebook/engine';
import { permitNative } from '../../capability/native.js';
import { approvalTime } from '../limits.js';
import { type NodeState, nativeAbout, nodesOf, type TeamState } from '../state.js';
import { planTeamCalls } from '../step/rules.js';
import { accept, type CommandAnswer, type Own, refuse, type TeamDecideParts } from './refuse.js';

/** An agent calls one of our tools in mid-turn: planned, approved and carried out like any other call. */
export function callNatively(
  state: TeamState,
  command: Own<'native.call'>,
  { config, context }: TeamDecideParts,
): CommandAnswer {
  const node = findTurn(state, command.effect);
  if (!node?.work) return refuse('E_NODE_IDLE', 'The turn is over.');
  if (node.work.native.length >= MAX_NATIVE_CALLS)
    return refuse('E_TOOL_TOO_MANY', `A turn may make ${MAX_NATIVE_CALLS} calls.`);
  const [call] = planTeamCalls(state, node, [command.call], { config, newId: context.newId });
  if (call === undefined) return refuse('E_NODE_IDLE', 'There is no call.');
  return accept([{ type: 'native.called', data: { node: node.node.id, call } }], { call: call.id });
}

/** An agent asks before it acts by itself. */
export function approveNatively(
  state: TeamState,
  { effect, tool, input, paths, claimed = false, attempt }: Own<'native.approve'>,
  { config, context }: TeamDecideParts,
): CommandAnswer {
  const node = findTurn(state, effect);
  if (!node?.work) return refuse('E_NODE_IDLE', 'The turn is over.');
  const { node: who, granted, work } = node;
  const { globalMode, limits } = state.settings;
  const permit = permitNative(who, { tool, input }, { globalMode, claimed, ...(paths ? { paths } : {}) });
  const turn = {
    ...{ effect, granted, about: nativeAbout(effect), approvals: state.approvals },
    ...(work.carried && { carried: work.carried }),
    isRetold: work.kind.kind === 'full',
    retells: config.retells?.(who.provider) ?? false,
    lastsMs: approvalTime(limits, config.approvalMs),
  };
  const asked = askNatively(turn, { tool, input, attempt, permit, claimed }, context);
  return accept(asked.events, asked.answer);
}

/** The answer goes to the agent, and with it the right to do what was allowed: once. */
export function tellNatively(
  state: TeamState,
  { effect, approval, attempt = 1 }: Own<'native.tell'>,
): CommandAnswer {
  if (!findTurn(state, effect)) return refuse('E_NODE_IDLE', 'The turn is over.');
  const told = tellAnswer(state.approvals, { approval, by: tryOf(effect, attempt) });
  return told.ok ? accept(told.value) : told;
}

/** A machine goes on with a session that another one had. */
export function moveSession(
  state: TeamState,
  { effect, from, to, carried }: Own<'native.move'>,
): CommandAnswer {
  const node = findTurn(state, effect);
  if (!node) return refuse('E_NODE_IDLE', 'The turn is over.');
  return accept([{ type: 'session.moved', data: { node: node.node.id, effect, from, to, carried } }]);
}

const findTurn = (state: TeamState, effect: string): NodeState | undefined =>
  nodesOf(state).find(({ work }) => work?.effect === effect && work.outcome === null);
