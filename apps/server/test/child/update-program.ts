import { join } from 'node:path';
import { createClient } from '@cuebook/api';
import { startServer } from '../../src/start/start-server.js';
import { startOptions } from '../server-stand.js';

/** A server in a process of its own that moves a run to other sources, and is killed at a step of that. */
export interface UpdateTask {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly run: string;
  /** The id of the command. */
  readonly id: string;
  readonly to?: string;
  /** The step: each call of the store has three, before it, while it is under way and after it; -1: none. */
  readonly kill: number;
}

const { root, env, run, id, to, kill } = JSON.parse(process.argv[2] ?? '{}') as UpdateTask;
let [step, isCounting] = [0, false];
const moment = (): void => {
  if (!isCounting) return;
  if (step === kill) process.kill(process.pid, 'SIGKILL');
  step += 1;
};

type Calls = Record<string, (...args: readonly unknown[]) => unknown>;

/** Puts the steps around every call that answers later. */
function counted(calls: Calls): void {
  for (const [name, call] of Object.entries(calls)) {
    if (typeof call !== 'function' || name === 'subscribe') continue;
    calls[name] = (...args) => {
      moment();
      const answer = call.apply(calls, [...args]);
      if (!(answer instanceof Promise)) return answer;
      return Promise.all([answer, new Promise(setImmediate).then(moment)]).then(([value]) => {
        moment();
        return value;
      });
    };
  }
}

const started = await startServer({
  ...startOptions(root),
  ...{ home: join(root, 'home'), env, limits: { leaseMs: 2_000 }, take: { parallel: 0 } },
  groups({ store }) {
    counted(store as unknown as Calls);
    if (store.vault) counted(store.vault as unknown as Calls);
    return [];
  },
  log: (line) => process.stderr.write(`${line}\n`),
});
if (!started.ok) throw new Error(JSON.stringify(started.error));
const { url, token, close } = started.value;
isCounting = true;
const answer = await createClient({ url, token }).updateRun({ id, run, ...(to !== undefined && { to }) });
isCounting = false;
process.stdout.write(JSON.stringify({ answer, steps: step }));
await close();
