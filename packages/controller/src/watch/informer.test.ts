import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { randomOf } from '../../../../test/random.js';
import { SEED } from '../../../../test/runs.js';
import { type ApiServer, startApiServer } from '../../test/api-server/api-server.js';
import { handClock } from '../../test/hand-clock.js';
import { CONFIG_MAPS, configMap, connect, fastClock, STORED } from '../../test/objects.js';
import { until } from '../../test/until.js';
import { createKubeClient } from '../client/client.js';
import { createTransport } from '../client/transport.js';
import { keyOf } from '../object.js';
import { type Informer, startInformer } from './informer.js';

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function stand(): Promise<{ readonly server: ApiServer; readonly informer: Informer }> {
  const server = await startApiServer();
  const { client, close } = connect(server.url);
  const calledOff = new AbortController();
  const informer = startInformer({
    client,
    resource: CONFIG_MAPS,
    clock: fastClock,
    signal: calledOff.signal,
  });
  ends.push(
    () => server.stop(),
    close,
    async () => {
      calledOff.abort();
      await informer.ended;
    },
  );
  return { server, informer };
}

/** Once the cache says what the server has. */
const agree = (server: ApiServer, informer: Informer) =>
  until(() =>
    expect(
      informer.cache
        .keys()
        .toSorted()
        .map((key) => [key, informer.cache.get(key)?.data]),
    ).toEqual(
      server.storage
        .list(STORED)
        .map((each) => [keyOf(each), each.data])
        .toSorted(),
    ),
  );

const listsOf = ({ requests }: ApiServer): number =>
  requests.filter((each) => each === 'GET /api/v1/configmaps').length;

describe('an informer', () => {
  it('follows, and goes on from where it was when the connection is lost: nothing is listed again', async () => {
    const { server, informer } = await stand();
    await informer.synced;
    for (let n = 0; n < 5; n += 1) {
      server.storage.create(STORED, `default/m${n}`, configMap(`m${n}`, { n: String(n) }));
      await until(() => expect(server.watches).toBe(1));
      server.dropWatches();
      server.storage.create(STORED, `default/late${n}`, configMap(`late${n}`, {}));
    }
    await agree(server, informer);
    expect(informer.cache.size).toBe(10);
    expect(listsOf(server)).toBe(1);
  });

  it('lists again when the server does not keep what happened, and sees what was removed meanwhile', async () => {
    const { server, informer } = await stand();
    server.storage.create(STORED, 'default/a', configMap('a', { v: '1' }));
    await agree(server, informer);
    await until(() => expect(server.watches).toBe(1));
    await server.stop();
    server.storage.remove(STORED, 'default/a');
    server.storage.create(STORED, 'default/b', configMap('b', { v: '2' }));
    server.storage.compact();
    await server.start();
    await agree(server, informer);
    expect(informer.cache.keys()).toEqual(['default/b']);
    expect(informer.state()).toEqual({ isSynced: true });
  });

  it('keeps its place by bookmarks, so that a quiet kind is not listed again', async () => {
    const { server, informer } = await stand();
    await informer.synced;
    await until(() => expect(server.watches).toBe(1));
    // Another kind moves on; then what happened before is not kept any more.
    server.storage.create('v1/secrets', 'default/s', { ...configMap('s', {}), kind: 'Secret' });
    server.bookmark();
    await wait(50);
    server.storage.compact();
    server.dropWatches();
    server.storage.create(STORED, 'default/a', configMap('a', {}));
    await agree(server, informer);
    expect(listsOf(server)).toBe(1);
  });

  it('tells every object again from time to time, and lists nothing for it, though the watch was idle for ten minutes', async () => {
    const server = await startApiServer();
    const { client, close } = connect(server.url);
    const clock = handClock();
    const calledOff = new AbortController();
    const options = { client, resource: CONFIG_MAPS, clock, signal: calledOff.signal };
    server.storage.create(STORED, 'default/a', configMap('a', {}));
    const informer = startInformer({ ...options, resyncMs: 600_000, random: () => 0.5 });
    ends.push(
      () => server.stop(),
      close,
      async () => {
        calledOff.abort();
        await informer.ended;
      },
    );
    const told: string[] = [];
    informer.onChange(({ type, key }) => told.push(`${type} ${key}`));
    await until(() => expect(server.watches).toBe(1));
    await new Promise((resolve) => setImmediate(resolve));
    for (let round = 1; round <= 3; round += 1) {
      clock.forward(600_000);
      await until(() => expect(told.filter((each) => each === 'resync default/a')).toHaveLength(round));
    }
    expect(listsOf(server)).toBe(1);
    // The watch that was idle meanwhile still tells.
    server.storage.create(STORED, 'default/b', configMap('b', {}));
    await until(() => expect(told).toContain('added default/b'));
  });

  it('begins a watch again that has been silent for too long, from where it was', async () => {
    const server = await startApiServer();
    const transport = createTransport({ server: server.url });
    const client = createKubeClient(transport, { idleMs: 40 });
    const calledOff = new AbortController();
    const informer = startInformer({
      ...{ client, resource: CONFIG_MAPS, clock: fastClock, signal: calledOff.signal },
    });
    ends.push(
      () => server.stop(),
      transport.close,
      async () => {
        calledOff.abort();
        await informer.ended;
      },
    );
    await informer.synced;
    const watchesOf = () => server.requests.filter((each) => each.endsWith('?watch')).length;
    await until(() => expect(watchesOf()).toBeGreaterThan(2));
    server.storage.create(STORED, 'default/a', configMap('a', {}));
    await agree(server, informer);
    expect(listsOf(server)).toBe(1);
  });

  it('says why the server does not answer, and comes back by itself', async () => {
    const { server, informer } = await stand();
    await informer.synced;
    server.options.fault = () => ({ status: 503 });
    server.dropWatches();
    await until(() => expect(informer.state().failure).toBe('as the test says'));
    server.storage.create(STORED, 'default/a', configMap('a', {}));
    delete server.options.fault;
    await agree(server, informer);
    expect(informer.state().failure).toBeUndefined();
  });

  it('agrees with the server after any row of edits, lost connections, kills, refusals and forgotten pasts', async () => {
    const { server, informer } = await stand();
    const pick = randomOf(SEED);
    for (let step = 0; step < 120; step += 1) {
      const name = `m${pick(8)}`;
      const key = `default/${name}`;
      const does = pick(10);
      if (does < 5) {
        const data = { step: String(step) };
        if (server.storage.get(STORED, key) === undefined)
          server.storage.create(STORED, key, configMap(name, data));
        else server.storage.replace(STORED, key, configMap(name, data), false);
      } else if (does === 5) server.storage.remove(STORED, key);
      else if (does === 6) server.dropWatches();
      else if (does === 7) server.storage.compact();
      else if (does === 8) {
        let left = 3;
        server.options.fault = () => {
          left -= 1;
          return left < 0 ? undefined : pick(2) === 0 ? 'drop' : { status: 500 };
        };
      } else {
        await server.stop();
        await wait(2);
        await server.start();
      }
      if (pick(4) === 0) await wait(3);
    }
    delete server.options.fault;
    await agree(server, informer);
  });
});
