import { fail, ok, type Result } from '@cuebook/prompt';
import { basePrompt } from './base-prompt.js';
import { type CardProblem, personaProblems } from './persona.js';
import { type Card, type CardDraft, cardDraftSchema } from './schema.js';
import { promptView, type ViewError } from './view.js';

/** What is wrong with a card, one entry for each place. */
export type CardError = { readonly code: 'E_CARD'; readonly problems: readonly CardProblem[] } | ViewError;

/** The draft that an owner saved, its defaults filled in. */
export function readDraft(value: unknown): Result<CardDraft, CardError> {
  const parsed = cardDraftSchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path, message }));
    return fail({ code: 'E_CARD', problems });
  }
  const problems = personaProblems(parsed.data);
  return problems.length > 0 ? fail({ code: 'E_CARD', problems }) : ok(parsed.data);
}

/** A draft as the platform publishes it, and the base prompt that comes of it. */
export interface PreparedCard {
  readonly card: Card;
  readonly basePrompt: string;
}

export function prepareCard(
  draft: CardDraft,
  cardVersion: number,
  viewLimit?: number,
): Result<PreparedCard, CardError> {
  const view = promptView(draft, viewLimit);
  if (!view.ok) return view;
  const card: Card = {
    ...draft,
    kind: 'agent_card',
    schema_version: 1,
    card_version: cardVersion,
    prompt_view: view.value,
  };
  return ok({ card, basePrompt: basePrompt(draft) });
}
