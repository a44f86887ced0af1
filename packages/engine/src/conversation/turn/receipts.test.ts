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

type Waits = Pick<Parameters<typeof createReceipts>[0], 'stands' | 'tryAgain'>;

const receiptsOf = (recorder: TurnRecorder, waits: Waits) =>
  createReceipts(
    { recorder, voice: { provider: 'rehearsal' }, ...waits },
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
        const sent = receiptsOf(recorder, { stands })
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

it('a receipt is tried for as long as the records are away and somebody waits, and not for any other reason', async () => {
  const LAST = [ok(null), FENCED, fail({ code: 'E_JOURNAL_INVALID' })] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.constantFrom(...LAST),
      fc.option(fc.nat(12), { nil: undefined }),
      async (away, last, patience) => {
        const { recorder, count } = recorderOf([...Array.from({ length: away }, () => OTHER), last]);
        const asked: number[] = [];
        const tryAgain = async (tries: number) => {
          asked.push(tries);
          return tries <= (patience ?? 0);
        };
        const sent = receiptsOf(recorder, patience === undefined ? {} : { tryAgain })
          .beforeSend(SENT)
          .then(() => true)
          .catch(() => false);
        const isOutlasted = away <= (patience ?? 0);
        expect(await sent).toBe(isOutlasted && last.ok);
        expect(count()).toBe(isOutlasted ? away + 1 : (patience ?? 0) + 1);
        if (patience !== undefined) expect(asked).toEqual(asked.map((_, index) => index + 1));
      },
    ),
    runs(200, 1_000),
  );
});
