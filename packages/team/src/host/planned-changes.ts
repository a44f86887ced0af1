import { type Approval, pendingApprovals } from '@cuebook/engine';
import { type Files, openFolder } from '@cuebook/files';
import type { FileChange } from '@cuebook/host';
import type { Redactor } from '@cuebook/prompt';
import type { Workspaces } from '@cuebook/workspace';
import { applied } from '../change/applied.js';
import { type PlannedEdit, plannedEdits } from '../change/edit.js';
import { patchOf } from '../change/patch.js';
import { MAX_TEXT, tellEdit, tellTogether } from '../change/tell.js';
import { workspaceRedactor } from '../drive/workspace-redactor.js';
import { inFolder } from '../graph/workspace.js';
import { askingNode, type TeamState } from '../run/state.js';

export interface PlannedParts {
  readonly run: string;
  readonly workspaces: Pick<Workspaces, 'folderOf' | 'home'>;
  readonly redactor: Redactor;
}

/**
 * What would become of which files, for each approval that waits and is about an edit. The agent waits with it, so
 * what stands in its folder is what it would change. An edit that cannot be told whole is not told at all: then its
 * input has to speak.
 */
export async function plannedChanges(
  state: TeamState,
  parts: PlannedParts,
): Promise<ReadonlyMap<string, readonly FileChange[]>> {
  const told = new Map<string, readonly FileChange[]>();
  for (const approval of pendingApprovals(state.approvals).slice(0, MOST)) {
    const changes = roleChange(state, approval) ?? (await editChanges(state, approval, parts));
    if (changes.length > 0) told.set(approval.id, changes);
  }
  return told;
}

/** Approvals of one run that are told so. */
const MOST = 50;
function roleChange(state: TeamState, { id }: Approval): readonly FileChange[] | undefined {
  const proposed = Object.hasOwn(state.proposals, id) ? state.proposals[id] : undefined;
  if (proposed === undefined) return undefined;
  const { file, name, text } = proposed;
  const used = Object.hasOwn(state.roles, name) ? state.roles[name] : undefined;
  const before = used?.text ?? null;
  const patch = patchOf(before, text);
  return [{ file, patch, ...(applied(before, patch) === text && { tells: ['/file', '/text'] }) }];
}

async function editChanges(
  state: TeamState,
  approval: Approval,
  { run, workspaces, redactor }: PlannedParts,
): Promise<readonly FileChange[]> {
  const node = askingNode(state, approval)?.node;
  const edits = plannedEdits(approval.tool, approval.input);
  if (node === undefined || edits.length === 0) return [];
  const folder = workspaces.folderOf(run, inFolder(node));
  const files = await openFolder(folder, {
    access: 'ro',
    withhold: { from: 'agent', home: workspaces.home },
  });
  if (!files.ok) return [];
  const changes: FileChange[] = [];
  for (const edit of edits) {
    const change = await changeOf(files.value, edit, workspaceRedactor(redactor, folder));
    if (change === undefined) return [];
    changes.push(change);
  }
  return tellTogether(changes);
}

async function changeOf(
  files: Files,
  edit: PlannedEdit,
  redactor: Redactor,
): Promise<FileChange | undefined> {
  if (edit.kind === 'patch') return tellEdit(edit, null, redactor);
  const read = await files.readText(edit.file, { limit: MAX_TEXT });
  if (!read.ok && read.error.code !== 'E_FILE_NOT_FOUND') return undefined;
  return tellEdit(edit, read.ok ? read.value : null, redactor);
}
