import type { RunId } from '@cuebook/journal';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteFolder } from '../../test/sqlite.js';
import { laneScope } from './names.js';

test('the lease of a lane goes with its run', async () => {
  const folder = sqliteFolder();
  onTestFinished(() => folder.remove());
  const store = await folder.open();
  const [run, other] = ['run_1' as RunId, 'run_12' as RunId];
  for (const each of [run, other]) {
    const events = [{ type: 'run.started', data: {} }];
    await store.append({ run: each, command: 'start', target: 'start', expectedSeq: 0, events });
    const lease = await store.acquireLease(laneScope(each, `node/${'x'.repeat(300)}`), 'me', 60_000);
    if (lease) await store.releaseLease(lease);
  }
  await store.removeRun(run);
  const again = (each: RunId) =>
    store.acquireLease(laneScope(each, `node/${'x'.repeat(300)}`), 'you', 60_000);
  expect([(await again(run))?.token, (await again(other))?.token]).toEqual([1, 2]);
});
