import type { StoreFault } from '@cuebook/journal';
import { skewClock } from '../../../../test/skewed-clock.js';
import { createEngine, type Engine } from '../../src/loop/engine.js';
import type { EngineFault } from '../../src/loop/fault.js';
import { inProcess } from '../../src/work/in-process.js';
import { postgresWork } from '../../src/work/postgres.js';
import { RUN } from '../bench-stand.js';
import { type ErrandCommand, type ErrandState, errandMachine } from '../errands.js';
import { requireStore } from '../sqlite.js';
import type { ChildTask } from './task.js';
import { errandDriver, openWorld } from './world.js';

/** Whatever the machine does, the slow errand is under way when the process kills itself. */
const UNTIL_KILLED_MS = 10 * 60_000;

/** A process of its own that works on errands, and kills itself where it was told to. */
const task = JSON.parse(process.argv[2] ?? '') as ChildTask;
if (task.skew) skewClock(task.skew);
const engine = await bootEngine(task);
const started = await engine.start();
process.send?.('started');
if (!started.ok) throw new Error('the work is held');
if (task.mode === 'alone') {
  const { errands } = task;
  const answer = await engine.submit(RUN, { id: 'go', type: 'errand.start', errands });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  await untilNothingIsOpen(engine);
  await engine.stop();
  process.exit(0);
}
process.on('message', () => {
  void engine.stop().then(() => process.exit(0));
});

async function bootEngine(given: ChildTask): Promise<Engine<ErrandState, ErrandCommand>> {
  const { leaseMs, owner, kill, place, mode } = given;
  let hits = 0;
  const die = (isHere: boolean) => {
    if (!isHere) return;
    hits += 1;
    if (hits === kill?.hit) process.kill(process.pid, 'SIGKILL');
  };
  const storeFault = (when: 'before' | 'after') => (point: string) =>
    die(kill?.part === 'store' && kill.when === when && kill.point === point);
  const fault: StoreFault = { before: storeFault('before'), after: storeFault('after') };
  const engineFault: EngineFault = (point) => die(kill?.part === 'engine' && kill.point === point);
  const store = await requireStore(place, { fault });
  const shared = 'databaseUrl' in place && mode === 'shared';
  return createEngine({
    store,
    machine: errandMachine,
    drivers: { errand: errandDriver(openWorld(given.world), mode === 'alone' ? UNTIL_KILLED_MS : 0) },
    owner,
    fault: engineFault,
    keepState: true,
    work: shared
      ? postgresWork({ connectionString: place.databaseUrl, leaseMs, parallel: 4 })
      : inProcess({ leaseMs, parallel: 4, sweepMs: 250 }),
  });
}

/** Timers count as open: what is alone has to wait for them. */
async function untilNothingIsOpen(one: Engine<ErrandState, ErrandCommand>): Promise<void> {
  for (;;) {
    await one.drain();
    const { ledger } = await one.read(RUN);
    if (ledger.effects.size === 0 && ledger.timers.size === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
