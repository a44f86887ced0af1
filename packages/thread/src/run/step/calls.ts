import {
  beginCalls,
  type CallResult,
  type CallState,
  type Calls,
  isErrorResult,
  nextCalls,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { MAX_DEPTH } from '../config.js';
import type { AnyThreadEvent, Events } from '../event.js';
import type { Frame } from '../frame.js';
import type { ChildOpening } from '../outcome.js';
import type { Parts } from '../parts.js';
import { findFrame, type ThreadRunState, threadOf } from '../state.js';
import { depthOf, openAgent, openSubprompt, roomFor } from './open.js';
import { tellWords } from './words.js';

/**
 * The next call that may begin. Calls of functions become effects; all others are carried out here, one after another
 * on the state that the one before leaves, also where they may run side by side: two calls of one answer cannot take
 * the same last place, or both wait for one conversation.
 */
export function callSteps(state: ThreadRunState, frame: Frame, calls: Calls, parts: Parts): Events {
  const { approvalMs } = parts.config;
  const due = nextCalls(calls, { lane: frame.id, approvalMs }, parts.context);
  // What a person is to allow is asked all at once.
  const isAsking = due.some(({ type }) => type === 'approval.requested');
  const now = guard('calls.one-by-one', due.length > 1 && !isAsking) ? due.slice(0, 1) : due;
  return beginCalls<AnyThreadEvent>(calls, now, (call) => {
    const opening = frame.openings[call.id];
    return opening && carryOut(state, frame, { call, opening }, parts);
  });
}

interface Called {
  readonly call: CallState;
  readonly opening: ChildOpening;
}

function carryOut(state: ThreadRunState, frame: Frame, { call, opening }: Called, parts: Parts): Events {
  const { does, target, text, args, attachments, name, config } = opening;
  const waiter = { frame: frame.id, call: call.id };
  if (does === 'handoff') {
    const before = handedTo(frame);
    if (guard('handoff.once', before !== undefined))
      return [settled(call, `This answer has handed the conversation to ${before} already.`, 'E_HANDOFF')];
    const type = parts.config.catalog.agents.get(target)?.data.type;
    const handed: AnyThreadEvent = {
      type: 'agent.handed',
      data: { frame: threadOf(state, frame).id, agent: target, ...(type && { type }) },
    };
    const told = tellWords(threadOf(state, frame).id, opening, parts);
    return [handed, ...told, settled(call, 'Handoff complete')];
  }
  if (does === 'subagent.message') return messageChild(state, frame, { call, opening }, parts);
  const refusal = whyNot(state, frame, opening);
  if (refusal !== undefined) return [settled(call, refusal, 'E_SUBAGENT')];
  if (does === 'sub-prompt')
    return openSubprompt({ frame, waiter, prompt: target, config, text, args, attachments }, parts);
  const isWaiting = config.blocking;
  const opened = openAgent(
    state,
    {
      parent: threadOf(state, frame),
      waiter: isWaiting ? waiter : null,
      agent: target,
      name,
      config,
      env: {},
      text,
      args,
      attachments,
    },
    parts,
  );
  if (isWaiting) return opened;
  const [first] = opened;
  const id = first?.type === 'frame.opened' ? first.data.id : '';
  return [
    ...opened,
    settled(call, `Started ${target}${name === null ? '' : ` "${name}"`}.\n\nreference: ${id}`),
  ];
}

/** Whom an earlier call of the same answer has handed the conversation to. */
function handedTo({ calls, openings }: Frame): string | undefined {
  const handed = (calls ?? []).find(
    ({ id, result }) => openings[id]?.does === 'handoff' && result !== undefined && !isErrorResult(result),
  );
  return handed && openings[handed.id]?.target;
}

/** Why no further conversation is opened. */
export function whyNot(
  state: ThreadRunState,
  frame: Frame,
  { does, target, config, name }: Pick<ChildOpening, 'does' | 'target' | 'config' | 'name'>,
): string | undefined {
  if (guard('frame.depth', depthOf(state, frame) >= MAX_DEPTH))
    return `Conversations may stand ${MAX_DEPTH} deep within each other.`;
  if (guard('frame.room', !roomFor(state))) return 'This run has opened as many conversations as it may.';
  if (does === 'sub-prompt') return undefined;
  if (guard('subagent.name', config.resumable !== null && (name ?? '').trim() === ''))
    return `subagent_create requires name: what to call the new instance of ${target}.`;
  const max = config.resumable?.maxInstances ?? null;
  const active = instancesOf(state, threadOf(state, frame), target);
  if (guard('subagent.limit', max !== null && active.length >= max))
    return `${target} may have ${max} instances, and these are active: ${active.map(({ id }) => id).join(', ')}. Send a message to one of them with subagent_message.`;
  return undefined;
}

const instancesOf = (state: ThreadRunState, thread: Frame, agent: string): readonly Frame[] =>
  Object.values(state.frames).filter(
    (each) => each.kind === 'thread' && each.parent === thread.id && each.agent === agent && !each.ended,
  );

/** A word to a subagent that lives on. Who receives it decides whose voice it is. */
function messageChild(state: ThreadRunState, frame: Frame, { call, opening }: Called, parts: Parts): Events {
  const { target } = opening;
  const child = findFrame(state, target);
  const isOurs = child?.parent === threadOf(state, frame).id && child.config.resumable !== null;
  if (child === undefined || guard('subagent.active', !isOurs || child.ended))
    return [settled(call, `The subagent ${JSON.stringify(target)} is not active.`, 'E_SUBAGENT')];
  const told = tellWords(child.id, opening, parts, child.config.resumable?.receives);
  if (!child.config.blocking || child.waiter !== null)
    return [...told, settled(call, `The message was sent.\n\nreference: ${child.id}`)];
  return [
    ...told,
    { type: 'waiter.set', data: { frame: child.id, waiter: { frame: frame.id, call: call.id } } },
  ];
}

export const settled = (call: { readonly id: string }, text: string, code?: string): AnyThreadEvent => {
  const result: CallResult = code === undefined ? { status: 'ok', text } : { status: 'error', code, text };
  return { type: 'call.settled', data: { call: call.id, result } };
};
