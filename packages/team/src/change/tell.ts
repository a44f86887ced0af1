import { guard } from '@cuebook/guard';
import type { FileChange } from '@cuebook/host';
import type { Redactor } from '@cuebook/prompt';
import { applied } from './applied.js';
import { afterEdit, type PlannedEdit } from './edit.js';
import { patchOf } from './patch.js';

/** Bytes of a file, and characters of its new text, that are compared. */
export const MAX_TEXT = 256 * 1024;

/**
 * What a person is shown of an edit of a file that holds `now`, null where there is none; undefined when it cannot be
 * told. What is asked was cleaned before anybody saw it; what stands in the file was not.
 */
export function tellEdit(
  edit: PlannedEdit,
  now: string | null,
  redactor: Pick<Redactor, 'redactText'>,
): FileChange | undefined {
  const { file, from, claims } = edit;
  if (edit.kind === 'patch') return { file, patch: edit.patch, ...(isPlain(edit.patch) && { tells: from }) };
  const before = guard('planned.redact', now !== null) ? redactor.redactText(now ?? '').text : now;
  const after = afterEdit(before, edit);
  if (after === undefined || (after?.length ?? 0) > MAX_TEXT) return undefined;
  const patch = patchOf(before, after);
  if (guard('planned.more', !tellsAll(now, patch, edit))) return { file, patch };
  return { file, patch, tells: claims?.text === now ? [...from, claims.from] : from };
}

/**
 * Whether the patch and the file as it stands, with what is masked in it, give exactly what the edit gives. Words that
 * were masked stand for others, so nobody can tell that they stay. A patch shows no empty file.
 */
function tellsAll(now: string | null, patch: string, edit: PlannedEdit): boolean {
  const after = afterEdit(now, edit);
  if (after === null) return true;
  const isShown = now !== null || patch !== '';
  return isShown && applied(now, patch) === after;
}

/** Whether each line of a patch that an agent tells is one of a patch: others mean something to the agent alone. */
const isPlain = (patch: string): boolean =>
  patch.split('\n').every((line) => /^(?:[-+ \\]|@@ |$)/.test(line));

/**
 * The changes of one call. Of two changes of one file, whatever spelling its folder has, each starts from the file as it
 * stands, and neither tells what both make of it.
 */
export function tellTogether(changes: readonly FileChange[]): readonly FileChange[] {
  const isTwice = new Set(changes.map(({ file }) => nameOf(file))).size < changes.length;
  return guard('planned.twice', isTwice) ? changes.map(({ file, patch }) => ({ file, patch })) : changes;
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).toLowerCase();
