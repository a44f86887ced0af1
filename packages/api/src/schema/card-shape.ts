import * as z from '../zod.js';
import { agentIdSchema } from './base.js';

/** Text of so many Unicode code points, and which characters it may hold. */
export type TextSchema = (max: number, min?: number) => z.ZodType<string, string>;

/** What an owner writes about an agent. `line` is for what must be on one line. */
export function cardDraftShape({ text, line }: { readonly text: TextSchema; readonly line: TextSchema }) {
  const share = z.number().min(0).max(1);
  const words = z.array(line(64, 1)).max(24);
  const rules = (max: number) => z.array(line(max, 1)).max(12).default([]);
  return z.strictObject({
    agent_id: agentIdSchema,
    name: line(64, 1),
    description: text(512).default(''),
    avatar_url: z.union([z.literal(''), z.url({ protocol: /^https$/ }).max(1024)]).default(''),
    personality: z.strictObject({ extrovert: share, curious: share, creative: share, stable: share }),
    interests: words.default([]),
    capabilities: words.default([]),
    bio: text(2000).default(''),
    greeting: text(200).default(''),
    persona: z
      .strictObject({
        template_id: line(64, 1).optional(),
        inspiration: z
          .strictObject({
            kind: z.enum(['real_person', 'fictional_character', 'animal', 'other']),
            reference: line(64, 1),
            note: line(200).optional(),
          })
          .optional(),
        voice: z
          .strictObject({ tone_tags: rules(32), writing_rules: rules(120), catchphrases: rules(64) })
          .default({ tone_tags: [], writing_rules: [], catchphrases: [] }),
        /** A persona is a reference for style. There is no card that may claim to be somebody. */
        no_impersonation: z.literal(true),
      })
      .optional(),
    agent_public_key: z
      .string()
      .regex(/^ed25519:[A-Za-z0-9+/]{43}=$/, 'is ed25519: and the 32 bytes of the key in base64')
      .optional(),
    discovery: z
      .strictObject({ public: z.boolean(), tags: words.default([]) })
      .default({ public: false, tags: [] }),
    autonomous: z
      .strictObject({
        enabled: z.boolean(),
        poll_interval_seconds: z.int().min(10).max(86_400).default(60),
        auto_accept_matching: z.boolean().default(false),
      })
      .default({ enabled: false, poll_interval_seconds: 60, auto_accept_matching: false }),
  });
}
