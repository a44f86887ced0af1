import { type AdoptDiagnostic, type FormatReader, READERS } from '@cuebook/adopt';
import type { FileError, Files, SkippedEntry } from '@cuebook/files';
import { passedOver } from './passed.js';

/** A file of the project that can be imported, and by which reader. */
export interface Importable {
  readonly path: string;
  readonly reader: FormatReader;
}

/** The beginning of a file says what it is. */
const HEAD_BYTES = 4096;
/** Files of other endings are known by their name alone. */
const HAS_HEAD = /\.(?:json|ya?ml|prompt)$/;
export const SKIPPED = ['.git', 'node_modules', '.cuebook', 'dist', 'vendor', '.venv'];

/** What in a folder can be imported, and what was not looked at. */
export interface Findings {
  readonly found: readonly Importable[];
  readonly passed: readonly AdoptDiagnostic[];
}

/**
 * What in a folder could be taken over. Sheets and texts of a project are not. `prefix` is where the folder lies: what a file
 * is may depend on it, as in `.claude/agents`.
 */
export async function findImportable(files: Files, prefix = ''): Promise<Findings> {
  const found: Importable[] = [];
  const skipped: SkippedEntry[] = [];
  const errors: FileError[] = [];
  const isOurs = (path: string): boolean => /^(?:sheets|texts|tests)\//.test(`${prefix}${path}`);
  for await (const walked of files.walk('.', { ignore: SKIPPED, onSkipped: (each) => skipped.push(each) })) {
    if (!walked.ok) errors.push(walked.error);
    if (!walked.ok || isOurs(walked.value)) continue;
    const reader = await readerFor(files, walked.value, `${prefix}${walked.value}`);
    if (reader !== undefined) found.push({ path: walked.value, reader });
  }
  const foreign = skipped.filter(({ path }) => !isOurs(path));
  return { found, passed: await passedOver(files, { found, skipped: foreign, errors, prefix }) };
}

/** The reader of a file by its name and beginning; undefined when it is of no format that is known. */
export async function readerFor(files: Files, path: string, name = path): Promise<FormatReader | undefined> {
  const byName = READERS.find(({ detect }) => detect(name, ''));
  if (byName !== undefined || !HAS_HEAD.test(path)) return byName;
  const head = await files.readBytes(path, { limit: HEAD_BYTES, beginning: true });
  if (!head.ok) return undefined;
  const text = new TextDecoder().decode(head.value);
  return READERS.find(({ detect }) => detect(name, text));
}

/**
 * What a file or folder elsewhere is called: as much of its path as tells what it is, and nothing of where it lies. That is
 * everything from a folder of a tool on (`.claude/agents/x.md`), a skill with its folder, else the name alone.
 */
export function nameElsewhere(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const folder = parts.findLastIndex((part) =>
    /^\.(?:claude|github|gemini|cursor|agents|opencode)$/.test(part),
  );
  if (folder >= 0) return parts.slice(folder).join('/');
  return parts.slice(parts.at(-1) === 'SKILL.md' ? -2 : -1).join('/');
}
