import { type StepMessage, sampleInput } from '@cuebook/define';
import { guard } from '@cuebook/guard';
import type { Origin, Result } from '@cuebook/prompt';
import type { Frame } from '../run/frame.js';
import type { Message, Side } from '../run/message.js';
import { findFrame, type ThreadRunState } from '../run/state.js';
import { TEXTS } from '../shipped-texts.js';

/** The messages of a conversation as one side sees them, split at the current turn. */
export interface Seen {
  readonly earlier: readonly Message[];
  readonly current: readonly Message[];
}

/**
 * What a conversation's next request is about. A side sees its own words as the assistant's and the other side's as
 * the user's, without the other's tools. A sub-prompt sees the chat of its caller as earlier turns, up to the call
 * that it answers.
 */
export function seenBy(state: ThreadRunState, frame: Frame): Seen {
  const own = asSide(frame, frame.messages, frame.side);
  if (frame.kind === 'sub-prompt') {
    const caller = findFrame(state, frame.parent);
    const chat =
      caller === undefined ? [] : before(asSide(caller, caller.messages, caller.side), frame.waiter?.call);
    return { earlier: chat, current: own };
  }
  const first = frame.type === 'dual_ai' ? frame.turn - 1 : frame.turn;
  return {
    earlier: own.filter(({ turn }) => turn < first),
    current: own.filter(({ turn }) => turn >= first),
  };
}

function asSide(frame: Frame, messages: readonly Message[], side: Side): readonly Message[] {
  if (frame.type !== 'dual_ai') return messages;
  return messages.flatMap((message): readonly Message[] => {
    if (message.side === side) return [message.role === 'user' ? { ...message, role: 'assistant' } : message];
    if (message.role === 'tool') return [];
    const { calls: _, reasoning: _thoughts, ...rest } = message;
    return rest.text === '' && rest.attachments === undefined ? [] : [{ ...rest, role: 'user' }];
  });
}

/** Everything up to a call that is not answered yet; what was said with the call stays. */
function before(messages: readonly Message[], call: string | undefined): readonly Message[] {
  const at = messages.findIndex(({ calls }) => calls?.some(({ id }) => id === call));
  if (at === -1) return messages;
  const { calls: _, ...said } = messages[at] as Message;
  return [...messages.slice(0, at), ...(said.text === '' ? [] : [said])];
}

/** The bytes of a file in base64, or why they are not sent. */
export type MediaData = Result<string, string>;

/** A message as a request takes it. Media are looked up by their blob. */
export function stepMessage(message: Message, data: ReadonlyMap<string, MediaData>): StepMessage {
  const { role, from, calls, callId, reasoning, attachments = [] } = message;
  const withheld: string[] = [];
  const media = attachments.flatMap(({ blob, type, path, description }) => {
    const found = data.get(blob);
    if (found === undefined) return [];
    if (!found.ok) {
      withheld.push(`[The attachment ${JSON.stringify(path)} is not sent: it ${found.error}.]`);
      return [];
    }
    return [{ type, data: found.value, name: path, ...(description === undefined ? {} : { description }) }];
  });
  const isRewritten = guard('message.rewritten', message.rewritten === true);
  const origin: Origin | undefined = isRewritten
    ? { kind: 'result', ref: 'hook' }
    : from === 'cuebook'
      ? (TEXTS.find('conversation.md', message.text)?.origin ?? { kind: 'shipped', ref: 'thread' })
      : message.sample && sampleInput().origin;
  return {
    role,
    text: [message.text, ...withheld].filter((part) => part !== '').join('\n\n'),
    trust: isRewritten ? 'tool' : TRUST[from],
    ...(origin === undefined ? {} : { origin }),
    ...(calls === undefined ? {} : { calls }),
    ...(callId === undefined ? {} : { callId }),
    ...(media.length === 0 ? {} : { media }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

const TRUST = {
  person: 'user',
  parent: 'agent',
  child: 'agent',
  model: 'agent',
  tool: 'tool',
  cuebook: 'platform',
} as const;
