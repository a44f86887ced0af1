import { appendFileSync } from 'node:fs';
import { openStore } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import { runOf } from '../../src/run-of.js';
import { openSchedules } from '../../src/schedule/schedules.js';

/** A server that looks at the schedules of a file at one time, and is killed at a step of it. */
export interface ScheduleTask {
  readonly file: string;
  /** A line for each run that it begins. */
  readonly log: string;
  readonly at: number;
  /** The step: the acts are counted, twice each, before and after. Left out: it lives. */
  readonly kill?: number;
}

const { file, log, at, kill = -1 } = JSON.parse(process.argv[2] ?? '{}') as ScheduleTask;
const opened = await openStore({ file }, { clock: { now: () => at } });
if (!opened.ok) throw new Error(opened.error.code);
const store = opened.value;
let step = 0;
const moment = (): void => {
  if (step === kill) process.kill(process.pid, 'SIGKILL');
  step += 1;
};
const parts: Parameters<typeof openSchedules>[0] = {
  ...store,
  async append(batch) {
    moment();
    const done = await store.append(batch);
    moment();
    return done;
  },
};
await openSchedules(parts, () => at).tick(async ({ id }) => {
  moment();
  appendFileSync(log, `${id}\n`);
  moment();
  return ok({ run: runOf(id), diagnostics: [] });
}, at);
await store.close();
process.stdout.write(String(step));
