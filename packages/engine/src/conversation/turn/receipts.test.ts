import type { RunId } from '@cuebook/journal';
import { fail, type GatedRequest, ok, type Result } from '@cuebook/prompt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createReceipts, type TurnRecorder } from './receipts.js';

const FENCED = fail({ code: 'E_JOURNAL_FENCED' });
const OTHER = fail({ code: 'E_JOURNAL_UNAVAILABLE' });

/** A recorder that answers one write after the other with these, and counts them. */
function recorderOf(answers: readonly Result<unknown, unknown>[]) {
  let writes = 0;
  const write = async (): Promise<Result<unknown, unknown>> => answers[writes++] ?? ok(null);
  return { recorder: { record: write, sent: write, end: write } satisfies TurnRecorder, count: () => writes };
}

const receiptsOf = (recorder: TurnRecorder, stands?: () => Promise<boolean>) =>
  createReceipts(
    { recorder, voice: { provider: 'rehearsal' }, stands },
    { run: 'run_a' as RunId, turn: 'turn_1', lane: 'a', request: {} as GatedRequest },
  );
const SENT = { channel: 'http', hash: 'sha256:0', ordinal: 1, bytes: new Uint8Array() } as const;

it('a receipt that was fenced off is written when the lease still stands, once, and for no other reason', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(ok(null), FENCED, OTHER),
      fc.constantFrom(ok(null), FENCED, OTHER),
      fc.constantFrom('stands', 'lost', 'nobody knows'),
      async (first, second, hold) => {
        const { recorder, count } = recorderOf([first, second]);
        const stands = hold === 'nobody knows' ? undefined : async () => hold === 'stands';
        const sent = receiptsOf(recorder, stands)
          .beforeSend(SENT)
          .then(() => true)
          .catch(() => false);
        const isTriedAgain = first === FENCED && hold === 'stands';
        expect(await sent).toBe(isTriedAgain ? second.ok : first.ok);
        expect(count()).toBe(isTriedAgain ? 2 : 1);
      },
    ),
    runs(100, 500),
  );
});
