import * as z from '../zod.js';
import { jsonSchema } from './base.js';
import { scenarioShape } from './scenario-shape.js';

const { id, version, ...words } = scenarioShape;

/** The name of a scenario and the number of a version, as they stand in an address. */
export const scenarioIdSchema = id;
export const scenarioVersionSchema = z.coerce.number().int().min(1).max(1_000_000_000);

/** A version that somebody wants in the library. Its number is given by the platform. */
export const versionDraftSchema = z.strictObject({
  ...words,
  /** Test cases, as they stand in `scenarios/NAME.test.yaml`. */
  cases: z
    .string()
    .max(256 * 1024)
    .optional(),
});

/** What goes to the machine of the library's key. */
export const libraryRequestSchema = z.object({
  format: z.literal('cuebook-library-request-1'),
  platform: z.string(),
  version: z.int(),
  expires: z.int(),
  /** The list that is signed now. */
  before: z.string(),
  templates: z.array(z.object({ id, version, ...words })),
  cases: z.record(z.string(), z.string()),
});

/** What comes back from there. */
export const librarySignatureSchema = z.strictObject({
  format: z.literal('cuebook-library-signature-1'),
  platform: z.string().max(128),
  metadata: z.string().max(4 * 1024 * 1024),
  /** What other holders signed, where several must agree. */
  others: z
    .array(z.string().max(4 * 1024 * 1024))
    .max(15)
    .optional(),
});

/** What a signed list changed. */
export const publishedLibrarySchema = z.object({
  version: z.int(),
  added: z.array(z.string()),
  retired: z.array(z.string()),
});

/** Which version of a scenario is assigned, before and after. */
export const pinnedSchema = z.object({
  scenario: z.string(),
  from: z.int().optional(),
  version: z.int(),
});

const obligation = z.object({ force: z.enum(['MUST', 'NEVER', 'SHOULD']), text: z.string() });

/** How two versions differ: by obligation, by parameters and contract, and by the agents that they reach. */
export const versionDiffSchema = z.object({
  before: z.string(),
  after: z.string(),
  same: z.boolean(),
  obligations: z.object({ added: z.array(obligation), dropped: z.array(obligation) }),
  /** Parameters, contract and summary. */
  params: z.array(
    z.object({ path: z.string(), before: jsonSchema.optional(), after: jsonSchema.optional() }),
  ),
  reach: z.object({
    scenario: z.string(),
    /** They would get other words. */
    agents: z.array(z.string()),
    /** They have it already. */
    have: z.array(z.string()),
    /** An experiment decides for them: its name and the arm. */
    onTrial: z.record(z.string(), z.string()),
  }),
});

/** A version in the store, verified from the root on. */
export const verifiedVersionSchema = z.object({
  version: z.string(),
  verification: z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      template: z.string(),
      proof: z.object({ root: z.int(), targets: z.int(), library: z.int() }),
    }),
    z.object({ ok: z.literal(false), code: z.string(), reason: z.string() }),
  ]),
});
