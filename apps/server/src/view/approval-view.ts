import type { ApprovalView } from '@cuebook/api';
import { type Approval, type ApprovalRow, findApproval, findResolution } from '@cuebook/engine';
import type { TeamState } from '@cuebook/team';
import type { Immutable } from '../http/group.js';

/** An approval of a run, answered or not; undefined when the run has none of that id. */
export function approvalView(run: string, state: TeamState, id: string): Immutable<ApprovalView> | undefined {
  const approval = findApproval(state.approvals, id);
  if (approval === undefined) return undefined;
  const answer = findResolution(state.approvals, id);
  return {
    ...waitingView({ run, lane: laneOf(state, approval), ...approval }, state),
    status: answer?.decision ?? 'waiting',
    by: answer?.by ?? null,
    ...(answer?.input === undefined ? {} : { changed: answer.input }),
    ...(answer?.message === undefined ? {} : { message: answer.message }),
    ...(answer?.grant === undefined ? {} : { grant: true }),
  };
}

/** An approval that waits, with its node where the run says which. */
export function waitingView(row: ApprovalRow, state: TeamState | undefined): Immutable<ApprovalView> {
  const node = /^node\/(.+)$/.exec(row.lane)?.[1] ?? null;
  const known = node !== null && state && Object.hasOwn(state.nodes, node) ? state.nodes[node] : undefined;
  const proposed = state && Object.hasOwn(state.proposals, row.id) ? state.proposals[row.id] : undefined;
  const used = proposed && state ? state.roles[proposed.name] : undefined;
  const { run, id, about, tool, input, reason = null, askedAt, expiresAt } = row;
  return {
    run,
    kind: 'team',
    target: null,
    for: 'approval',
    id,
    node,
    alias: known?.node.alias ?? null,
    about,
    tool,
    input,
    reason,
    askedAt,
    expiresAt,
    command: `cuebook approvals allow ${id}`,
    status: 'waiting',
    by: null,
    ...(proposed && { change: { file: proposed.file, before: used?.text ?? null, after: proposed.text } }),
  };
}

/** The lane of the node whose call, or whose turn, it is about. */
function laneOf(state: TeamState, { about }: Approval): string {
  const owner = Object.values(state.nodes).find(
    ({ work }) =>
      about === `native/${work?.effect}` ||
      [...(work?.calls ?? []), ...(work?.native ?? [])].some(({ id }) => id === about),
  );
  return owner === undefined ? '' : `node/${owner.node.id}`;
}
