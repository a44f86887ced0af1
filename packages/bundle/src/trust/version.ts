import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { KEYS } from '../ids.js';
import { canonicalBytes, readCanonical } from '../json/read.js';
import type { Objects } from '../objects/contract.js';
import { type Scenario, scenarioSchema } from '../scenario/scenario.js';
import { openChain } from './chain.js';
import type { TrustError } from './error.js';
import { readLibrary } from './library.js';
import type { SignedMetadata } from './metadata.js';

/** Which metadata vouches for a version: that of the day on which it was listed first. */
const proofSchema = z.strictObject({
  root: z.int().min(1).max(100_000),
  targets: z.int().min(1),
  library: z.int().min(1),
});

export type TemplateProof = z.infer<typeof proofSchema>;

/** A version that verified, and what vouches for it. */
export interface VerifiedVersion {
  readonly scenario: Scenario;
  readonly proof: TemplateProof;
}

/**
 * Opens a version of a scenario in the store and verifies it from the pinned root on, however old it is and whatever
 * was signed or retired since: the roots are followed to the one of its day, which names the keys that signed its list.
 * Expiry does not matter: the question is who wrote it, not whether it is the newest.
 */
export async function verifyVersion(
  { objects, root }: { readonly objects: Pick<Objects, 'get'>; readonly root: Uint8Array },
  { id, version }: { readonly id: string; readonly version: number },
): Promise<Result<VerifiedVersion, TrustError>> {
  const at = `${id}@v${version}`;
  const proof = await readProof(objects, id, version);
  if (!proof.ok) return proof;
  const targets = await targetsOfDay(objects, root, proof.value);
  if (!targets.ok) return targets;
  const listed = await objects.get(KEYS.shared('library', proof.value.library), { limit: METADATA_LIMIT });
  if (!listed.ok) return listed;
  const library = readLibrary(targets.value, listed.value);
  if (!library.ok) return library;
  const bytes = await objects.get(KEYS.template(id, version), { limit: TEMPLATE_LIMIT });
  if (!bytes.ok) return bytes;
  const read = readCanonical(bytes.value);
  if (!read.ok) return read;
  const scenario = scenarioSchema.safeParse(read.value.value);
  const isAsked = scenario.success && scenario.data.id === id && scenario.data.version === version;
  if (!isAsked) return fail({ code: 'E_TRUST', reason: 'schema', at });
  return library.value.lists(scenario.data)
    ? ok({ scenario: scenario.data, proof: proof.value })
    : fail({ code: 'E_TRUST', reason: 'not-in-library', at });
}

/** The bytes of a proof. It is a way to what is signed, and needs no signature itself. */
export const proofBytes = (proof: TemplateProof): Buffer => canonicalBytes(proof) as Buffer;

async function readProof(
  objects: Pick<Objects, 'get'>,
  id: string,
  version: number,
): Promise<Result<TemplateProof, TrustError>> {
  const bytes = await objects.get(KEYS.templateProof(id, version), { limit: 4096 });
  if (!bytes.ok) return bytes;
  const read = readCanonical(bytes.value);
  const proof = proofSchema.safeParse(read.ok ? read.value.value : undefined);
  return proof.success
    ? ok(proof.data)
    : fail({ code: 'E_TRUST', reason: 'malformed', at: `${id}@v${version}` });
}

/** The list of roles of a day, vouched for by the root of that day. */
async function targetsOfDay(
  objects: Pick<Objects, 'get'>,
  pinned: Uint8Array,
  proof: TemplateProof,
): Promise<Result<SignedMetadata, TrustError>> {
  const chain = openChain(pinned, 0);
  if (!chain.ok) return chain;
  const bytes = await objects.get(KEYS.shared('targets', proof.targets), { limit: METADATA_LIMIT });
  if (!bytes.ok) return bytes;
  for (;;) {
    const vouched = chain.value.vouches(bytes.value);
    if (vouched.ok) return ok({ version: proof.targets, bytes: Buffer.from(bytes.value) });
    if (chain.value.rootVersion() >= proof.root) return vouched;
    const next = await objects.get(KEYS.root(chain.value.rootVersion() + 1), { limit: METADATA_LIMIT });
    if (!next.ok) return next;
    const taken = chain.value.root(next.value);
    if (!taken.ok) return taken;
  }
}

const METADATA_LIMIT = 4 * 1024 * 1024;
const TEMPLATE_LIMIT = 1024 * 1024;
