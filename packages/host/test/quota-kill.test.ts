import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import ledger from '../../../examples/kind-ledger/ledger.mjs';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { ROOT } from '../../../test/root.js';
import { inTurn, itInTurn as it, sampled } from '../../../test/runs.js';
import { openQuotas } from '../src/index.js';
import type { QuotaTask } from './child/quota-program.js';
import { fillRegister } from './fill-register.js';
import { hostStand, must, until } from './stand.js';

let child: ChildProgram;
beforeAll(async () => {
  child = await buildProgram(new URL('./child/quota-program.ts', import.meta.url));
});
afterAll(() => child.remove());

const SCRIPT = JSON.stringify({ lanes: { '*': [{ text: 'One.' }] } });
const call = { id: 'a', by: 'ada', target: 'ledger:shop', input: 'Go.', script: SCRIPT };

/** Steps of a run, and of one in which a volume of the register ends as well, with the first or a later change. */
const STEPS = [
  ...Array.from({ length: 14 }, (_, kill) => [kill, 0] as const),
  ...Array.from({ length: 20 }, (_, kill) => [kill, 1_000] as const),
  ...Array.from({ length: 20 }, (_, kill) => [kill, 999] as const),
];

it.each(inTurn(sampled(STEPS, 6), 3))(
  'a process killed with kill -9 at step %i of a run, with %i events in the register before: the same call goes on, counts once, and leaves nothing reserved',
  async (kill, before) => {
    const rules = readFileSync(`${ROOT}/examples/kind-ledger/ledgers/shop.md`, 'utf8');
    const stand = await hostStand({ kinds: () => [ledger], files: { 'ledgers/shop.md': rules } });
    try {
      const quotas = openQuotas(stand.store);
      must(await quotas.set('project', { runsPerDay: 1, runsAtOnce: 1, tokensPerDay: 100_000 }, 'owner'));
      await fillRegister(stand.store, before);
      const task: QuotaTask = { root: stand.root, call, kill };
      const died = spawnSync(process.execPath, [child.program, JSON.stringify(task)], { encoding: 'utf8' });
      // A run that is over before the step is one that lives.
      expect(died.signal === 'SIGKILL' || Number(died.stdout) <= kill, died.stderr).toBe(true);
      const host = await stand.open({ leaseMs: 5_000 });
      const { run } = must(await host.begin(call));
      const { usage } = await until(host, run, ({ status }) => status === 'done');
      await host.settleQuotas();
      expect((await quotas.read()).open.size).toBe(0);
      const uses = Object.fromEntries((await quotas.uses()).map(({ limit, spent }) => [limit, spent]));
      expect(uses).toEqual({ tokensPerDay: usage?.tokens, runsPerDay: 1, runsAtOnce: 0 });
      expect(await host.begin({ ...call, id: 'b' })).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
    } finally {
      await stand.remove();
    }
  },
);
