import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { block, freshSigner, must, piece, requestOf } from '../../test/turns.js';
import type { RunId, Store } from '../contract.js';
import { digest } from '../turn/digest.js';
import { createRecorder } from '../turn/recorder.js';
import { confidentialOfRun } from './confidential.js';
import { confidentialTexts } from './mask.js';

const RUN = 'run_a' as RunId;
const secret = (text: string) => piece(text, { secrecy: 'confidential' });
const promptOf = (words: readonly string[]) =>
  requestOf([block('task', '', { pieces: [piece('Do it. '), ...words.map(secret)] })]);

async function record(store: Store, run: RunId, prompts: readonly (readonly string[])[]): Promise<void> {
  const recorder = createRecorder({ store, signer: freshSigner() });
  for (const [at, words] of prompts.entries())
    must(
      await recorder.record({
        run,
        turn: `t${at}`,
        lane: 'l',
        request: promptOf(words),
        provider: 'rehearsal',
      }),
    );
}

/** A store whose list of turns with confidential words is as it was before there was one. */
const unlisted = (store: Store): Store => ({ ...store, projection: async () => undefined });

test('the confidential words of a run are those of all its prompts, from the list as from the log', async () => {
  const word = fc.constantFrom('the client is Ada', 'the price is 9', 'call at noon');
  const prompts = fc.array(fc.uniqueArray(word, { maxLength: 2 }), { minLength: 1, maxLength: 5 });
  const store = await openForTest(await sqlitePlaces.fresh());
  let made = 0;
  await fc.assert(
    fc.asyncProperty(prompts, async (given) => {
      made += 1;
      const run = `run_${made}` as RunId;
      await record(store, run, given);
      const truth = new Set(given.flatMap((words) => confidentialTexts(promptOf(words).prompt.blocks)));
      expect(new Set(await confidentialOfRun(store, run))).toEqual(truth);
      expect(new Set(await confidentialOfRun(unlisted(store), run))).toEqual(truth);
    }),
    runs(50, 500),
  );
});

test('the log is not read where the list tells', async () => {
  const store = await openForTest(await sqlitePlaces.fresh());
  await record(store, RUN, [['the client is Ada'], ['the client is Ada'], []]);
  let reads = 0;
  const counted: Store = {
    ...store,
    read: (run, options) => {
      reads += (options?.limit ?? 1_000) > 100 ? 1 : 0;
      return store.read(run, options);
    },
  };
  expect(await confidentialOfRun(counted, RUN)).toContain('the client is Ada');
  expect(reads).toBe(0);
});

test('words that a deleted turn brought are found in the turns that hold them too', async () => {
  const store = await openForTest(await sqlitePlaces.fresh());
  await record(store, RUN, [['the client is Ada'], ['the price is 9', 'the client is Ada']]);
  const first = promptOf(['the client is Ada']).prompt.blocks[0]?.text ?? '';
  expect(await store.deleteBlob(digest(first))).toBe(true);
  expect((await confidentialOfRun(store, RUN)).join()).toContain('the client is Ada');
});
