import type { FileError, Files } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { canonicalBytes, readCanonical } from '../json/read.js';

/** Everything that an agent trusts, as it was received. One value, so that it can only be swapped as a whole. */
export interface TrustState {
  /** The roots after the pinned one, in order. */
  readonly roots: readonly Buffer[];
  readonly timestamp: Buffer;
  readonly snapshot: Buffer;
  readonly targets: Buffer;
  readonly library: Buffer;
  readonly reviews: Buffer;
  readonly assignment: Buffer;
  readonly card: Buffer;
  readonly bundle: Buffer;
  readonly checkpoint: Buffer;
}

/** `E_TRUST_STATE`: the file is there and is not one that was written here. */
export type TrustStateError = FileError | { readonly code: 'E_TRUST_STATE'; readonly path: string };

/** In bytes. */
export const STATE_LIMIT = 8 * 1024 * 1024;
const PARTS = [
  'timestamp',
  'snapshot',
  'targets',
  'library',
  'reviews',
  'assignment',
  'card',
  'bundle',
  'checkpoint',
] as const;

const schema = z.strictObject({
  format: z.literal('cuebook-trust-1'),
  roots: z.array(z.string()).max(1024),
  ...(Object.fromEntries(PARTS.map((part) => [part, z.string()])) as Record<
    (typeof PARTS)[number],
    z.ZodString
  >),
});

/**
 * Puts the state in the place of the one before it: written beside it, made durable, then renamed. Whenever the
 * process dies, the old state or the new one is there, whole.
 */
export async function saveState(
  files: Files,
  path: string,
  state: TrustState,
): Promise<Result<void, TrustStateError>> {
  const parts = PARTS.map((part) => [part, state[part].toString('utf8')]);
  const roots = state.roots.map((root) => root.toString('utf8'));
  const bytes = canonicalBytes({ format: 'cuebook-trust-1', roots, ...Object.fromEntries(parts) }) as Buffer;
  const written = await files.writeBytes(path, bytes, { mode: 0o600 });
  return written.ok ? ok(undefined) : written;
}

/** The state as it was saved; undefined when there has never been one. What is in it is yet to be verified. */
export async function readState(
  files: Files,
  path: string,
): Promise<Result<TrustState | undefined, TrustStateError>> {
  const bytes = await files.readBytes(path, { limit: STATE_LIMIT });
  if (!bytes.ok) return bytes.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : bytes;
  const read = readCanonical(bytes.value, { bytes: STATE_LIMIT });
  const parsed = schema.safeParse(read.ok ? read.value.value : undefined);
  if (!parsed.success) return fail({ code: 'E_TRUST_STATE', path });
  const parts = PARTS.map((part) => [part, Buffer.from(parsed.data[part])]);
  const roots = parsed.data.roots.map((root) => Buffer.from(root));
  return ok({ roots, ...Object.fromEntries(parts) } as unknown as TrustState);
}
