import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONFIG } from '../../test/agent-run.js';
import { RUN } from '../../test/bench-stand.js';
import { type SqliteFolder, sqliteFolder } from '../../test/sqlite.js';
import { createAgentMachine } from '../conversation/machine.js';
import { createEngine } from '../loop/engine.js';
import { APPROVALS_PROJECTION } from './listing.js';

let folder: SqliteFolder;
beforeEach(() => {
  folder = sqliteFolder();
});
afterEach(() => folder.remove());

const answer = (name: string) => ({
  text: 'Well.',
  calls: name === '' ? [] : [{ id: 'x', name, input: { amount: 5 } }],
  end: { reason: 'done' },
});

test('what waits for a person is listed in the store over all runs, and gone once it is answered', async () => {
  const store = await folder.open();
  const answers = [answer('pay'), answer('')];
  const engine = createEngine({
    store,
    machine: createAgentMachine(CONFIG),
    drivers: {
      'model.turn': { perform: async () => ({ ok: true, output: answers.shift() ?? null }) },
      'tool.call': { perform: async () => ({ ok: true, output: 'paid' }) },
    },
  });
  await engine.start();
  await engine.submit(RUN, { id: 'a', type: 'agent.start', text: 'Pay the bill.', by: 'ann' });
  await engine.drain();
  const waiting = [...(await store.projections(APPROVALS_PROJECTION))];
  expect(waiting).toMatchObject([
    [expect.stringMatching(/^run_1\/apr_/), { run: RUN, lane: 'agent', tool: 'pay', input: { amount: 5 } }],
  ]);
  const [[, row] = []] = waiting;
  const { id: approval = '' } = (row ?? {}) as { id?: string };
  const resolve = { type: 'approval.resolve', approval, decision: 'allow', by: 'ann' } as const;
  expect(await engine.submit(RUN, { id: 'b', ...resolve })).toMatchObject({ ok: true });
  await engine.drain();
  expect((await store.projections(APPROVALS_PROJECTION)).size).toBe(0);
  await engine.stop();
});
