import type { Store } from '@cuebook/journal';
import ledger from '../../../../examples/kind-ledger/ledger.mjs';
import type { StartCall } from '../../src/contract.js';
import { hostStand, must } from '../stand.js';

/** A process that begins a run of a project with limits, and is killed at a step of it. */
export interface QuotaTask {
  readonly root: string;
  readonly call: StartCall;
  /** The step: writes are counted twice each, before and after, and the moment between reserving and beginning once. */
  readonly kill: number;
}

const { root, call, kill } = JSON.parse(process.argv[2] ?? '{}') as QuotaTask;
let step = 0;
const moment = (): void => {
  if (step === kill) process.kill(process.pid, 'SIGKILL');
  step += 1;
};
const stand = await hostStand({ kinds: () => [ledger], root });
const store: Store = {
  ...stand.store,
  async append(batch) {
    moment();
    const done = await stand.store.append(batch);
    moment();
    return done;
  },
  async removeRun(run) {
    moment();
    const done = await stand.store.removeRun(run);
    moment();
    return done;
  },
};
const host = await stand.open({ store, leaseMs: 5_000, onReserved: moment });
must(await host.begin(call));
await host.drain();
process.stdout.write(String(step));
await stand.stopAll();
await stand.store.close();
