import { explainWire, type WireExplanation } from '@cuebook/prompt/wire';
import { type Call, flagValue } from '../command.js';
import type { Explained } from '../commands/explain.js';
import { Failure } from '../failure.js';
import { requirePlace } from '../input/place.js';
import { excerptAt } from '../output/excerpt.js';
import type { ExplainAnswer } from '../output/explanation-text.js';
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
  };
  if (turn === undefined) return { ...where, answer };
  const { asOfThen } = await import('../record/explain-turn.js');
  const words = found.text.slice(unitsBefore(found));
  return asOfThen({ answer, words, turn, folder: where.folder, call });
}

const unitsBefore = ({ text, offset }: WireExplanation): number =>
  Buffer.from(text).subarray(0, offset).toString().length;

function toAnswer({ at, span, origin }: WireExplanation) {
  const { start, end, trust, secrecy, volatility, part } = span;
  const block = 'block' in part ? { block: part.block } : {};
  return { at, ...block, trust, secrecy, volatility, origin, span: { start, end } };
}
