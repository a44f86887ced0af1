import type { ApprovalView } from '@cuebook/api';
import { findApproval, findResolution } from '@cuebook/engine';
import type { FileChange } from '@cuebook/host';
import { commandLine } from '@cuebook/prompt/hint';
import { askingNode, type TeamState } from '@cuebook/team';
import type { Immutable } from '../http/group.js';

/** What would become of files, for each approval that waits. */
export type PlannedChanges = ReadonlyMap<string, readonly FileChange[]>;

/** An approval of a run, answered or not; undefined when the run has none of that id. */
export function approvalView(
  run: string,
  state: TeamState,
  id: string,
  changes: PlannedChanges = NO_CHANGES,
): Immutable<ApprovalView> | undefined {
  const approval = findApproval(state.approvals, id);
  if (approval === undefined) return undefined;
  const answer = findResolution(state.approvals, id);
  const { about, tool, input, reason = null, askedAt, expiresAt } = approval;
  const asking = askingNode(state, approval)?.node;
  const planned = changes.get(id);
  return {
    ...{
      run,
      id,
      about,
      tool,
      input,
      reason,
      askedAt,
      expiresAt,
      kind: 'team',
      target: null,
      for: 'approval',
    },
    ...{
      node: asking?.id ?? null,
      alias: asking?.alias ?? null,
      command: commandLine`approvals allow ${id}`,
    },
    ...(planned && { changes: planned }),
    status: answer?.decision ?? 'waiting',
    by: answer?.by ?? null,
    ...(answer?.input === undefined ? {} : { changed: answer.input }),
    ...(answer?.message === undefined ? {} : { message: answer.message }),
    ...(answer?.grant === undefined ? {} : { grant: true }),
  };
}

const NO_CHANGES: PlannedChanges = new Map();
