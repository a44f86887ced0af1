import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@cuebook/journal';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../../test/child-program.js';
import { itInTurn as it, sampled } from '../../../../test/runs.js';
import type { ScheduleTask } from '../../test/child/schedule-program.js';
import { commandOf } from './schedule.js';
import { openSchedules } from './schedules.js';

let child: ChildProgram;
const folder = mkdtempSync(join(tmpdir(), 'schedules-kill-'));
beforeAll(async () => {
  child = await buildProgram(new URL('../../test/child/schedule-program.ts', import.meta.url));
});
afterAll(() => {
  child.remove();
  rmSync(folder, { recursive: true, force: true });
});

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
/** Servers look at the first, the second, the seventh and the eighth minute; nobody is there in between. */
const LOOKS = [1, 2, 7, 8].map((minute) => START + minute * MINUTE + 1_000);
/** The times that each rule begins: what was missed is left out, made up by the newest, or all of it. */
const BEGUN = { skip: [1, 2, 7, 8], last: [1, 2, 7, 8], all: [1, 2, 3, 4, 5, 6, 7, 8] } as const;
const CASES = (['skip', 'last', 'all'] as const).flatMap((missed) =>
  LOOKS.flatMap((_, look) => Array.from({ length: 6 }, (_each, kill) => ({ missed, look, kill }))),
);

it.each(sampled(CASES, 2))(
  'a server killed with kill -9 at a step ($missed, look $look, step $kill): each time is one run, as the rule says',
  async ({ missed, look, kill }) => {
    const name = `${missed}-${look}-${kill}`;
    const [file, log] = [join(folder, `${name}.db`), join(folder, `${name}.log`)];
    writeFileSync(log, '');
    const opened = await openStore({ file }, { clock: { now: () => START } });
    if (!opened.ok) throw new Error(opened.error.code);
    const call = { target: 'agent:desk', input: 'Go.' };
    const times = { cron: '* * * * *', zone: 'UTC', missed };
    const added = await openSchedules(opened.value, () => START).add({ ...times, call }, 'ada');
    if (!added.ok) throw new Error(added.error.code);
    const serve = (task: Omit<ScheduleTask, 'file' | 'log'>) =>
      spawnSync(process.execPath, [child.program, JSON.stringify({ file, log, ...task })], {
        encoding: 'utf8',
      });
    for (const [index, at] of LOOKS.entries()) {
      if (index === look) {
        const killed = serve({ at, kill });
        // A look that is over before the step is one that lives.
        expect(killed.signal === 'SIGKILL' || Number(killed.stdout) <= kill, killed.stderr).toBe(true);
      }
      expect(serve({ at })).toMatchObject({ status: 0, stderr: '' });
    }
    const events = (await opened.value.readAll({ limit: 10_000 })).map(({ type, data }) => ({
      type,
      ...(data as { readonly time: number }),
    }));
    await opened.value.close();
    const wanted = BEGUN[missed].map((minute) => START + minute * MINUTE);
    for (const type of ['schedule.due', 'schedule.begun'])
      expect(events.filter((event) => event.type === type).map(({ time }) => time)).toEqual(wanted);
    // Who is killed in the middle begins it again, under the id that makes it the same run.
    const begun = new Set(readFileSync(log, 'utf8').trimEnd().split('\n'));
    expect([...begun]).toEqual(wanted.map((time) => commandOf(added.value.id, time)));
  },
);
