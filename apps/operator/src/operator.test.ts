import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '@cuebook/controller';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import {
  agent,
  type Cluster,
  configMap,
  openCluster,
  RESOURCES,
  SPEED,
  secret,
  settled,
} from '../test/cluster.js';

let cluster: Cluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.end());

const HELLO = 'Hello. {{include "prompts/tone"}}';

describe('an Agent', () => {
  it('waits for its source, is resolved when that comes, and tells from what', async () => {
    cluster.start();
    await cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() =>
      expect(cluster.accepted('a')).toContain(`failed to find ConfigMap ${cluster.namespace}/prompts`),
    );
    expect(cluster.get('secrets', 'a')).toBeUndefined();
    const { metadata } = await cluster.put(
      'configMaps',
      configMap('prompts', { tone: 'Be kind.', other: 'x' }),
    );
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    expect(cluster.instruction('a')).toBe('Hello. Be kind.');
    expect(cluster.status('a').prompt).toMatchObject({
      bytes: 15,
      fragments: [
        { kind: 'ConfigMap', name: 'prompts', key: 'tone', resourceVersion: metadata.resourceVersion },
      ],
    });
    expect(JSON.stringify(cluster.status('a'))).not.toContain('Be kind');
    expect(cluster.status('a').conditions?.[1]).toMatchObject({ type: 'Ready', status: 'False' });
  });

  it('rolls its pods when an included text changes, and writes nothing when another one does', async () => {
    cluster.start();
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.', other: 'x' }));
    const { metadata } = await cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    const hash = () =>
      /"cuebook.dev\/config-hash":"([^"]+)"/.exec(JSON.stringify(cluster.get('deployments', 'a')))?.[1];
    const first = hash();
    cluster.writes();
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.', other: 'y' }));
    await cluster.put('configMaps', {
      ...configMap('prompts', { tone: 'Be kind.', other: 'y' }),
      metadata: { name: 'prompts', labels: { a: 'b' } },
    });
    await settled(cluster);
    expect(cluster.writes()).toEqual([]);
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be brief.', other: 'y' }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. Be brief.'));
    await settled(cluster);
    expect(hash()).not.toEqual(first);
    expect(cluster.writes().toSorted()).toEqual(['agents a', 'deployments a', 'secrets a']);
    expect(cluster.get('agents', 'a')?.metadata.generation).toBe(metadata.generation);
  });

  itInTurn.each<[string, () => Promise<ReturnType<typeof agent>>, string]>([
    [
      'a template that does not parse',
      async () => agent('a', '{{if}}', []),
      'failed to parse system message template: template: systemMessage:1: missing value for if',
    ],
    [
      'a source of unknown kind',
      async () => agent('a', 'x', [{ kind: 'PromptLibrary', name: 'p' }]),
      'failed to resolve prompt source "p": kind "PromptLibrary" is not a ConfigMap or a Secret of the core API group',
    ],
    [
      'a source that is missing',
      async () => agent('a', 'x', ['nowhere']),
      'failed to resolve prompt source "nowhere": failed to find ConfigMap',
    ],
    [
      'an unknown path',
      async () => agent('a', '{{include "prompts/none"}}', ['prompts']),
      'prompt template "prompts/none" not found in promptSources, available: [prompts/tone]',
    ],
    [
      'a template that never ends',
      async () => agent('a', '{{range 9223372036854775807}}{{end}}', []),
      'systemMessage:1',
    ],
    [
      'a prompt of two megabytes',
      async () => {
        for (const name of ['one', 'two', 'three'])
          await cluster.put('configMaps', configMap(name, { words: 'x'.repeat(700_000) }));
        const all = '{{include "one/words"}}{{include "two/words"}}{{include "three/words"}}';
        return agent('a', all, ['one', 'two', 'three']);
      },
      '1048576 bytes',
    ],
    [
      'a prompt that is a little too large for a Secret',
      async () => {
        await cluster.put('configMaps', configMap('one', { words: 'x'.repeat(1_040_000) }));
        return agent('a', '{{include "one/words"}}', ['one']);
      },
      'which is more than a Secret takes',
    ],
    ['no image', async () => agent('a', 'x', [], { deployment: {} }), 'No image for the agent'],
  ])(
    'that is broken by %s is told so, and its workload and the others stay',
    async (_name, make, message) => {
      cluster.start(_name === 'no image' ? { image: undefined } : {});
      await cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
      await cluster.put('agents', agent('a', HELLO, ['prompts'], { deployment: { image: 'mine:1' } }));
      await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
      await settled(cluster);
      const before = [cluster.get('secrets', 'a'), cluster.get('deployments', 'a')];
      const { prompt, conditions } = cluster.status('a');
      const broken = await make();
      await cluster.put('agents', broken);
      await cluster.until(() => expect(cluster.accepted('a')).toContain(message));
      await settled(cluster);
      expect([cluster.get('secrets', 'a'), cluster.get('deployments', 'a')]).toEqual(before);
      expect(cluster.status('a').prompt).toEqual(prompt);
      expect(cluster.status('a').conditions?.[1]?.lastTransitionTime).toBe(
        conditions?.[1]?.lastTransitionTime,
      );
      const told = cluster.accepted('a');
      await cluster.put('agents', agent('b', HELLO, ['prompts'], { deployment: { image: 'mine:1' } }));
      await cluster.until(() => expect(cluster.accepted('b')).toBe('True'));
      await cluster.put('agents', agent('a', HELLO, ['prompts'], { deployment: { image: 'mine:1' } }));
      await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
      await cluster.put('agents', broken);
      await cluster.until(() => expect(cluster.accepted('a')).toBe(told));
    },
  );

  it('keeps its workload when its source is removed, and loses it when it is removed itself', async () => {
    cluster.start();
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
    await cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await cluster.remove('configMaps', 'prompts');
    await cluster.until(() => expect(cluster.accepted('a')).toContain('not found'));
    expect(cluster.instruction('a')).toBe('Hello. Be kind.');
    await cluster.remove('agents', 'a');
    await cluster.until(() => expect(cluster.get('secrets', 'a')).toBeUndefined());
    await settled(cluster);
    expect(cluster.get('deployments', 'a')).toBeUndefined();
  });

  it('is told words of a Secret, which appear nowhere else', async () => {
    cluster.start();
    const words = 'Our margin is 47 percent.';
    await cluster.put('secrets', secret('house', { rules: words }));
    await cluster.put('agents', agent('a', '{{include "house/rules"}}', [{ kind: 'Secret', name: 'house' }]));
    await cluster.until(() => expect(cluster.instruction('a')).toBe(words));
    await cluster.put('secrets', secret('house', { rules: `${words} Really.` }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe(`${words} Really.`));
    await cluster.put('agents', agent('a', '{{include "house/none"}}', [{ kind: 'Secret', name: 'house' }]));
    await cluster.until(() => expect(cluster.accepted('a')).not.toBe('True'));
    const open = [cluster.get('agents', 'a'), cluster.get('deployments', 'a'), cluster.logs];
    expect(JSON.stringify(open)).not.toContain('margin');
    expect(cluster.status('a').prompt?.fragments[0]).not.toHaveProperty('hash');
  });

  it('says that Secrets are forbidden, while Agents without them work, and heals when they are not', async () => {
    cluster.way.options.fault = ({ path, method }) =>
      path.endsWith('/secrets') && method === 'GET' ? { status: 403 } : undefined;
    cluster.start();
    await cluster.put('secrets', secret('house', { rules: 'Rules.' }));
    await cluster.put('agents', agent('a', '{{include "house/rules"}}', [{ kind: 'Secret', name: 'house' }]));
    await cluster.put('agents', agent('b', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toContain('Secrets cannot be read'));
    await cluster.until(() => expect(cluster.accepted('b')).toBe('True'));
    delete cluster.way.options.fault;
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
  });

  it('gets back what somebody changed, and leaves fields of others alone', async () => {
    cluster.start();
    await cluster.put('agents', agent('a', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    const foreign = {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 7 } },
      metadata: {
        ...{ namespace: cluster.namespace, name: 'a' },
        annotations: { 'team.example/owner': 'x' },
      },
    };
    await cluster.client.apply(RESOURCES.deployments, foreign, { manager: 'other', force: true });
    const spec = () => cluster.get('deployments', 'a')?.spec as { replicas: number };
    await cluster.until(() => {
      const { annotations } = cluster.get('deployments', 'a')?.metadata ?? {};
      expect([annotations?.['team.example/owner'], spec().replicas]).toEqual(['x', 1]);
    });
    await cluster.remove('secrets', 'a');
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Plain.'));
  });

  it('is ready when its pods are', async () => {
    cluster.start();
    await cluster.put('agents', agent('a', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    const { generation } = cluster.get('deployments', 'a')?.metadata ?? {};
    const status = { observedGeneration: generation, replicas: 1, updatedReplicas: 1, readyReplicas: 1 };
    const metadata = { namespace: cluster.namespace, name: 'a' };
    await cluster.client.apply(
      RESOURCES.deployments,
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata, status: { ...status, availableReplicas: 1 } },
      { manager: 'kubelet', subresource: 'status', force: true },
    );
    const ready = () => cluster.status('a').conditions?.find(({ type }) => type === 'Ready')?.status;
    await cluster.until(() => expect(ready()).toBe('True'));
  });
});

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
    const [before] = [looks(), cluster.writes()];
    await cluster.until(() => expect(looks()).toBeGreaterThan(before + 4));
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
