import { guard } from '@cuebook/guard';
import { findInvisible } from '@cuebook/prompt';
import { z } from 'zod';
import { ID } from '../ids.js';
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
const share = z.number().min(0).max(1);
const words = z.array(line(64, 1)).max(24);

const persona = z.strictObject({
  template_id: line(64, 1).optional(),
  inspiration: z
    .strictObject({
      kind: z.enum(['real_person', 'fictional_character', 'animal', 'other']),
      reference: line(64, 1),
      note: line(200).optional(),
    })
    .optional(),
  voice: z
    .strictObject({
      tone_tags: z.array(line(32, 1)).max(12).default([]),
      writing_rules: z.array(line(120, 1)).max(12).default([]),
      catchphrases: z.array(line(64, 1)).max(12).default([]),
    })
    .default({ tone_tags: [], writing_rules: [], catchphrases: [] }),
  /** A persona is a reference for style. There is no card that may claim to be somebody. */
  no_impersonation: z.literal(true),
});

/** What an owner writes. Every limit counts Unicode code points. */
export const cardDraftSchema = z.strictObject({
  agent_id: z
    .string()
    .regex(ID, 'is 1 to 64 of a-z, 0-9, dash and underscore, and starts with a letter or digit'),
  name: line(64, 1),
  description: text(512).default(''),
  avatar_url: z.union([z.literal(''), z.url({ protocol: /^https$/ }).max(1024)]).default(''),
  personality: z.strictObject({ extrovert: share, curious: share, creative: share, stable: share }),
  interests: words.default([]),
  capabilities: words.default([]),
  bio: text(2000).default(''),
  greeting: text(200).default(''),
  persona: persona.optional(),
  agent_public_key: z
    .string()
    .regex(/^ed25519:[A-Za-z0-9+/]{43}=$/, 'is ed25519: and the 32 bytes of the key in base64')
    .optional(),
  discovery: z
    .strictObject({ public: z.boolean(), tags: z.array(line(64, 1)).max(24).default([]) })
    .default({ public: false, tags: [] }),
  autonomous: z
    .strictObject({
      enabled: z.boolean(),
      poll_interval_seconds: z.int().min(10).max(86_400).default(60),
      auto_accept_matching: z.boolean().default(false),
    })
    .default({ enabled: false, poll_interval_seconds: 60, auto_accept_matching: false }),
});

export type CardDraft = z.infer<typeof cardDraftSchema>;
export type CardDraftInput = z.input<typeof cardDraftSchema>;
export type Persona = z.infer<typeof persona>;

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
