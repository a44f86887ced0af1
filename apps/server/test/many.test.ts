import { beforeAll, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { startPostgres } from '../../../test/postgres.js';
import { itInTurn as it, itInSoak, sampled } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { slowLine } from '../../../test/slow-line.js';
import { isStill, machine, must, problemsOf, script, TARGETS, until } from './machines.js';

/** It takes no run: whatever is begun there is worked on elsewhere. */
const IDLE = { take: { parallel: 0 } };

describePart('postgres', 'several machines on one database', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('a run of every kind that is begun at one is worked on by another, and followed, answered and verified at a third', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl);
    const { client: one, server: begun } = await first.up(IDLE);
    const second = machine(databaseUrl, first.key());
    const { client: two, server: other } = await second.up(IDLE);
    expect(other.token).toBe(begun.token);
    await machine(databaseUrl, first.key()).work();
    const targets = sampled(TARGETS, 2);
    for (const target of targets) {
      const steps = script({ text: `Hello from ${target}.` }, { text: 'Two.' });
      const input = target === 'sheet:once' ? {} : { input: 'Begin.' };
      const { run } = must(await one.startRun({ id: target, target, ...input, script: steps }));
      const report = await until(two, run, isStill);
      expect(report.turns).toBe(1);
      const { waiting } = must(await two.listWaiting({}));
      const wait = waiting.find((each) => each.run === run);
      if (wait !== undefined) {
        must(await two.answerWait({ run, wait: wait.id, reply: { texts: ['More.'] } }));
        expect((await until(one, run, (each) => isStill(each) && each.turns === 2)).turns).toBe(2);
      }
      for (const client of [one, two]) expect(await problemsOf(client, run), target).toEqual([]);
    }
    expect(must(await one.listRuns({})).runs.length).toBe(targets.length);
    expect([...first.log, ...second.log]).toEqual([]);
  });

  it('a worker that drains leaves its runs to another, which goes on with the workflow as it stood', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl);
    const { client } = await first.up(IDLE);
    const leaving = await machine(databaseUrl, first.key()).work();
    const write = { name: 'fs.write', args: { path: '@project/made.md', content: 'made' } };
    const steps = script({ toolCalls: [write] }, { text: 'What next?' }, { text: 'Done.' });
    const target = 'workflow:workflows/hb';
    const { run } = must(await client.startRun({ id: 'flow', target, input: 'Go.', script: steps }));
    await until(client, run, isStill);
    await leaving.drain();
    await machine(databaseUrl, first.key()).work();
    const [wait] = must(await client.listWaiting({})).waiting;
    must(await client.answerWait({ run, wait: wait?.id ?? '', reply: { texts: ['Go on.'] } }));
    const report = await until(client, run, (each) => isStill(each) && each.turns === 3);
    expect(report).toMatchObject({ status: 'waiting', text: 'Done.' });
    expect(await problemsOf(client, run)).toEqual([]);
  });

  it.each(
    sampled(
      [
        ['after its database was away with every slot busy', 'away', 0],
        ['when its connections are cut again and again, also in the middle of commits', 'cut', 0],
        ['with round trips of 50 ms to its database', 'slow', 50],
        ['with round trips of 200 ms to its database', 'slow', 200],
      ] as const,
      1,
    ),
  )('all goes on by itself, and each turn is taken once, %s', async (_name, trouble, delayMs) => {
    const line = await slowLine(await server.createDatabase());
    onTestFinished(() => line.close());
    const first = machine(line.url);
    const { client } = await first.up(IDLE);
    await machine(line.url, first.key()).work({ take: { parallel: 2 } });
    line.delay(delayMs);
    const steps = script({ text: 'One.', delayMs: 2_000 }, { text: 'Two.' });
    const runs: string[] = [];
    for (const id of ['a', 'b', 'c', 'd'])
      runs.push(must(await client.startRun({ id, target: 'agent:desk', input: 'Go.', script: steps })).run);
    if (trouble === 'away') {
      line.sever();
      while ((await client.ready()).ok);
      line.fix();
      while (!(await client.ready()).ok);
    }
    // From the beginning of the first turns to after the ends of the last: commits are cut wherever they are.
    for (let cuts = 0; trouble === 'cut' && cuts < 25; cuts += 1) {
      line.cut();
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    while (trouble === 'cut' && !(await client.ready()).ok);
    for (const run of runs) {
      const report = await until(client, run, isStill);
      expect(report).toMatchObject({ text: 'One.', turns: 1 });
      const { events } = must(await client.listEvents({ run, limit: 1_000 }));
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type === 'turn.recorded').length).toBe(1);
      expect(types).not.toContain('effect.asked');
      expect(await problemsOf(client, run)).toEqual([]);
    }
    line.delay(0);
  });

  it('two projects on one database see nothing of each other', async () => {
    const databaseUrl = await server.createDatabase();
    const projects = await Promise.all(
      [machine(databaseUrl), machine(databaseUrl)].map(async (first) => {
        const one = await first.up();
        const two = await machine(databaseUrl, first.key()).up();
        return { one, two };
      }),
    );
    const runs = await Promise.all(
      projects.map(async ({ one, two }, index) => {
        const steps = script({ text: `Words of project ${index}.` });
        // The same id in both: the same name of a run.
        const { run } = must(
          await one.client.startRun({ id: 'same', target: 'agent:desk', input: 'Begin.', script: steps }),
        );
        expect((await until(two.client, run, isStill)).text).toBe(`Words of project ${index}.`);
        return run;
      }),
    );
    expect(runs[0]).toBe(runs[1]);
    for (const [index, { one, two }] of projects.entries()) {
      expect(one.server.token).toBe(two.server.token);
      expect(one.server.token).not.toBe(projects[1 - index]?.one.server.token);
      for (const { client } of [one, two]) {
        expect(must(await client.listRuns({})).runs.length).toBe(1);
        expect(await problemsOf(client, runs[0] ?? '')).toEqual([]);
        const { events } = must(await client.listEvents({ run: runs[0] ?? '', limit: 1_000 }));
        expect(JSON.stringify(events)).not.toContain(`project ${1 - index}`);
      }
    }
  });

  itInSoak(
    'goes on with the server that follows the database, with every slot busy: each turn is taken once, and nothing is lost',
    async () => {
      const primary = await startPostgres();
      onTestFinished(() => primary.stop());
      const databaseUrl = await primary.createDatabase();
      const follower = await primary.follow();
      onTestFinished(() => follower.stop());
      const line = await slowLine(databaseUrl);
      onTestFinished(() => line.close());
      const first = machine(line.url);
      const { client } = await first.up({ take: { parallel: 0 } });
      await machine(line.url, first.key()).work({ take: { parallel: 3 } });
      await machine(line.url, first.key()).work({ take: { parallel: 3 } });
      const steps = script({ text: 'One.', delayMs: 4_000 }, { text: 'Two.' });
      const runs: string[] = [];
      for (let index = 0; index < 10; index += 1) {
        const id = `run-${index}`;
        runs.push(must(await client.startRun({ id, target: 'agent:desk', input: 'Go.', script: steps })).run);
      }
      line.sever();
      await follower.promote();
      while ((await client.ready()).ok);
      line.lead(follower.url.replace(/\/postgres$/, new URL(databaseUrl).pathname));
      line.fix();
      while (!(await client.ready()).ok);
      for (const run of runs) {
        expect(await until(client, run, isStill)).toMatchObject({ text: 'One.', turns: 1 });
        const { events } = must(await client.listEvents({ run, limit: 1_000 }));
        const types = events.map(({ type }) => type);
        expect(types.filter((type) => type === 'turn.recorded').length).toBe(1);
        expect(types).not.toContain('effect.asked');
        expect(await problemsOf(client, run)).toEqual([]);
      }
    },
  );
});
