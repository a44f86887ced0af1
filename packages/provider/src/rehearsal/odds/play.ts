import { type GatedRequest, isBelow, type Span } from '@cuebook/prompt';
import type { ScriptStep } from '../script.js';
import { drawOf, normalOf } from './draw.js';
import type { AnswerLane, JudgeModel, OddsModel } from './schema.js';

/** Which take of which case is asked for. */
export interface TakeKey {
  /** Cases of one cluster have the same words up to the first slash: `repo/12`. */
  readonly case: string;
  readonly take: number;
}

/** What a lane with odds answers: the same request, case and take give the same answer, in every process. */
export function playModel(
  lane: string,
  model: AnswerLane,
  request: GatedRequest,
  key: TakeKey = keyOf(request),
): ScriptStep & { readonly outputTokens?: number } {
  return 'odds' in model ? playOdds(lane, model.odds, request, key) : playJudge(lane, model.judge, request);
}

function playOdds(
  lane: string,
  model: OddsModel,
  request: GatedRequest,
  key: TakeKey,
): ScriptStep & { readonly outputTokens?: number } {
  const { seed, answers, errors, usage, coupled } = model;
  const at = [seed, lane, key.case, key.take, ...(coupled ? [] : [request.prompt.hash])];
  const isHit =
    errors !== undefined && (errors.has === undefined || request.prompt.text.includes(errors.has));
  if (isHit && drawOf([...at, 'error']) < errors.rate) return { error: { status: errors.status } };
  const isGood = drawOf([...at, 'answer']) < chanceOf(model, request, key);
  const text = (isGood ? answers.good : answers.bad).replaceAll('{n}', String(key.take));
  if (usage === undefined) return { text };
  const { mean, sd } = usage.output;
  return { text, outputTokens: Math.max(1, Math.round(mean + sd * normalOf([...at, 'tokens']))) };
}

/** The chance of a good answer: the truth that estimates are held against. */
export function chanceOf(model: OddsModel, request: GatedRequest, key: TakeKey): number {
  const { seed, base, cases, clusters, effects } = model;
  const cluster = key.case.split('/')[0] ?? '';
  const { text } = request.prompt;
  const input = inputOf(request);
  let sum =
    base + cases * normalOf([seed, 'case', key.case]) + clusters * normalOf([seed, 'cluster', cluster]);
  for (const [index, effect] of effects.entries()) {
    const { has, any, all, origin, adds, spread, when } = effect;
    const isThere =
      has !== undefined
        ? text.includes(has)
        : any !== undefined
          ? any.some((each) => text.includes(each))
          : all !== undefined
            ? all.every((each) => text.includes(each))
            : spansOf(request).some((span) => `${span.origin.kind} ${span.origin.ref}` === origin);
    if (!isThere || (when !== undefined && !input.includes(when.input))) continue;
    sum += adds + (spread === 0 ? 0 : spread * normalOf([seed, 'effect', index, cluster]));
  }
  return 1 / (1 + Math.exp(-sum));
}

const spansOf = ({ prompt }: GatedRequest): readonly Span[] => prompt.blocks.flatMap(({ spans }) => spans);

/** The words of those who may give no orders: what the case hands in. */
function inputOf({ prompt }: GatedRequest): string {
  const decoder = new TextDecoder();
  return prompt.blocks
    .flatMap(({ text, spans }) => {
      const bytes = new TextEncoder().encode(text);
      return spans
        .filter(({ trust }) => isBelow(trust, 'operator'))
        .map(({ start, end }) => decoder.decode(bytes.subarray(start, end)));
    })
    .join('\n');
}

/** Outside of an eval a case is what is handed in. */
const keyOf = (request: GatedRequest): TakeKey => ({ case: inputOf(request), take: 1 });

/** Judges what an agent said, with errors that are known. */
function playJudge(lane: string, model: JudgeModel, request: GatedRequest): ScriptStep {
  const { seed, truth, sensitivity, specificity, likes, garbled } = model;
  const answer = inputOf(request);
  const at = [seed, lane, request.prompt.hash];
  if (drawOf([...at, 'garbled']) < garbled) return { text: 'It depends.' };
  const isGood = new RegExp(truth, 'mu').test(answer);
  const liked = likes !== undefined && answer.includes(likes.contains) ? likes.adds : 0;
  const chance = (isGood ? sensitivity : 1 - specificity) + liked;
  const pass = drawOf([...at, 'judge']) < chance;
  return { text: JSON.stringify({ pass, because: 'This is a rehearsal.' }) };
}
