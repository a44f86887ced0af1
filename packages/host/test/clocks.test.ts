import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, timeOf } from '@cuebook/journal';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { describePart } from '../../../test/part.js';
import { sampled, itInTurn as test } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { SKEWS } from '../../../test/skewed-clock.js';
import { openPeople, openQuotas, openSchedules, openWebhooks } from '../src/index.js';
import { signDelivery } from '../src/webhook/signature.js';
import type { ClockReport } from './child/clock-program.js';
import { must } from './stand.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describePart('postgres', 'servers whose clocks differ', () => {
  let server: Databases;
  let child: ChildProgram;
  beforeAll(async () => {
    [server, child] = await Promise.all([
      sharedPostgres(),
      buildProgram(new URL('./child/clock-program.ts', import.meta.url)),
    ]);
  });
  afterAll(() => child.remove());

  test('end tokens, begin schedules and days, and take deliveries, all at the time of the database', async () => {
    const databaseUrl = await server.createDatabase();
    const home = mkdtempSync(join(tmpdir(), 'clocks-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const store = must(await openStore({ databaseUrl }, { home }));
    onTestFinished(() => store.close());
    const now = timeOf(store);
    const people = openPeople(store);
    const tokens = [];
    for (const [n, ms] of [HOUR, -1, 2 * DAY, -HOUR, undefined].entries()) {
      const end = ms === undefined ? {} : { expiresAt: now() + ms };
      tokens.push(must(await people.add({ name: `p${n}`, role: 'viewer' }, 'owner', end)).token);
    }
    must(await openQuotas(store).set('project', { runsPerDay: 5, tokensPerDay: 1_000 }, 'owner'));
    const hooks = openWebhooks(store);
    const call = { target: 'agent:desk' };
    const old = must(await hooks.add({ act: 'start', call, takes: {} }, 'owner'));
    const { id } = old.webhook;
    const rotated = must(await hooks.rotate(id, 'owner', { endsAt: now() + HOUR }));
    const signed = (secret: string, ms: number) => {
      const given = { id: `msg_${ms}`, timestamp: String(Math.floor((now() + ms) / 1_000)), body: '{}' };
      return { ...given, signature: signDelivery(secret, { ...given, body: Buffer.from(given.body) }) };
    };
    const added = now();
    const minutes = { cron: '* * * * *', zone: 'UTC', missed: 'all' } as const;
    // As if it had been there for five minutes.
    must(await openSchedules(store, () => added - 5 * MINUTE).add({ ...minutes, call }, 'owner'));

    const begun: string[] = [];
    for (const name of ['leaping ahead', ...sampled(Object.keys(SKEWS), 3)]) {
      const { secret } = rotated;
      const deliveries = [
        signed(secret, 0),
        signed(old.secret, 0),
        signed(secret, -HOUR),
        signed(secret, HOUR),
      ];
      const task = { ...{ databaseUrl, home, skew: SKEWS[name], tokens, hook: id }, deliveries };
      const before = now();
      const ran = spawnSync(process.execPath, [child.program, JSON.stringify(task)], { encoding: 'utf8' });
      expect(ran.status, ran.stderr).toBe(0);
      const report = JSON.parse(ran.stdout) as ClockReport;
      expect(report.now, name).toBeGreaterThan(before - 2_000);
      expect(report.now, name).toBeLessThan(now() + 2_000);
      expect(report.valid, name).toEqual([true, false, true, false, true]);
      expect(report.delivered, name).toEqual([true, true, false, false]);
      expect(report.secrets, name).toBe(2);
      const midnights = [before, now()].map((at) => (Math.floor(at / DAY) + 1) * DAY);
      for (const frees of report.frees) expect(midnights, name).toContain(frees);
      begun.push(...report.begun);
    }
    const times = begun.map((each) => Date.parse(each.split(' ')[1] ?? ''));
    expect(new Set(times).size).toBe(times.length);
    expect(Math.min(...times)).toBeGreaterThan(added - 5 * MINUTE);
    expect(Math.max(...times)).toBeLessThanOrEqual(now());
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...times) - Math.min(...times)).toBe((times.length - 1) * MINUTE);
  });
});
