import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '@cuebook/controller';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { agent, type Cluster, configMap, openCluster, RESOURCES, SPEED, settled } from '../test/cluster.js';

let cluster: Cluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.end());

const HELLO = 'Hello. {{include "prompts/tone"}}';

describe('an operator', () => {
  itInTurn('looks once at each Agent that an edit concerns, and at no other', async () => {
    const operator = cluster.start();
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
    await cluster.put('configMaps', configMap('unused', { tone: 'x' }));
    const names = Array.from({ length: 20 }, (_, n) => `a${n}`);
    for (const name of names) await cluster.put('agents', agent(name, HELLO, ['prompts']));
    for (const name of ['b0', 'b1']) await cluster.put('agents', agent(name, 'Plain.'));
    await cluster.until(() => expect(names.map(cluster.accepted)).toEqual(names.map(() => 'True')));
    await settled(cluster);
    const looks = () => Number(/outcome="done"} (\d+)/.exec(operator.metrics.text())?.[1] ?? 0);
    const [before] = [looks(), cluster.writes()];
    await cluster.put('configMaps', configMap('unused', { tone: 'y' }));
    await settled(cluster);
    // Nor at those that name the ConfigMap and include another key of it.
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.', spare: 'x' }));
    await settled(cluster);
    expect([looks() - before, cluster.writes()]).toEqual([0, []]);
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be brief.' }));
    await cluster.until(() =>
      expect(names.every((name) => cluster.instruction(name) === 'Hello. Be brief.')).toBe(true),
    );
    await settled(cluster);
    const writes = cluster.writes();
    expect(looks() - before).toBe(20);
    expect(writes.filter((each) => each.startsWith('secrets '))).toHaveLength(20);
    expect(writes.filter((each) => each.startsWith('deployments '))).toHaveLength(20);
    expect(writes).toHaveLength(60);
  });

  itInTurn('takes the last of a thousand edits, in few writes', async () => {
    cluster.start({ clock: systemClock });
    await cluster.put('configMaps', configMap('prompts', { tone: '0' }));
    await cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    cluster.writes();
    const edit = async (n: number): Promise<void> => {
      const edited = configMap('prompts', { tone: String(n) });
      const metadata = { ...edited.metadata, namespace: cluster.namespace };
      await cluster.client.replace(RESOURCES.configMaps, { ...edited, metadata });
    };
    const begun = Date.now();
    // As fast as the server takes them; the last one comes last.
    for (let n = 0; n < 999; n += 37)
      await Promise.all(Array.from({ length: Math.min(37, 999 - n) }, (_, each) => edit(n + each + 1)));
    await edit(1_000);
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 1000'));
    await settled(cluster);
    const seconds = (Date.now() - begun) / 1_000;
    // At most one in a second, however many edits there are in it and however long the machine takes.
    const writes = cluster.writes().filter((each) => each.startsWith('secrets '));
    expect(writes.length).toBeLessThanOrEqual(Math.ceil(seconds) + 2);
  });

  itInTurn('goes on by itself when the server was killed for 30 seconds in the middle of edits', async () => {
    const { ended } = cluster.start();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const names = ['a', 'b', 'c'];
    await cluster.put('configMaps', configMap('prompts', { tone: '0', gone: 'x' }));
    for (const name of names) await cluster.put('agents', agent(name, HELLO, ['prompts']));
    await cluster.until(() => expect(names.map(cluster.accepted)).toEqual(['True', 'True', 'True']));
    // A write of the operator is under way when the server goes.
    cluster.way.options.latencyMs = 20;
    const seen = cluster.way.requests.length;
    await cluster.put('configMaps', configMap('prompts', { tone: '1' }));
    await cluster.until(() => expect(cluster.way.requests.slice(seen).join()).toContain('PATCH'));
    await cluster.way.stop();
    delete cluster.way.options.latencyMs;
    for (let second = 1; second <= 30; second += 1) {
      await cluster.put('configMaps', configMap('prompts', { tone: `away ${second}` }));
      if (second === 10) await cluster.put('agents', agent('new', HELLO, ['prompts']));
      if (second === 20) await cluster.remove('agents', 'c');
      await wait(1_000 / SPEED);
    }
    await cluster.way.start();
    const all = ['a', 'b', 'new'];
    await cluster.until(() => expect(all.map(cluster.instruction)).toEqual(all.map(() => 'Hello. away 30')));
    await cluster.until(() => expect(cluster.get('secrets', 'c')).toBeUndefined());
    await settled(cluster);
    expect([isOver, all.map(cluster.accepted)]).toEqual([false, ['True', 'True', 'True']]);
    expect(cluster.logs).toContainEqual(expect.stringContaining('failed, trying again'));
  });

  it('goes on by itself when what happened is not kept any more, and when writes are refused for a while', async () => {
    cluster.start();
    await cluster.put('configMaps', configMap('prompts', { tone: '0' }));
    await cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await cluster.way.stop();
    await cluster.put('configMaps', configMap('prompts', { tone: '1' }));
    cluster.way.expire();
    await cluster.way.start();
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 1'));
    let refusals = 5;
    cluster.way.options.fault = ({ method }) => {
      if (method !== 'PATCH' || refusals === 0) return undefined;
      refusals -= 1;
      return refusals % 2 === 0 ? { status: 500 } : { status: 409 };
    };
    await cluster.put('configMaps', configMap('prompts', { tone: '2' }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 2'));
    await settled(cluster);
    expect([refusals, cluster.accepted('a')]).toEqual([0, 'True']);
  });

  it('looks at every Agent again from time to time, and writes nothing where nothing changed', async () => {
    const operator = cluster.start({ resyncMs: 3_000 });
    for (const name of ['a', 'b']) await cluster.put('agents', agent(name, 'Plain.'));
    await cluster.until(() => expect(['a', 'b'].map(cluster.accepted)).toEqual(['True', 'True']));
    const looks = () => Number(/outcome="done"} (\d+)/.exec(operator.metrics.text())?.[1] ?? 0);
    const lookedAgain = async () => {
      const before = looks();
      await cluster.until(() => expect(looks()).toBeGreaterThan(before + 4));
    };
    // The first round still writes what the edits have brought about.
    await lookedAgain();
    cluster.writes();
    await lookedAgain();
    expect(cluster.writes()).toEqual([]);
  });

  it('tells events when an Agent is refused and when it has new words, and no word of them', async () => {
    cluster.start();
    await cluster.put('agents', agent('a', '{{if}}'));
    await cluster.until(() => expect(cluster.accepted('a')).toContain('missing value'));
    await cluster.put('agents', agent('a', 'Secret plans.'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    const resource = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
    await expect
      .poll(async () => {
        const listed = await cluster.client.list(resource, { namespace: cluster.namespace });
        const items = listed.ok ? listed.value.items : [];
        return items
          .filter(({ involvedObject }) => (involvedObject as { name: string }).name === 'a')
          .map(({ type, reason, message }) => `${type} ${reason} ${message}`)
          .toSorted();
      })
      .toEqual([
        expect.stringMatching(/^Normal Resolved The prompt has 13 bytes from 0 fragments: sha256:/),
        expect.stringMatching(/^Warning ReconcileFailed failed to parse/),
      ]);
  });

  it('tells how it stands in numbers', async () => {
    const operator = cluster.start();
    await cluster.put('agents', agent('a', 'Plain.'));
    await cluster.put('agents', agent('b', '{{if}}'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await cluster.until(() => expect(cluster.accepted('b')).toBeDefined());
    await cluster.until(() => {
      const text = operator.metrics.text();
      expect(text).toContain('cuebook_leader 1\n');
      expect(text).toContain('cuebook_agents{accepted="True"} 1\n');
      expect(text).toContain('cuebook_agents{accepted="False"} 1\n');
      expect(text).toContain('cuebook_cached_objects{kind="agents"} 2\n');
      expect(text).toMatch(/cuebook_writes_total\{kind="Secret"\} 1\n/);
      expect(text).toMatch(/process_resident_memory_bytes \d+\n/);
    });
    expect([operator.sick(), operator.unready()]).toEqual([undefined, undefined]);
  });

  itInTurn('is one of two replicas: only the leader writes, and the other takes over', async () => {
    const times = { leaseMs: 2_000, renewWithinMs: 1_500, everyMs: 100 };
    cluster.start({ identity: 'one', election: times });
    await cluster.until(() => expect(cluster.logs).toContainEqual(expect.stringMatching(/^leads/)));
    cluster.start({ identity: 'two', election: times });
    await cluster.put('configMaps', configMap('prompts', { tone: '0' }));
    await cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    expect(cluster.writes().filter((each) => each.startsWith('secrets '))).toHaveLength(1);
    cluster.way.options.refuses = 'one';
    await cluster.put('configMaps', configMap('prompts', { tone: '1' }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 1'));
    await settled(cluster);
    expect(cluster.writes().filter((each) => each.startsWith('secrets '))).toHaveLength(1);
    expect(cluster.logs).toContain('two is the leader');
  });

  it('ends what it began when it is called off', async () => {
    const { leave } = cluster.start();
    await cluster.put('agents', agent('a', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    const seen = cluster.way.requests.length;
    cluster.way.options.latencyMs = 50;
    await cluster.put('agents', agent('a', 'Other.'));
    await cluster.until(() => expect(cluster.way.requests.slice(seen).join()).toContain('PATCH'));
    await leave();
    const leases = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases' };
    const lease = await cluster.client.get(
      { ...leases, namespaced: true },
      { namespace: cluster.namespace, name: 'cuebook-operator' },
    );
    expect(lease.ok && lease.value.spec).toMatchObject({ holderIdentity: '' });
  });
});
