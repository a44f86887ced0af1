import { cardDraftShape } from '@cuebook/api/shapes';
import { guard } from '@cuebook/guard';
import { findInvisible } from '@cuebook/prompt';
import { z } from 'zod';
import { codePoints } from './points.js';

/** Text of at most `max` code points that a person sees as the model reads it. */
const text = (max: number, min = 0) =>
  z.string().check((context) => {
    const { value, issues } = context;
    const problem = textProblem(value, min, max);
    if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value });
  });

function textProblem(value: string, min: number, max: number): string | undefined {
  if (!value.isWellFormed()) return 'holds half a character (a lone surrogate)';
  const length = codePoints(value);
  if (length < min) return `has ${length} characters, ${min} at least`;
  if (length > max) return `has ${length} characters, ${max} at most`;
  const hidden = findInvisible(value)[0]?.text ?? CONTROL.exec(value)?.[0];
  if (guard('card.invisible', hidden !== undefined))
    return 'holds a character that cannot be seen; take it out';
  return undefined;
}

const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/;

const line = (max: number, min = 0) =>
  text(max, min).refine((value) => !value.includes('\n'), 'is one line; take the line break out');

/** What an owner writes. Every limit counts Unicode code points. */
export const cardDraftSchema = cardDraftShape({ text, line });

export type CardDraft = z.infer<typeof cardDraftSchema>;
export type CardDraftInput = z.input<typeof cardDraftSchema>;
export type Persona = NonNullable<CardDraft['persona']>;

/** A card as it is published, without its `cert`. */
export interface Card extends CardDraft {
  readonly kind: 'agent_card';
  readonly schema_version: 1;
  readonly card_version: number;
  readonly prompt_view: string;
}

/** The card of a verified object. Members that this version does not know are kept out, not refused. */
export const cardSchema = z.object({
  ...cardDraftSchema.shape,
  kind: z.literal('agent_card'),
  schema_version: z.literal(1),
  card_version: z.int().min(1),
  prompt_view: z.string().max(16_000),
});
