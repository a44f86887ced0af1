import { ok } from '@cuebook/prompt';
import type { StoredCommit } from '../../contract.js';
import type { JournalResult } from '../../result.js';
import { canonicalText } from '../bounds.js';
import { type CommitText, readHash } from './chain.js';

/** What the chain covers of a commit from elsewhere. */
export function commitText(commit: StoredCommit): JournalResult<CommitText> {
  const answer = canonicalText('an answer', commit.answer);
  if (!answer.ok) return answer;
  const events: { type: string; data: string }[] = [];
  for (const { type, data } of commit.events) {
    const text = canonicalText(`the data of ${type}`, data);
    if (!text.ok) return text;
    events.push({ type, data: text.value });
  }
  const projections = commit.projections.map(({ name, key, hash }) => ({
    name,
    key,
    hash: hash && digits(hash),
  }));
  const { run, firstSeq, lastSeq, at, command, target } = commit;
  const blobs = commit.blobs.map(digits);
  return ok({
    ...{ run, firstSeq, lastSeq, at, command, target },
    answer: answer.value,
    projections,
    blobs,
    events,
  });
}

/** The digits of a shown hash, or what stands there: a wrong one does not fit the chain. */
export const digits = (shown: string): string => readHash(shown)?.toString('hex') ?? shown;
