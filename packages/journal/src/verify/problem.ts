/**
 * Something in a record that is not as it was written. It names the place and the cause, never the content.
 * - `E_VERIFY_STORE`      a stored value does not fit the store's own chain and sums
 * - `E_VERIFY_CHAIN`      receipts do not follow each other
 * - `E_VERIFY_SIGNATURE`  a signature does not fit
 * - `E_VERIFY_KEY`        it was signed with a key that is not known here
 * - `E_VERIFY_TURN`       a prompt or an answer cannot be rebuilt as its receipt says
 * - `E_VERIFY_STATE`      the state is not what the log makes of it
 * - `E_VERIFY_REMOVED`    a run that an anchor knows of is not there, and nobody signed for its removal
 * - `E_VERIFY_ROLLBACK`   a run does not have the events that an anchor knows of
 * - `E_VERIFY_ANCHOR`     an anchor is damaged or missing
 * - `E_VERIFY_HEAD`       the log does not contain the head that is known from elsewhere
 */
export interface VerifyProblem {
  readonly code: VerifyCode;
  readonly message: string;
  /** The run, where the problem is not told among those of one. */
  readonly run?: string;
  readonly turn?: string;
  readonly seq?: number;
  readonly block?: string;
  /** The key that is not known here. */
  readonly key?: string;
}

export type VerifyCode =
  | 'E_VERIFY_STORE'
  | 'E_VERIFY_CHAIN'
  | 'E_VERIFY_SIGNATURE'
  | 'E_VERIFY_KEY'
  | 'E_VERIFY_TURN'
  | 'E_VERIFY_STATE'
  | 'E_VERIFY_REMOVED'
  | 'E_VERIFY_ROLLBACK'
  | 'E_VERIFY_ANCHOR'
  | 'E_VERIFY_HEAD';

/** The problems of one run, at most so many: a record that is all wrong is not told in full. */
export const MAX_PROBLEMS = 1000;
