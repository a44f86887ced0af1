import { createClient } from '@cuebook/api';
import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, itInSoak } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { isStill, machine, must, script, until } from './machines.js';

const METRICS_TOKEN = 'only-for-metrics-0123456789';
const SLOW = script({ text: 'One.', delayMs: 2_000 }, { text: 'Two.' });

describePart('postgres', 'a process that is told to end', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await sharedPostgres();
  });

  it('a worker is not ready at once, says so until its turn has ended, and counts what it did', async () => {
    const first = machine(await databases.createDatabase());
    const { client, server } = await first.up({ take: { parallel: 0 }, stallMs: 0 });
    const worker = await first.work({
      probes: { host: '127.0.0.1', port: 0 },
      env: { ...first.env, CUEBOOK_METRICS_TOKEN: METRICS_TOKEN },
    });
    const ask = async (path: string, token?: string, base = worker.probes) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await fetch(`${base}${path}`, { headers });
      return { status: answer.status, text: await answer.text() };
    };
    expect(await ask('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await ask('/readyz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });

    // Nobody has the label: the server lives and answers, and names what is wrong with the project.
    const labelled = { target: 'agent:desk', input: 'Go.', script: SLOW, label: 'gpu' };
    must(await client.startRun({ id: 'gpu', ...labelled }));
    const stalled = { code: 'E_WORK_STALLED' };
    for (let cause: unknown; cause === undefined; )
      ({ cause } = must(await client.health()) as { readonly cause?: unknown });
    expect(must(await client.health())).toMatchObject({ status: 'degraded', cause: stalled });
    expect(await client.ready()).toMatchObject({ ok: true });

    const { run } = must(
      await client.startRun({ id: 'slow', target: 'agent:desk', input: 'Go.', script: SLOW }),
    );
    for await (const heard of client.follow({ run }))
      if (heard.type === 'event' && heard.event.type === 'turn.recorded') break;
    const drained = worker.drain();
    const refused = await ask('/readyz');
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'E_SERVER_DRAINING' } });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });

    expect(await ask('/metrics')).toMatchObject({ status: 401 });
    expect(await ask('/metrics', 'another')).toMatchObject({ status: 401 });
    const { token } = must(await client.addPerson({ name: 'ada', role: 'viewer' }));
    for (const each of [METRICS_TOKEN, token]) {
      const { status, text } = await ask('/metrics', each);
      expect(status).toBe(200);
      expect(text).toContain('cuebook_ready 0\n');
    }
    // The token for metrics opens nothing else, and the server has none.
    expect(await ask('/metrics', METRICS_TOKEN, server.url)).toMatchObject({ status: 401 });
    expect(await ask('/metrics', token, server.url)).toMatchObject({ status: 200 });
    const seen = await ask('/metrics', server.token, server.url);
    expect(seen.text).toMatch(/cuebook_queue_depth\{kind="thread"\} 1\n/);
    await drained;
    // The turn that was under way has ended, once.
    expect(must(await client.getReport({ run }))).toMatchObject({ text: 'One.', turns: 1 });
    await expect(ask('/readyz')).rejects.toThrow();
  });

  it('a server answers who asks and follows while a turn ends, is not ready, and takes no more work', async () => {
    const first = machine(await databases.createDatabase());
    const { client, server } = await first.up();
    const call = { target: 'agent:desk', input: 'Go.', script: SLOW };
    const { run } = must(await client.startRun({ id: 'slow', ...call }));
    const types: string[] = [];
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const end = new AbortController();
    const following = (async () => {
      for await (const heard of client.follow({ run, signal: end.signal })) {
        if (heard.type !== 'event') continue;
        types.push(heard.event.type);
        if (heard.event.type === 'turn.recorded') begun();
      }
    })();
    await isBegun;
    const closed = server.close();
    const draining = { ok: false, error: { status: 503, code: 'E_SERVER_DRAINING' } };
    expect(await createClient({ url: server.url }).ready()).toMatchObject(draining);
    expect(await client.startRun({ id: 'more', ...call })).toMatchObject(draining);
    expect(await client.getReport({ run })).toMatchObject({ ok: true });
    const before = types.length;
    await closed;
    end.abort();
    await following;
    // The end of the turn reached who followed it here.
    expect(types.slice(before)).toContain('effect.settled');
    const { client: again } = await machine(first.databaseUrl, first.key()).up({ take: { parallel: 0 } });
    expect(must(await again.getReport({ run }))).toMatchObject({ text: 'One.', turns: 1 });
    expect(must(await again.listRuns({})).runs.length).toBe(1);
  });

  itInSoak('a turn that does not end in time is left to another worker, which takes it again', async () => {
    const first = machine(await databases.createDatabase());
    const { client } = await first.up({ take: { parallel: 0 } });
    const leaving = await first.work({ drainMs: 1 });
    const steps = script({ text: 'One.', delayMs: 4_000 }, { text: 'Two.' });
    const { run } = must(
      await client.startRun({ id: 'slow', target: 'agent:desk', input: 'Go.', script: steps }),
    );
    for await (const heard of client.follow({ run }))
      if (heard.type === 'event' && heard.event.type === 'turn.recorded') break;
    await leaving.drain();
    await machine(first.databaseUrl, first.key()).work();
    expect(await until(client, run, isStill)).toMatchObject({ text: 'One.', turns: 1 });
  });
});
