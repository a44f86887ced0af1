import { explainWire, type WireExplanation } from '@cuebook/prompt/wire';
import { type Call, flagValue } from '../command.js';
import type { Explained } from '../commands/explain.js';
import { Failure } from '../failure.js';
import { requirePlace } from '../input/place.js';
import { excerptAt } from '../output/excerpt.js';
import type { ExplainAnswer } from '../output/explanation-text.js';
import { chainOf } from '../record/chain.js';
import { timeText } from '../record/event-text.js';
import { calledWire } from './called-wire.js';

/** What a byte of the body is that a provider is sent, and where it comes from. */
export async function explainBody(call: Call): Promise<Explained> {
  const { document, turn, isSent, target, ...where } = await calledWire(call);
  const at = requirePlace(document, flagValue(call.flags, 'at') ?? '');
  const found = explainWire(document, at);
  if (found === undefined) throw new Failure('E_AT', `The body is empty, so no words are at ${at}`);
  const { format, hash } = document;
  const answer: ExplainAnswer = {
    target,
    ...toAnswer(found),
    ...excerptAt(document, at),
    wire: { format, hash, ...(isSent === undefined ? {} : { sent: isSent }), part: found.span.part },
    ...(turn && { record: { run: turn.run, turn: turn.turn, lane: turn.lane, at: timeText(turn.at) } }),
  };
  const { origin, trust } = answer;
  const words = Buffer.from(found.text).subarray(found.offset).toString();
  const chain = turn === undefined ? [] : await chainOf(call, { origin, trust, words });
  return { ...where, answer: { ...answer, ...(chain.length > 0 && { chain }) } };
}

function toAnswer({ at, span, origin }: WireExplanation) {
  const { start, end, trust, secrecy, volatility, part } = span;
  const block = 'block' in part ? { block: part.block } : {};
  return { at, ...block, trust, secrecy, volatility, origin, span: { start, end } };
}
