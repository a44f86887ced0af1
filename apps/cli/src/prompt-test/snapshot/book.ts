import { posix } from 'node:path';
import { describeFileError, type Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { CASE_CODE } from '../case-file.js';
import type { Failed } from '../expect/failed.js';
import { parseSnapshots, printSnapshots, type Snapshots } from './format.js';
import { lineDiff } from './line-diff.js';

/** The snapshots beside one file of cases. */
export interface SnapshotBook {
  readonly path: string;
  /** What differs from the snapshot of a case's part; with `update` the snapshot becomes what is there now. */
  readonly compare: (name: string, part: 'request' | 'answer', text: string) => readonly Failed[];
  /** Snapshots that no case has asked for. */
  readonly unused: () => readonly string[];
  /** The file as it has to be written, empty when it is not needed, or undefined when it is as it should be. */
  readonly changed: (options: { readonly dropUnused: boolean }) => string | undefined;
}

/** Where the snapshots of a file of cases are. */
export const snapshotPath = (file: string): string =>
  posix.join(posix.dirname(file), '__snapshots__', `${posix.basename(file)}.snap`);

/** Opens the snapshots of a file; one that is not there has none. */
export async function openBook(
  files: Files,
  file: string,
  { update }: { readonly update: boolean },
): Promise<SnapshotBook | Diagnostic> {
  const path = snapshotPath(file);
  const text = await files.readText(path);
  if (!text.ok && text.error.code !== 'E_FILE_NOT_FOUND') {
    return { code: text.error.code, severity: 'error', message: describeFileError(text.error), file: path };
  }
  const parsed = text.ok
    ? parseSnapshots(text.value)
    : { ok: true as const, value: new Map<string, string>() };
  if (!parsed.ok) {
    const message = 'The snapshots cannot be read: take the file away and write it again with --update';
    return { code: CASE_CODE, severity: 'error', message, file: path, line: parsed.error };
  }
  return bookOf(path, text.ok ? text.value : undefined, parsed.value, update);
}

function bookOf(path: string, written: string | undefined, old: Snapshots, update: boolean): SnapshotBook {
  const now = new Map(old);
  const used = new Set<string>();
  return {
    path,
    compare(name, part, text) {
      const key = `${name} > ${part}`;
      used.add(key);
      if (update) now.set(key, text);
      const before = old.get(key);
      if (update || !guard('test.snapshot', before !== text)) return [];
      const failed = { path: `${part}.snapshot` };
      if (before === undefined) {
        return [{ ...failed, message: `there is no snapshot yet: ${hint`test --update`} writes it` }];
      }
      const message = `it is not as it was: ${hint`test --update`} if that is meant`;
      return [{ ...failed, message, diff: lineDiff(before, text) }];
    },
    unused: () => [...old.keys()].filter((key) => !used.has(key)),
    changed({ dropUnused }) {
      if (!update) return undefined;
      if (dropUnused) for (const key of old.keys()) if (!used.has(key)) now.delete(key);
      const text = now.size === 0 ? '' : printSnapshots(now);
      return text === (written ?? '') ? undefined : text;
    },
  };
}
