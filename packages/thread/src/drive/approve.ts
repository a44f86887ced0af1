import { type ApprovalResolve, findApproval } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { ThreadRunState } from '../run/state.js';
import { inputProblem } from './check-call.js';
import type { DriveParts } from './parts.js';
import type { PersonError } from './person.js';

/** What a person says to a call that waits for them. */
export type ApprovalWord = Omit<ApprovalResolve, 'type' | 'by'> & { readonly by?: string };

/**
 * The command of a person's word: its words and arguments are without secrets, and changed arguments fit the
 * schema of the tool as those of a model do. A tool parses what it is given once more when it runs.
 */
export async function resolution(
  parts: Pick<DriveParts, 'live' | 'maskOf'>,
  state: ThreadRunState,
  word: ApprovalWord & { readonly by: string },
): Promise<Result<ApprovalResolve, PersonError>> {
  const mask = parts.maskOf(state);
  const command: ApprovalResolve = {
    ...word,
    type: 'approval.resolve',
    ...(word.message === undefined ? {} : { message: mask.text(word.message) }),
  };
  const approval = findApproval(state.approvals, word.approval);
  if (word.decision !== 'change' || approval === undefined) return ok(command);
  const input = mask.value(word.input ?? null);
  const problem = await inputProblem(parts, approval.tool, input);
  if (guard('approval.input', problem !== undefined))
    return fail({ code: 'E_APPROVAL_INPUT', message: `The changed input does not fit: ${problem}` });
  return ok({ ...command, input });
}
