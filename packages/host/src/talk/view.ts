import {
  type ConversationStatus,
  type DoubtfulEffect,
  type Standing,
  type StandingWait,
  statusOf,
} from '@cuebook/engine';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue } from '@cuebook/prompt';
import type { PauseFacts } from '../per-run-kind.js';
import type { KindView, RunStatus } from '../report.js';
import type { TalkKind } from './contract.js';
import type { TalkState } from './state.js';

/** How a conversation stands. */
export function talkView<About extends JsonValue>(
  state: TalkState<About>,
  { detail = () => ({}), text }: Pick<TalkKind<About>, 'detail' | 'text'> = {},
): KindView {
  const { facts, outcome, agent } = state;
  const status = statusOf(agent);
  const spent = agent.budget.scopes.run?.spent;
  return {
    target: facts?.target ?? null,
    status: STATUSES[status.kind],
    reason: status.kind === 'waiting' ? waitFor(status) : (outcome?.end.reason ?? null),
    text: (facts === null ? undefined : text?.({ facts, outcome, agent })) ?? outcome?.text ?? '',
    error: status.kind === 'failed' ? { code: status.code, message: status.message } : null,
    turns: agent.turns,
    rehearsal: agent.rehearsal === true,
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    detail: {
      provider: facts?.provider ?? null,
      ...(facts?.model === undefined ? {} : { model: facts.model }),
      ...(facts === null ? {} : detail({ facts, outcome, agent })),
    },
  };
}

const STATUSES = {
  new: 'new',
  idle: 'idle',
  asking: 'running',
  tools: 'running',
  stopping: 'running',
  stopped: 'stopped',
  done: 'done',
  failed: 'failed',
  waiting: 'waiting',
} as const satisfies Record<ConversationStatus['kind'], RunStatus>;

type Waiting = Extract<ConversationStatus, { readonly kind: 'waiting' }>;

const waitFor = (status: Waiting): StandingWait['for'] =>
  status.for === 'stall' ? 'loop' : status.for === 'person' ? 'input' : status.for;

/** The same for the list over all runs. */
export function talkStanding<About extends JsonValue>(
  kind: string,
  { facts, agent }: TalkState<About>,
): Standing | undefined {
  if (facts === null) return undefined;
  const status = statusOf(agent);
  const told = STATUSES[status.kind];
  return {
    kind,
    target: facts.target,
    status: told === 'done' ? 'completed' : told === 'new' ? 'running' : told,
    ...(status.kind === 'waiting' ? { wait: waitOf(status, agent) } : {}),
  };
}

function waitOf(status: Waiting, agent: TalkState<JsonValue>['agent']): StandingWait {
  if (status.for === 'approval') return { for: 'approval' };
  if (status.for === 'outcome')
    return { for: 'outcome', calls: status.effects.map((effect) => doubtOf(agent, effect)) };
  const { pause } = status;
  if (pause.kind === 'budget') {
    const { unit, limit } = pause.exhausted;
    return { for: 'budget', message: `The budget of the run is spent: ${limit} ${unit}.` };
  }
  if (pause.kind === 'person') return { for: 'input', message: pause.reason };
  const { kind, turns } = pause.verdict;
  const where = `(${kind}, turns ${turns.join(', ')})`;
  return { for: 'loop', message: `The agent repeats itself ${where} and nothing moves.` };
}

/** The call that an effect does; a turn has none. */
function doubtOf({ calls, native }: TalkState<JsonValue>['agent'], effect: string): DoubtfulEffect {
  const call = [...(calls ?? []), ...native].find((each) => each.effect === effect);
  return call === undefined
    ? { effect, tool: '', input: '' }
    : { effect, tool: call.name, input: JSON.stringify(call.input) };
}

/** The numbers behind a pause. */
export function talkPause({ agent }: TalkState<JsonValue>): PauseFacts | undefined {
  const { pause } = agent;
  if (pause?.kind === 'budget')
    return { evidence: asJson({ ...pause.exhausted }), unit: pause.exhausted.unit };
  return pause?.kind === 'stall' ? { evidence: asJson({ ...pause.verdict }) } : undefined;
}
