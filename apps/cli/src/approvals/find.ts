import type { ApprovalView, Client } from '@cuebook/api';
import { nearest } from '@cuebook/prompt';

import { hint } from '@cuebook/prompt/hint';
import { Failure } from '../failure.js';
import { requireAnswer } from '../team/require.js';

/** What waits, by its id or the beginning of it, or by its run where that waits for one thing. */
export async function requireWaiting(client: Client, named: string): Promise<ApprovalView> {
  const { approvals } = requireAnswer(await client.listApprovals({}));
  const exact = approvals.filter(({ id }) => id === named);
  const begins = approvals.filter(({ id }) => id.startsWith(named) || id.startsWith(`apr_${named}`));
  const ofRun = approvals.filter(({ run }) => run.startsWith(named) || run.startsWith(`run_${named}`));
  const found = [exact, begins, ofRun].find(({ length }) => length > 0) ?? [];
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  if (found.length > 1) {
    const ids = found.slice(0, 5).map(({ id }) => id);
    throw new Failure(
      'E_APPROVAL_UNKNOWN',
      `${found.length} things that wait begin with "${named}": ${ids.join(', ')}`,
    );
  }
  const near = nearest(
    named,
    approvals.map(({ id }) => id),
  );
  const advice = near === undefined ? `${hint`approvals`} lists what waits.` : `Did you mean ${near}?`;
  throw new Failure('E_APPROVAL_UNKNOWN', `Nothing that waits is called "${named}". ${advice}`);
}
