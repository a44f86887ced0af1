import { createHash } from 'node:crypto';
import type { AdoptDiagnostic, AdoptedFile } from '@cuebook/adopt';
import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { requireFile } from '../project/named-file.js';
import { lineDiff } from './line-diff.js';

/** What becomes of one file. */
export interface PlannedFile extends AdoptedFile {
  readonly state: 'new' | 'same' | 'differs';
  /** For one that differs: the lines. */
  readonly diff: readonly string[];
  readonly sha256: string | undefined;
}

/** Compares what import would write with what is there. Nothing is written. */
export async function planFiles(
  files: Files,
  wanted: readonly AdoptedFile[],
): Promise<readonly PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of wanted) {
    const read = await files.readBytes(file.path);
    if (!read.ok && read.error.code !== 'E_FILE_NOT_FOUND') requireFile(read, file.path);
    const before = read.ok ? Buffer.from(read.value) : undefined;
    const isSame = before?.equals(Buffer.from(file.text)) === true;
    planned.push({
      ...file,
      state: before === undefined ? 'new' : isSame ? 'same' : 'differs',
      diff: before === undefined || isSame ? [] : lineDiff(before.toString(), file.text),
      sha256: before === undefined ? undefined : createHash('sha256').update(before).digest('hex'),
    });
  }
  return planned;
}

/** A file that is there with other content is only replaced when the caller says so. */
export const conflicts = (planned: readonly PlannedFile[], update: boolean): readonly AdoptDiagnostic[] =>
  planned
    .filter(({ state }) => guard('import.overwrite', state === 'differs' && !update))
    .map(({ path }) => ({
      code: 'E_IMPORT_EXISTS',
      severity: 'error',
      file: path,
      message: 'The file is there with other content; nothing was written. --update writes the new content',
    }));

/** Writes what is new, and what differs; a file that changed since it was compared is left as it is. */
export async function writePlanned(files: Files, planned: readonly PlannedFile[]): Promise<void> {
  for (const { path, text, state, sha256 } of planned) {
    if (state === 'same') continue;
    await makeFolders(files, path);
    requireFile(await files.writeText(path, text, { ifMatch: sha256 ?? 'absent' }), path);
  }
}

/** The folders above a file. */
export async function makeFolders(files: Files, path: string): Promise<void> {
  const folder = path.split('/').slice(0, -1).join('/');
  if (folder !== '' && !(await files.stat(folder)).ok) requireFile(await files.makeDirectory(folder), folder);
}
