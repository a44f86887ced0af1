import { type FormatReader, READERS } from '@cuebook/adopt';
import type { Files } from '@cuebook/files';

/** A file of the project that can be imported, and by which reader. */
export interface Importable {
  readonly path: string;
  readonly reader: FormatReader;
}

/** The beginning of a file says what it is. */
const HEAD_BYTES = 4096;
/** Files of other endings are known by their name alone. */
const HAS_HEAD = /\.(?:json|ya?ml|prompt)$/;
const SKIPPED = ['.git', 'node_modules', '.cuebook', 'dist', 'vendor', '.venv'];

/** What in a folder of the project could be taken over. Sheets and texts of the project are not. */
export async function findImportable(files: Files, folder = '.'): Promise<readonly Importable[]> {
  const found: Importable[] = [];
  for await (const walked of files.walk(folder, { ignore: SKIPPED })) {
    if (!walked.ok || /^(?:sheets|texts|tests)\//.test(walked.value)) continue;
    const reader = await readerFor(files, walked.value);
    if (reader !== undefined) found.push({ path: walked.value, reader });
  }
  return found;
}

/** The reader of a file by its name and beginning; undefined when it is of no format that is known. */
export async function readerFor(files: Files, path: string): Promise<FormatReader | undefined> {
  const byName = READERS.find(({ detect }) => detect(path, ''));
  if (byName !== undefined || !HAS_HEAD.test(path)) return byName;
  const head = await files.readBytes(path, { limit: HEAD_BYTES, beginning: true });
  if (!head.ok) return undefined;
  const text = new TextDecoder().decode(head.value);
  return READERS.find(({ detect }) => detect(path, text));
}
