import type { TurnView, TurnWireView } from '@cuebook/api';
import { guard } from '@cuebook/guard';
import {
  confidentialTexts,
  createMasker,
  type Masker,
  type RebuiltRequest,
  type RebuiltTurn,
} from '@cuebook/journal';
import type { JsonValue, Media, Span } from '@cuebook/prompt';
import type { WireDocument } from '@cuebook/prompt/wire';
import type { Immutable } from '../http/group.js';

/** The prompt of a turn as it goes over the wire. Spans cover exactly the text that is shown; hashes are of the truth. */
export function turnView(
  rebuilt: RebuiltTurn,
  receipt: TurnView['receipt'],
  reveal: boolean,
): Immutable<TurnView> {
  const { turn, lane, at, to, request, delta, sends, end, forgotten } = rebuilt;
  const mask = maskOf(rebuilt, reveal);
  return {
    turn,
    lane,
    at,
    provider: to.provider,
    model: to.model ?? null,
    full: requestView(request, mask),
    delta: delta === undefined ? null : requestView(delta, mask),
    receipt,
    usage: end?.usage === undefined ? null : numbersOf(end.usage),
    sends: sends.map(({ channel, ordinal, hash }) => ({ channel, ordinal, hash })),
    end: end === undefined ? null : { at: end.at, reason: end.reason },
    forgotten: forgotten.map(({ part }) => part),
  };
}

/** The body of a turn, with tools and parameters. */
export function wireView(
  rebuilt: RebuiltTurn,
  document: WireDocument,
  reveal: boolean,
): Immutable<TurnWireView> {
  const { masker, isMasked } = maskOf(rebuilt, reveal);
  const { format, text, hash, spans } = masker.block(document);
  return {
    ...{ format, text, hash, masked: isMasked },
    sent: rebuilt.sends.some((send) => send.hash === hash),
    spans: spans.map(spanView),
  };
}

/** Where nobody asks who signed. */
export const NO_RECEIPT: TurnView['receipt'] = { seq: 0, key: '', signature: '', hash: '' };

interface Mask {
  readonly masker: Masker;
  readonly isMasked: boolean;
}

function maskOf({ request, delta }: RebuiltTurn, reveal: boolean): Mask {
  const secret = confidentialTexts([...request.prompt.blocks, ...(delta?.prompt.blocks ?? [])]);
  const isMasked = guard('turn.mask', secret.length > 0 && !reveal);
  return { isMasked, masker: isMasked ? createMasker(secret) : NO_MASK };
}

/** For who may see everything. */
const NO_MASK: Masker = { text: (text) => text, value: (value) => value, block: (block) => block };

function requestView(
  { prompt, tools, params, removed }: RebuiltRequest,
  { masker, isMasked }: Mask,
): Immutable<TurnView['full']> {
  const blocks = prompt.blocks.map((each) => masker.block(each));
  const value = <Value>(of: Value): Value => masker.value(of as JsonValue) as Value;
  return {
    text: blocks.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n'),
    hash: prompt.hash,
    masked: isMasked,
    blocks: blocks.map(({ name, role, text, hash, spans, calls, callId, media }) => ({
      ...{ name, role, text, hash, spans: spans.map(spanView) },
      ...(calls && { calls: value(calls) }),
      ...(callId !== undefined && { callId }),
      ...(media && { media: media.map(mediaView) }),
    })),
    removed,
    tools: value(tools) as unknown as TurnView['full']['tools'],
    params: value(params),
  };
}

const numbersOf = (usage: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(usage).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );

const spanView = ({ start, end, origin, trust, secrecy, volatility }: Span) => ({
  ...{ start, end, origin, trust, secrecy, volatility },
});

const mediaView = ({ type, data }: Media) => ({ type, bytes: Math.floor((data.length * 3) / 4) });
