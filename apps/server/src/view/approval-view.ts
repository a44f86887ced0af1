import type { ApprovalView } from '@cuebook/api';
import { type ApprovalRow, findApproval, findResolution } from '@cuebook/engine';
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
  return {
    ...waitingView({ run, lane: laneOf(state, approval.about), ...approval }, state, changes),
    status: answer?.decision ?? 'waiting',
    by: answer?.by ?? null,
    ...(answer?.input === undefined ? {} : { changed: answer.input }),
    ...(answer?.message === undefined ? {} : { message: answer.message }),
    ...(answer?.grant === undefined ? {} : { grant: true }),
  };
}

/** An approval that waits, with its node where the run says which. */
export function waitingView(
  row: ApprovalRow,
  state: TeamState | undefined,
  changes: PlannedChanges = NO_CHANGES,
): Immutable<ApprovalView> {
  const node = /^node\/(.+)$/.exec(row.lane)?.[1] ?? null;
  const known = node !== null && state && Object.hasOwn(state.nodes, node) ? state.nodes[node] : undefined;
  const planned = changes.get(row.id);
  return {
    ...askedFields(row),
    kind: 'team',
    target: null,
    for: 'approval',
    node,
    alias: known?.node.alias ?? null,
    command: commandLine`approvals allow ${row.id}`,
    status: 'waiting',
    by: null,
    ...(planned && { changes: planned }),
  };
}

/** What was asked, and when, in any kind of run. */
export function askedFields(row: ApprovalRow) {
  const { run, id, about, tool, input, reason = null, askedAt, expiresAt } = row;
  return { run, id, about, tool, input, reason, askedAt, expiresAt };
}

const NO_CHANGES: PlannedChanges = new Map();

/** The lane of the node whose call, or whose turn, it is about. */
function laneOf(state: TeamState, about: string): string {
  const asking = askingNode(state, { about });
  return asking === undefined ? '' : `node/${asking.node.id}`;
}
