import type { Store } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { Approval, ApprovalEvent } from './approval.js';

/** The name of the projection that lists what waits for a person, over all runs. */
export const APPROVALS_PROJECTION = 'approvals';

/** A row of that projection: a waiting approval, and where it waits. The key is `RUN/APPROVAL`. */
export type ApprovalRow = Approval & {
  readonly run: string;
  /** Where in the run: a node, a thread. */
  readonly lane: string;
  /** Where it is a question. */
  readonly question?: QuestionRow;
};

/** How a question is answered on a command line. */
export type QuestionRow = {
  /** The forms that an answer may have: `yes`, the value of an option, `NAME=TEXT`. */
  readonly answers: readonly string[];
  /** One answer as it stands behind a command, quoted where a shell needs it. */
  readonly example: string;
};

/** All approvals and questions that wait, over all runs, in the order of their keys. */
export const readApprovals = async (store: Pick<Store, 'projections'>): Promise<readonly ApprovalRow[]> =>
  [...(await store.projections(APPROVALS_PROJECTION)).values()] as unknown as readonly ApprovalRow[];

export interface ApprovalChange {
  readonly name: typeof APPROVALS_PROJECTION;
  readonly key: string;
  /** `null` removes the row: the approval is answered, and its events stay in the log. */
  readonly value: JsonValue | null;
}

/**
 * What an event changes in the list. Written in the same transaction as the event, it never lies. `questionOf` tells
 * questions from other approvals.
 */
export function listApprovals(
  place: { readonly run: string; readonly lane: string },
  event: { readonly type: string; readonly data: JsonValue },
  questionOf: (approval: Approval) => QuestionRow | undefined = () => undefined,
): readonly ApprovalChange[] {
  if (!isApprovalEvent(event)) return [];
  const row = event.type === 'approval.requested' ? rowOf(place, event.data, questionOf(event.data)) : null;
  return [{ name: APPROVALS_PROJECTION, key: `${place.run}/${event.data.id}`, value: row }];
}

const rowOf = (
  { run, lane }: { readonly run: string; readonly lane: string },
  { by: _by, ...approval }: Approval,
  question: QuestionRow | undefined,
): ApprovalRow => ({ run, lane, ...approval, ...(question === undefined ? {} : { question }) });

const isApprovalEvent = (event: {
  readonly type: string;
}): event is Extract<ApprovalEvent, { readonly type: 'approval.requested' | 'approval.resolved' }> =>
  event.type === 'approval.requested' || event.type === 'approval.resolved';
