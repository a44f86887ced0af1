import { expect, test } from 'vitest';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { block, freshSigner, must, requestOf } from '../../test/turns.js';
import type { RunId } from '../contract.js';
import { locateTurn } from './locate.js';
import { createRecorder } from './recorder.js';

const RUN = 'run_a' as RunId;

test('a turn is found by its id, its number and as the last, wherever other events stand', async () => {
  const store = await openForTest(await sqlitePlaces.fresh());
  const recorder = createRecorder({ store, signer: freshSigner() });
  const noise = async (id: string, count: number) => {
    const seq = (await store.head(RUN))?.seq ?? 0;
    const events = Array.from({ length: count }, () => ({ type: 'noted', data: {} }));
    must(await store.append({ run: RUN, command: id, target: 'x', expectedSeq: seq, events }));
  };
  expect(await locateTurn(store, RUN, 'last')).toBeUndefined();
  await noise('first', 3);
  for (let n = 1; n <= 9; n += 1) {
    const request = requestOf([block('a', `Words ${n}.`)]);
    must(await recorder.record({ run: RUN, turn: `t${n}`, lane: 'l', request, provider: 'p' }));
    await noise(`after ${n}`, n === 4 ? 60 : n % 3 === 0 ? 1 : 5);
  }
  for (let n = 1; n <= 9; n += 1) {
    const found = { turn: `t${n}`, number: n };
    expect(await locateTurn(store, RUN, String(n))).toMatchObject(found);
    expect(await locateTurn(store, RUN, `t${n}`)).toMatchObject(found);
  }
  expect(await locateTurn(store, RUN, 'last')).toMatchObject({ turn: 't9' });
  for (const named of ['0', '10', '-1', '1e1', 't10', ''])
    expect(await locateTurn(store, RUN, named)).toBeUndefined();
});

test('a few looks find a turn in a long log', async () => {
  const store = await openForTest(await sqlitePlaces.fresh());
  const recorder = createRecorder({ store, signer: freshSigner() });
  const request = requestOf([block('a', 'Words.')]);
  for (let n = 1; n <= 40; n += 1)
    must(await recorder.record({ run: RUN, turn: `t${n}`, lane: 'l', request, provider: 'p' }));
  let events = 0;
  const read: typeof store.read = async (run, options) => {
    const found = await store.read(run, options);
    events += found.length;
    return found;
  };
  expect(await locateTurn({ ...store, read }, RUN, '40')).toMatchObject({ turn: 't40' });
  expect(events).toBeLessThanOrEqual(8 * 6);
});
