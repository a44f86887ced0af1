import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '@cuebook/prompt';
import { type JournalError, JournalFailure } from '../error.js';
import { MAX_TRIES, type RegisterStore } from './register.js';
import { onceRun } from './register-run.js';

/**
 * Keeps a text under a key unless there is one already, and answers the one that is kept: of any number of processes
 * that keep something under one key, all are answered the same.
 */
export async function keepFirst(
  store: Pick<RegisterStore, 'append' | 'head' | 'findCommand'>,
  key: string,
  text: string,
): Promise<Result<string, JournalError>> {
  const name = createHash('sha256').update(key).digest('hex');
  // Spread over many logs, so that those who write at once seldom wait for each other.
  const run = onceRun(name.slice(0, 2));
  const command = `once ${name}`;
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const found = await store.findCommand(run, command);
      if (found !== undefined) return ok(String(found.answer));
      const seq = (await store.head(run))?.seq ?? 0;
      const events = [{ type: 'once.kept', data: { key: name, text } }];
      const kept = await store.append({
        ...{ run, command, target: 'once', events, answer: text, expectedSeq: seq },
      });
      if (kept.ok) return ok(String(kept.value.answer));
      if (kept.error.code !== 'E_JOURNAL_MOVED') return kept;
    }
    return fail({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy' });
  } catch (thrown) {
    if (thrown instanceof JournalFailure) return fail(thrown.error);
    throw thrown;
  }
}
