import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type ApiServer, startApiServer } from '../../test/api-server/api-server.js';
import { connect } from '../../test/objects.js';
import { until } from '../../test/until.js';
import type { KubeClient } from '../client/client.js';
import { systemClock } from '../clock.js';
import { elect } from './elect.js';

const TIMES = { leaseMs: 3_000, renewWithinMs: 2_500, everyMs: 50 };
const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Who leads now; two at once are told. */
function office() {
  const leading = new Set<string>();
  const row: string[] = [];
  let most = 0;
  return {
    row,
    most: () => most,
    lead: (identity: string) => async (signal: AbortSignal) => {
      leading.add(identity);
      row.push(identity);
      most = Math.max(most, leading.size);
      await new Promise((resolve) => {
        if (signal.aborted) resolve(undefined);
        signal.addEventListener('abort', resolve, { once: true });
      });
      leading.delete(identity);
    },
  };
}

/** Someone who stands for it, with a connection of its own that can be cut. */
function candidate(
  server: ApiServer,
  identity: string,
  lead: (signal: AbortSignal) => Promise<void>,
  {
    slowly = (client) => client,
    times = TIMES,
  }: { readonly slowly?: (client: KubeClient) => KubeClient; readonly times?: typeof TIMES } = {},
) {
  const { client, close } = connect(server.url, identity);
  const calledOff = new AbortController();
  const ended = elect(
    {
      ...{ client: slowly(client), namespace: 'default', name: 'operator', identity, clock: systemClock },
      ...{ signal: calledOff.signal, times },
    },
    lead,
  );
  const leave = async () => {
    calledOff.abort();
    await ended;
  };
  ends.push(close, leave);
  return { leave };
}

describe('an election', () => {
  it('has one leader, and the next one follows at once when it leaves', async () => {
    const server = await startApiServer();
    ends.push(() => server.stop());
    const { row, most, lead } = office();
    const first = candidate(server, 'one', lead('one'));
    await until(() => expect(row).toEqual(['one']));
    candidate(server, 'two', lead('two'));
    await wait(200);
    expect(row).toEqual(['one']);
    await first.leave();
    await until(() => expect(row).toEqual(['one', 'two']));
    expect(most()).toBe(1);
    const spec = server.storage.get('coordination.k8s.io/v1/leases', 'default/operator')?.spec;
    expect(spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 2 });
  });

  it('ends for a leader that cannot reach the server before another one takes over', async () => {
    const server = await startApiServer();
    ends.push(() => server.stop());
    const { row, most, lead } = office();
    candidate(server, 'one', lead('one'));
    await until(() => expect(row).toEqual(['one']));
    candidate(server, 'two', lead('two'));
    server.options.refuses = 'one';
    await until(() => expect(row).toEqual(['one', 'two']));
    expect(most()).toBe(1);
  });

  it('is given back though a renewal was late: it does not land behind that', async () => {
    const server = await startApiServer();
    ends.push(() => server.stop());
    let isSlow = false;
    let letGo = () => {};
    let landed: ReturnType<KubeClient['replace']> | undefined;
    const opened = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { row, lead } = office();
    const one = candidate(server, 'one', lead('one'), {
      times: { ...TIMES, renewWithinMs: 200 },
      slowly: (client) => ({
        ...client,
        async replace(resource, lease) {
          if (!isSlow) return client.replace(resource, lease);
          if ((lease.spec as { holderIdentity?: string }).holderIdentity === 'one') {
            setTimeout(letGo, 500);
            await opened;
            landed = client.replace(resource, lease);
            return landed;
          }
          // The worst moment: what gives it back has read the lease, and the late one comes first.
          letGo();
          await opened;
          await landed;
          return client.replace(resource, lease);
        },
      }),
    });
    await until(() => expect(row).toEqual(['one']));
    isSlow = true;
    await wait(2 * TIMES.everyMs);
    await one.leave();
    const spec = server.storage.get('coordination.k8s.io/v1/leases', 'default/operator')?.spec;
    expect(spec).toMatchObject({ holderIdentity: '' });
  });
});
