import type { Files } from '@cuebook/files';
import { z } from 'zod';
import { Failure } from '../failure.js';
import { requireFile } from '../project/named-file.js';

/** The list of exported files, kept beside the project's own: whoever checks it out can tell what is up to date. */
export const LOCK_FILE = 'cuebook.exports.json';

const entry = z.strictObject({
  target: z.string(),
  format: z.string(),
  path: z.string(),
  /** Values for inputs. */
  set: z.record(z.string(), z.string()).optional(),
  /** Of what export wrote: the whole file, or its region without the lines that mark it. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const lock = z.strictObject({ version: z.literal(1), exports: z.array(entry) });

/** One exported file. */
export type ExportEntry = z.infer<typeof entry>;

export async function readLock(files: Files): Promise<readonly ExportEntry[]> {
  const text = await files.readText(LOCK_FILE);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') return [];
  let value: unknown;
  try {
    value = JSON.parse(requireFile(text, LOCK_FILE));
  } catch (error) {
    if (error instanceof Failure) throw error;
  }
  const read = lock.safeParse(value);
  if (read.success) return read.data.exports;
  throw new Failure('E_EXPORT_LOCK', `${LOCK_FILE} is not a list of exported files`, { exit: 1 });
}

/** Writes the list, sorted by path and target, so that two branches rarely meet in it. */
export async function writeLock(files: Files, entries: readonly ExportEntry[]): Promise<void> {
  const key = ({ path, target, format }: ExportEntry): string => `${path} ${target} ${format}`;
  const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  requireFile(
    await files.writeText(LOCK_FILE, `${JSON.stringify({ version: 1, exports: sorted }, null, 2)}\n`),
    LOCK_FILE,
  );
}
