import { guard } from '@cuebook/guard';
import type { VariantSide } from './score.js';

/** The models that answered, by variant, as their providers name them. Takes of which nobody knows it count for nothing. */
export type AnsweringModels = { readonly [side in VariantSide]: readonly string[] };

/**
 * Why the models that answered keep a comparison open: one of them changed midway, or the variants were answered by
 * different ones. `isChosen`: the variants ask for different models, which is then what is compared.
 */
export function modelsReason(
  { base, candidate }: AnsweringModels,
  { isChosen }: { readonly isChosen: boolean },
): string | undefined {
  const mixed = [
    ...(base.length > 1 ? [`base ${base.join(', ')}`] : []),
    ...(candidate.length > 1 ? [`candidate ${candidate.join(', ')}`] : []),
  ];
  if (guard('eval.models', mixed.length > 0)) return `several models answered: ${mixed.join('; ')}`;
  const [was, is] = [base[0], candidate[0]];
  const isOther = was !== undefined && is !== undefined && was !== is;
  if (guard('eval.model-arms', isOther && !isChosen))
    return `different models answered: base ${was}, candidate ${is}`;
  return undefined;
}

/** Who gave an answer, as it is told. The rehearsal always says that it is one. */
export const answererOf = (answer: {
  readonly model?: string;
  readonly rehearsal?: true;
}): string | undefined =>
  answer.rehearsal === true ? `${answer.model ?? 'a script'} (rehearsal)` : answer.model;

/** The line that tells who answered; none where nobody said so. */
export const answeredLine = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`answered by ${names.join(', ')}`];

/** The names of some models: each once, in their order. */
export const modelNames = (names: Iterable<string | undefined>): readonly string[] =>
  [...new Set([...names].filter((name) => name !== undefined))].sort();
