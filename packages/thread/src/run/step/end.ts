import { guard } from '@cuebook/guard';
import { agentOf } from '../definitions.js';
import type { AnyThreadEvent, Events } from '../event.js';
import type { Frame, SessionOutcome } from '../frame.js';
import type { Side } from '../message.js';
import type { Parts } from '../parts.js';
import { subpromptText } from '../result-text.js';
import { findFrame, type ThreadRunState, threadOf } from '../state.js';
import { settled } from './calls.js';

/** A side's turn is over. In a conversation of two the other side is next, until the session has had its turns. */
export function endTurn(
  state: ThreadRunState,
  frame: Frame,
  { reason, text }: { readonly reason: string; readonly text: string },
  parts: Parts,
): Events {
  const ended: AnyThreadEvent = { type: 'side.ended', data: { frame: frame.id, reason, text } };
  if (frame.type !== 'dual_ai')
    return [
      ended,
      ...endSession(state, frame, { status: 'done', reason, text: text || lastWords(frame) }, parts),
    ];
  const max = agentOf(parts.config.catalog, frame)?.data.maxSessionTurns;
  const turns = { ...frame.turns, [frame.side]: frame.turns[frame.side] + 1 };
  const said = reason === 'stop-tool' && text !== '' ? [voice(frame, text, parts)] : [];
  if (max !== undefined && Math.min(turns.a, turns.b) >= max) {
    const outcome = { status: 'done', reason: 'max-turns', text: text || lastWords(frame) } as const;
    return [ended, ...said, ...endSession(state, frame, outcome, parts)];
  }
  const next: Side = frame.side === 'a' ? 'b' : 'a';
  return [ended, ...said, { type: 'side.began', data: { frame: frame.id, side: next } }];
}

/** What a tool said for its side, as that side's own words. */
const voice = ({ id, side }: Frame, text: string, { context }: Parts): AnyThreadEvent => ({
  type: 'message.told',
  data: {
    frame: id,
    message: { id: context.newId('msg'), role: 'assistant', side, from: 'model', text },
    hooked: false,
  },
});

const lastWords = ({ messages, answer, turn }: Frame): string =>
  answer?.text || (messages.findLast((each) => each.role === 'assistant' && each.turn === turn)?.text ?? '');

/** The session is over, and whoever waits for it hears of it. */
export function endSession(
  state: ThreadRunState,
  frame: Frame,
  outcome: SessionOutcome,
  parts: Parts,
): Events {
  const isRoot = frame.parent === null;
  const final = !isRoot && frame.config.resumable === null;
  const isUnasked = guard('session.unasked', outcome.code === UNASKED);
  const ended: AnyThreadEvent = {
    type: 'session.ended',
    data: { frame: frame.id, outcome, final, ...(isUnasked && { unasked: true }) },
  };
  if (isRoot) return [ended];
  const { waiter } = frame;
  if (frame.kind === 'sub-prompt') {
    const { text, isError } = subpromptText(frame, outcome);
    return waiter === null
      ? [ended]
      : [ended, settled({ id: waiter.call }, text, isError ? 'E_SUBPROMPT' : undefined)];
  }
  const isBad = outcome.status !== 'done' || (frame.type === 'dual_ai' && outcome.reason === 'max-turns');
  const text = resultOf(frame, outcome);
  if (waiter !== null) return [ended, settled({ id: waiter.call }, text, isBad ? 'E_SUBAGENT' : undefined)];
  if (frame.config.resumable?.communication === 'explicit' || outcome.status === 'stopped') return [ended];
  return [ended, report(state, frame, outcome, { text, isBad }, parts)];
}

/** The session cannot go on. */
export const failSession = (
  state: ThreadRunState,
  frame: Frame,
  failure: { readonly code: string; readonly text: string },
  parts: Parts,
): Events => endSession(state, frame, { status: 'failed', reason: 'failed', ...failure }, parts);

/** There is nobody to ask. What waits to be heard would begin such a session again and again. */
export const UNASKED = 'E_THREAD_AGENT';

/** What the caller of a subagent reads. An end without a word of its own says how it came about. */
function resultOf(frame: Frame, { reason, text, status }: SessionOutcome): string {
  const why =
    reason === 'max-turns' || reason === 'max-steps'
      ? `The subagent ended without a result (${reason}): its sessionStop or sessionFail tool was not called.`
      : '';
  const words = [why, text].filter((part) => part !== '').join('\n\n');
  const said = words === '' ? (status === 'done' ? 'Done.' : 'It failed.') : words;
  return frame.config.resumable === null ? said : `${said}\n\nreference: ${frame.id}`;
}

/** A silent message to the parent, which begins a turn there. */
function report(
  state: ThreadRunState,
  frame: Frame,
  { attachments = [] }: SessionOutcome,
  { text, isBad }: { readonly text: string; readonly isBad: boolean },
  { context }: Parts,
): AnyThreadEvent {
  const parent = findFrame(state, frame.parent) ?? frame;
  const named = frame.name === null ? '' : ` "${frame.name}"`;
  const head = `The subagent ${frame.agent}${named} (${frame.id}) has ${isBad ? 'failed' : 'finished'}.`;
  const files = attachments.map(({ path }) => path).join('\n');
  return {
    type: 'message.told',
    data: {
      frame: threadOf(state, parent).id,
      message: {
        id: context.newId('msg'),
        role: 'user',
        side: 'b',
        from: 'child',
        silent: true,
        subagent: frame.id,
        text: [head, text, files].filter((part) => part !== '').join('\n\n'),
        ...(attachments.length === 0 ? {} : { attachments }),
      },
      hooked: false,
    },
  };
}
