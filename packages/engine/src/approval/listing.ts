import type { JsonValue } from '@cuebook/prompt';
import type { Approval, ApprovalEvent } from './approval.js';

/** The name of the projection that lists what waits for a person, over all runs. */
export const APPROVALS_PROJECTION = 'approvals';

/** A row of that projection: a waiting approval, and where it waits. The key is `RUN/APPROVAL`. */
export type ApprovalRow = Approval & {
  readonly run: string;
  /** Where in the run: a node, a thread. */
  readonly lane: string;
};

export interface ApprovalChange {
  readonly name: typeof APPROVALS_PROJECTION;
  readonly key: string;
  /** `null` removes the row: the approval is answered, and its events stay in the log. */
  readonly value: JsonValue | null;
}

/** What an event changes in the list. Written in the same transaction as the event, it never lies. */
export function listApprovals(
  place: { readonly run: string; readonly lane: string },
  event: { readonly type: string; readonly data: JsonValue },
): readonly ApprovalChange[] {
  if (!isApprovalEvent(event)) return [];
  const row: ApprovalRow | null =
    event.type === 'approval.requested' ? { run: place.run, lane: place.lane, ...event.data } : null;
  return [{ name: APPROVALS_PROJECTION, key: `${place.run}/${event.data.id}`, value: row }];
}

const isApprovalEvent = (event: { readonly type: string }): event is ApprovalEvent =>
  event.type === 'approval.requested' || event.type === 'approval.resolved';
