import { ID } from '@cuebook/bundle';
import { z } from 'zod';

const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** A platform that was made with one reviewer names it alone. */
function severalReviewers(keys: unknown): unknown {
  if (typeof keys !== 'object' || keys === null || !('reviewer' in keys)) return keys;
  const { reviewer, ...rest } = keys;
  return { ...rest, reviewers: [reviewer], reviewer_threshold: 1 };
}

/** What a platform says about itself, in `platform.json` of its folder. No secret is in it. */
export const configSchema = z.strictObject({
  format: z.literal('cuebook-platform-1'),
  /** The issuer of certificates, the name of the log, and what challenges are bound to. */
  name: z.string().regex(ID),
  /** Where our server serves the objects to agents. */
  url: z.url({ protocol: /^https?$/ }),
  store: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('folder') }),
    z.strictObject({
      kind: z.literal('s3'),
      bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
      prefix: z
        .string()
        .regex(/^(?:[a-z0-9_-]+\/)*$/)
        .default(''),
      region: z.string().min(1).max(64),
      endpoint: z.url({ protocol: /^https?$/ }).exactOptional(),
      role_arn: z.string().min(1).max(256),
    }),
  ]),
  /** The public keys of every role. */
  keys: z.preprocess(
    severalReviewers,
    z.strictObject({
      root: z.array(hex).min(1).max(16),
      threshold: z.int().min(1).max(16),
      library: hex,
      reviewers: z.array(hex).min(1).max(16),
      /** How many reviewers must agree on a card. */
      reviewer_threshold: z.int().min(1).max(16),
      online: hex,
      log: hex,
    }),
  ),
  /** The newest versions of what is signed offline. */
  versions: z.strictObject({ root: z.int().min(1), targets: z.int().min(1), library: z.int().min(1) }),
});

export type PlatformConfig = z.infer<typeof configSchema>;
