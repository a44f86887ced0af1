import type { Files } from '@cuebook/files';
import { ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { canonicalBytes, readCanonical } from '../json/read.js';
import type { TrustStateError } from './state.js';

/** What an agent remembers beside its trust state, also when that is lost. */
export interface TrustNotes {
  /** The latest time that its own clock has told it, in milliseconds since 1970. */
  readonly observed: number;
  /** The last refusal. */
  readonly failure: FailureNote | null;
}

/** One refusal, as the platform is told of it. It quotes nothing of what was refused. */
export interface FailureNote {
  /** RFC 3339. */
  readonly at: string;
  readonly code: string;
  readonly reason: string;
  /** The role, or the key of the object. */
  readonly object: string;
}

export const failureNoteSchema = z.strictObject({
  at: z.string().regex(/^[0-9TZ:.-]{1,32}$/),
  code: z.string().regex(/^[A-Z_]{1,64}$/),
  reason: z.string().regex(/^[a-z_-]{1,64}$/),
  object: z.string().regex(/^[ -~]{1,512}$/),
});

const schema = z.strictObject({
  format: z.literal('cuebook-trust-notes-1'),
  observed: z.int().min(0),
  failure: failureNoteSchema.nullable(),
});

const NONE: TrustNotes = { observed: 0, failure: null };

/** The notes beside a state. A file that is none of ours says nothing. */
export async function readNotes(files: Files, path: string): Promise<TrustNotes> {
  const bytes = await files.readBytes(notesPath(path), { limit: 16 * 1024 });
  const read = bytes.ok ? readCanonical(bytes.value) : undefined;
  const parsed = schema.safeParse(read?.ok ? read.value.value : undefined);
  return parsed.success ? { observed: parsed.data.observed, failure: parsed.data.failure } : NONE;
}

/** Writes them down where that tells something new: the clock is noted each quarter of an hour. */
export async function saveNotes(
  files: Files,
  path: string,
  before: TrustNotes,
  after: TrustNotes,
): Promise<Result<void, TrustStateError>> {
  const isSame = JSON.stringify(before.failure) === JSON.stringify(after.failure);
  const moved = after.observed - before.observed;
  if (isSame && moved >= 0 && moved < NOTED_EACH_MS) return ok(undefined);
  const bytes = canonicalBytes({ format: 'cuebook-trust-notes-1', ...after }) as Buffer;
  const written = await files.writeBytes(notesPath(path), bytes, { mode: 0o600 });
  return written.ok ? ok(undefined) : written;
}

const notesPath = (path: string): string => `${path.replace(/\.json$/, '')}.notes.json`;
const NOTED_EACH_MS = 15 * 60_000;
