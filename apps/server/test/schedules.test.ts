import { manualClock } from '@cuebook/engine';
import { beforeAll, describe, expect, it as itAlways, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { machine, script } from './machines.js';
import { must, serverStand } from './server-stand.js';

const ONCE = {
  'sheets/once.yaml': 'title: Once\nblocks: [{ name: r, role: system, parts: [{ text: Hi. }] }]\n',
};
const REVIEW = {
  'sheets/review.yaml': `title: Review
inputs: { change: { trust: operator, secrecy: public, volatility: turn } }
blocks: [{ name: change, role: user, parts: [{ input: change }] }]
`,
};
const MINUTE = 60_000;
const EACH_MINUTE = { target: 'sheet:once', cron: '* * * * *', script: script({ text: 'Done.' }) };

describe('a schedule at a server', () => {
  it('is listed, paused, resumed and removed; what does not fit is refused with a code', async () => {
    const stand = await serverStand({ files: ONCE });
    onTestFinished(() => stand.remove());
    const { client } = stand;
    const { id } = must(await client.addSchedule({ ...EACH_MINUTE, zone: 'Asia/Tokyo', missed: 'last' }));
    const [listed] = must(await client.listSchedules({})).schedules;
    expect(listed).toMatchObject({ id, by: 'owner', paused: false, last: null, next: expect.any(Number) });
    expect(must(await client.pauseSchedule({ schedule: id }))).toMatchObject({ paused: true, next: null });
    expect(must(await client.resumeSchedule({ schedule: id }))).toMatchObject({ paused: false });
    must(await client.removeSchedule({ schedule: id }));
    expect(must(await client.listSchedules({}))).toEqual({ schedules: [] });
    const refused = async (asked: object) => {
      const answer = await client.addSchedule({ ...EACH_MINUTE, ...asked });
      return answer.ok ? 'ok' : [answer.error.status, answer.error.code];
    };
    expect(await refused({ cron: '* * *' })).toEqual([400, 'E_SCHEDULE_CRON']);
    expect(await refused({ zone: 'Moon/Base' })).toEqual([400, 'E_SCHEDULE_CRON']);
    expect(await refused({ target: 'nothing' })).toEqual([400, 'E_RUN_TARGET']);
    expect(await client.pauseSchedule({ schedule: id })).toMatchObject({
      ok: false,
      error: { status: 404, code: 'E_SCHEDULE_UNKNOWN' },
    });
  });

  it('begins a sheet with the texts of its inputs; other targets take none', async () => {
    const clock = manualClock(Math.floor(Date.now() / MINUTE) * MINUTE);
    const stand = await serverStand({ files: REVIEW, options: { clock } });
    onTestFinished(() => stand.remove());
    const { client } = stand;
    const review = { ...EACH_MINUTE, target: 'sheet:review', inputs: { change: 'A line of the diff.' } };
    expect(must(await client.addSchedule(review))).toMatchObject({ inputs: ['change'] });
    clock.advance(MINUTE);
    await expect
      .poll(async () => must(await client.listSchedules({})).schedules[0]?.last?.run, WAIT)
      .toMatch(/^run_/);
    const started = must(await client.startRun({ ...review, cron: undefined } as never)).run;
    const scheduled = String(must(await client.listSchedules({})).schedules[0]?.last?.run);
    for (const run of [scheduled, started]) {
      await expect.poll(async () => must(await client.getReport({ run })).status, WAIT).toBe('done');
      const [turn] = must(await client.listRecorded({ run })).turns;
      const shown = must(await client.getTurn({ run, turn: turn?.turn ?? '', reveal: 'true' }));
      expect(JSON.stringify(shown)).toContain('A line of the diff.');
    }
    for (const target of ['agent:desk', 'team:team.yaml'])
      for (const refused of [
        await client.addSchedule({ ...review, target }),
        await client.addWebhook({ target, inputs: review.inputs }),
        await client.startRun({ target, inputs: review.inputs }),
      ])
        expect(refused).toMatchObject({ ok: false, error: { status: 400, field: 'inputs' } });
  });

  itAlways('begins a run at its time, and after a restart makes up what was missed as it says', async () => {
    const clock = manualClock(Math.floor(Date.now() / MINUTE) * MINUTE);
    const stand = await serverStand({ files: ONCE, options: { clock } });
    onTestFinished(() => stand.remove());
    const begun = async (client: typeof stand.client, count: number) => {
      await expect.poll(async () => must(await client.listRuns({})).runs.length, WAIT).toBe(count);
      await expect
        .poll(async () => must(await client.listSchedules({})).schedules[0]?.last?.run, WAIT)
        .not.toBeNull();
    };
    must(await stand.client.addSchedule({ ...EACH_MINUTE, missed: 'last' }));
    clock.advance(MINUTE);
    await begun(stand.client, 1);
    await stand.server.close();
    clock.advance(30 * MINUTE);
    const again = await stand.restart();
    onTestFinished(() => again.remove());
    // Half an hour without a server: the newest of thirty times is made up.
    await begun(again.client, 2);
  });
});

const WAIT = { interval: 50 };

describePart('postgres', 'a schedule of a project on many machines', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('begins each time once, with two servers and a worker', async () => {
    const databaseUrl = await server.createDatabase();
    const clock = manualClock(Math.floor(Date.now() / MINUTE) * MINUTE);
    const first = machine(databaseUrl);
    const { client } = await first.up({ clock });
    const second = machine(databaseUrl, first.key());
    await second.up({ clock });
    const third = machine(databaseUrl, first.key());
    await third.work({ clock });
    must(await client.addSchedule({ ...EACH_MINUTE, missed: 'all' }));
    for (let times = 1; times <= 3; times += 1) {
      clock.advance(MINUTE);
      await expect.poll(async () => must(await client.listRuns({})).runs.length, WAIT).toBe(times);
    }
    await expect
      .poll(
        async () => must(await client.listRuns({})).runs.every(({ status }) => status === 'completed'),
        WAIT,
      )
      .toBe(true);
    expect(must(await client.listRuns({})).runs.map(({ turns }) => turns)).toEqual([1, 1, 1]);
    expect([first.log, second.log, third.log].flat()).toEqual([]);
  });
});
