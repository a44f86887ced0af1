import type { TurnView } from '@cuebook/api';
import { guard } from '@cuebook/guard';
import { confidentialTexts, createMasker, type RebuiltRequest, type RebuiltTurn } from '@cuebook/journal';
import type { Immutable } from '../http/group.js';

/** The prompt of a turn as it goes over the wire: confidential words are masked unless they are asked for. */
export function turnView(rebuilt: RebuiltTurn, reveal: boolean): Immutable<TurnView> {
  const { turn, lane, at, to, request, delta, sends, end, forgotten } = rebuilt;
  const secret = confidentialTexts([...request.prompt.blocks, ...(delta?.prompt.blocks ?? [])]);
  const isMasked = guard('turn.mask', secret.length > 0 && !reveal);
  const { text: mask } = createMasker(isMasked ? secret : []);
  return {
    turn,
    lane,
    at,
    provider: to.provider,
    model: to.model ?? null,
    full: requestView(request, isMasked, mask),
    delta: delta === undefined ? null : requestView(delta, isMasked, mask),
    sends: sends.map(({ channel, ordinal, hash }) => ({ channel, ordinal, hash })),
    end: end === undefined ? null : { at: end.at, reason: end.reason },
    forgotten: forgotten.map(({ part }) => part),
  };
}

/** Offsets of spans are those of the true text; the hash is its too. */
function requestView(
  { prompt, tools, params }: RebuiltRequest,
  masked: boolean,
  mask: (text: string) => string,
): Immutable<TurnView['full']> {
  return {
    text: mask(prompt.text),
    hash: prompt.hash,
    masked,
    blocks: prompt.blocks.map(({ name, role, text, hash, spans }) => ({
      name,
      role,
      text: mask(text),
      hash,
      spans: spans.map(({ start, end, origin, trust, secrecy, volatility }) => ({
        start,
        end,
        origin,
        trust,
        secrecy,
        volatility,
      })),
    })),
    tools: tools as unknown as TurnView['full']['tools'],
    params,
  };
}
