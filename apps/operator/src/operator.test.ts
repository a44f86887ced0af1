import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agent, type Cluster, configMap, openCluster, secret, settled } from '../test/cluster.js';

let cluster: Cluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.end());

const HELLO = 'Hello. {{include "prompts/tone"}}';

describe('an Agent', () => {
  it('waits for its source, is resolved when that comes, and tells from what', async () => {
    cluster.start();
    cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() =>
      expect(cluster.accepted('a')).toContain('failed to find ConfigMap default/prompts'),
    );
    expect(cluster.get('secrets', 'a')).toBeUndefined();
    const { metadata } = cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.', other: 'x' }));
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
    cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.', other: 'x' }));
    const { metadata } = cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    const hash = () =>
      /"cuebook.dev\/config-hash":"([^"]+)"/.exec(JSON.stringify(cluster.get('deployments', 'a')))?.[1];
    const first = hash();
    cluster.writes();
    cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.', other: 'y' }));
    cluster.put('configMaps', {
      ...configMap('prompts', { tone: 'Be kind.', other: 'y' }),
      metadata: { name: 'prompts', labels: { a: 'b' } },
    });
    await settled(cluster);
    expect(cluster.writes()).toEqual([
      'PUT v1/configmaps default/prompts',
      'PUT v1/configmaps default/prompts',
    ]);
    cluster.put('configMaps', configMap('prompts', { tone: 'Be brief.', other: 'y' }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. Be brief.'));
    await settled(cluster);
    expect(hash()).not.toEqual(first);
    expect(cluster.writes().slice(1)).toEqual([
      'PATCH v1/secrets default/a',
      'PATCH apps/v1/deployments default/a',
      'PATCH cuebook.dev/v1alpha1/agents default/a',
    ]);
    expect(cluster.get('agents', 'a')?.metadata.generation).toBe(metadata.generation);
  });

  it.each([
    ['a template that does not parse', agent('a', '{{if}}', []), 'failed to parse system message template'],
    [
      'a source of unknown kind',
      agent('a', 'x', [{ kind: 'PromptLibrary', name: 'p' }]),
      'is not a ConfigMap or a Secret',
    ],
    ['an unknown path', agent('a', '{{include "prompts/none"}}', ['prompts']), 'prompts/none'],
    ['a template that never ends', agent('a', '{{range 9223372036854775807}}{{end}}', []), 'systemMessage'],
    [
      'a prompt that no Secret holds',
      agent('a', `{{range 200000}}{{include "prompts/tone"}}{{end}}`, ['prompts']),
      'systemMessage',
    ],
    ['no image', agent('a', 'x', [], { deployment: { image: null } }), 'No image for the agent'],
  ])(
    'that is broken by %s is told so, and its workload and the others stay',
    async (_name, broken, message) => {
      cluster.start(_name === 'no image' ? { image: undefined } : {});
      cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
      cluster.put('agents', agent('a', HELLO, ['prompts'], { deployment: { image: 'mine:1' } }));
      await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
      await settled(cluster);
      const before = [cluster.get('secrets', 'a'), cluster.get('deployments', 'a')];
      const { prompt, conditions } = cluster.status('a');
      cluster.put('agents', broken);
      await cluster.until(() => expect(cluster.accepted('a')).toContain(message));
      await settled(cluster);
      expect([cluster.get('secrets', 'a'), cluster.get('deployments', 'a')]).toEqual(before);
      expect(cluster.status('a').prompt).toEqual(prompt);
      expect(cluster.status('a').conditions?.[1]?.lastTransitionTime).toBe(
        conditions?.[1]?.lastTransitionTime,
      );
      const told = cluster.accepted('a');
      cluster.put('agents', agent('b', HELLO, ['prompts'], { deployment: { image: 'mine:1' } }));
      await cluster.until(() => expect(cluster.accepted('b')).toBe('True'));
      cluster.put('agents', agent('a', HELLO, ['prompts'], { deployment: { image: 'mine:1' } }));
      await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
      cluster.put('agents', broken);
      await cluster.until(() => expect(cluster.accepted('a')).toBe(told));
    },
  );

  it('keeps its workload when its source is removed, and loses it when it is removed itself', async () => {
    cluster.start();
    cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
    cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    cluster.remove('configMaps', 'prompts');
    await cluster.until(() => expect(cluster.accepted('a')).toContain('not found'));
    expect(cluster.instruction('a')).toBe('Hello. Be kind.');
    cluster.remove('agents', 'a');
    await cluster.until(() => expect(cluster.get('secrets', 'a')).toBeUndefined());
    await settled(cluster);
    expect(cluster.get('deployments', 'a')).toBeUndefined();
  });

  it('is told words of a Secret, which appear nowhere else', async () => {
    cluster.start();
    const words = 'Our margin is 47 percent.';
    cluster.put('secrets', secret('house', { rules: words }));
    cluster.put('agents', agent('a', '{{include "house/rules"}}', [{ kind: 'Secret', name: 'house' }]));
    await cluster.until(() => expect(cluster.instruction('a')).toBe(words));
    cluster.put('secrets', secret('house', { rules: `${words} Really.` }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe(`${words} Really.`));
    cluster.put('agents', agent('a', '{{include "house/none"}}', [{ kind: 'Secret', name: 'house' }]));
    await cluster.until(() => expect(cluster.accepted('a')).not.toBe('True'));
    const open = [cluster.get('agents', 'a'), cluster.get('deployments', 'a'), cluster.logs];
    expect(JSON.stringify(open)).not.toContain('margin');
    expect(cluster.status('a').prompt?.fragments[0]).not.toHaveProperty('hash');
  });

  it('says that Secrets are forbidden, while Agents without them work, and heals when they are not', async () => {
    cluster.server.options.fault = ({ path, method }) =>
      path.endsWith('/secrets') && method === 'GET' ? { status: 403 } : undefined;
    cluster.start();
    cluster.put('secrets', secret('house', { rules: 'Rules.' }));
    cluster.put('agents', agent('a', '{{include "house/rules"}}', [{ kind: 'Secret', name: 'house' }]));
    cluster.put('agents', agent('b', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toContain('Secrets cannot be read'));
    await cluster.until(() => expect(cluster.accepted('b')).toBe('True'));
    delete cluster.server.options.fault;
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
  });

  it('gets back what somebody changed, and leaves fields of others alone', async () => {
    cluster.start();
    cluster.put('agents', agent('a', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    const { storage } = cluster.server;
    const foreign = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'default', name: 'a', annotations: { 'team.example/owner': 'x' } },
    };
    const call = { manager: 'other', force: true, isStatus: false, dryRun: false };
    storage.apply('apps/v1/deployments', 'default/a', { ...foreign, spec: { replicas: 7 } }, call);
    const spec = () => cluster.get('deployments', 'a')?.spec as { replicas: number };
    await cluster.until(() => expect(spec().replicas).toBe(1));
    expect(cluster.get('deployments', 'a')?.metadata.annotations).toMatchObject({
      'team.example/owner': 'x',
    });
    cluster.remove('secrets', 'a');
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Plain.'));
  });

  it('is ready when its pods are', async () => {
    cluster.start();
    cluster.put('agents', agent('a', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    const deployment = cluster.get('deployments', 'a');
    if (deployment === undefined) throw new Error('no Deployment');
    const status = { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1 };
    cluster.server.storage.replace('apps/v1/deployments', 'default/a', { ...deployment, status }, true);
    const ready = () => cluster.status('a').conditions?.find(({ type }) => type === 'Ready')?.status;
    await cluster.until(() => expect(ready()).toBe('True'));
  });
});

describe('an operator', () => {
  it('looks once at each Agent that an edit concerns, and at no other', async () => {
    const operator = cluster.start();
    cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
    cluster.put('configMaps', configMap('unused', { tone: 'x' }));
    const names = Array.from({ length: 60 }, (_, n) => `a${n}`);
    for (const name of names) cluster.put('agents', agent(name, HELLO, ['prompts']));
    for (const name of ['b0', 'b1']) cluster.put('agents', agent(name, 'Plain.'));
    await cluster.until(() => expect(names.map(cluster.accepted)).toEqual(names.map(() => 'True')));
    await settled(cluster);
    const looks = () => Number(/outcome="done"} (\d+)/.exec(operator.metrics.text())?.[1]);
    const [before] = [looks(), cluster.writes()];
    cluster.put('configMaps', configMap('unused', { tone: 'y' }));
    await settled(cluster);
    expect([looks() - before, cluster.writes()]).toEqual([0, ['PUT v1/configmaps default/unused']]);
    cluster.put('configMaps', configMap('prompts', { tone: 'Be brief.' }));
    await cluster.until(() =>
      expect(names.every((name) => cluster.instruction(name) === 'Hello. Be brief.')).toBe(true),
    );
    await settled(cluster);
    const writes = cluster.writes().slice(1);
    expect(looks() - before).toBe(60);
    expect(writes.filter((each) => each.includes('/secrets '))).toHaveLength(60);
    expect(writes.filter((each) => each.includes('/deployments '))).toHaveLength(60);
    expect(writes).toHaveLength(180);
  });

  it('takes the last of a thousand edits, in few writes', async () => {
    cluster.start();
    cluster.put('configMaps', configMap('prompts', { tone: '0' }));
    cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    cluster.writes();
    for (let n = 1; n <= 1_000; n += 1) cluster.put('configMaps', configMap('prompts', { tone: String(n) }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 1000'));
    await settled(cluster);
    expect(cluster.writes().filter((each) => each.includes('/secrets ')).length).toBeLessThan(100);
  });

  it('goes on by itself when the server was away in the middle of edits, had forgotten, or refused for a while', async () => {
    cluster.start();
    cluster.put('configMaps', configMap('prompts', { tone: '0' }));
    cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await cluster.server.stop();
    cluster.put('configMaps', configMap('prompts', { tone: '1' }));
    cluster.server.storage.compact();
    await cluster.server.start();
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 1'));
    let refusals = 5;
    cluster.server.options.fault = ({ method }) => {
      if (method !== 'PATCH' || refusals === 0) return undefined;
      refusals -= 1;
      return refusals % 2 === 0 ? { status: 500 } : { status: 409 };
    };
    cluster.put('configMaps', configMap('prompts', { tone: '2' }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 2'));
    await settled(cluster);
    expect([refusals, cluster.accepted('a')]).toEqual([0, 'True']);
  });

  it('is one of two replicas: only the leader writes, and the other takes over', async () => {
    const times = { leaseMs: 2_000, renewWithinMs: 1_500, everyMs: 100 };
    cluster.start({ identity: 'one', election: times });
    await cluster.until(() => expect(cluster.logs).toContainEqual(expect.stringMatching(/^leads/)));
    cluster.start({ identity: 'two', election: times });
    cluster.put('configMaps', configMap('prompts', { tone: '0' }));
    cluster.put('agents', agent('a', HELLO, ['prompts']));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    await settled(cluster);
    expect(cluster.writes().filter((each) => each.includes('/secrets '))).toHaveLength(1);
    cluster.server.options.refuses = 'one';
    cluster.put('configMaps', configMap('prompts', { tone: '1' }));
    await cluster.until(() => expect(cluster.instruction('a')).toBe('Hello. 1'));
    await settled(cluster);
    expect(cluster.writes().filter((each) => each.includes('/secrets '))).toHaveLength(1);
    expect(cluster.logs).toContain('two is the leader');
  });

  it('ends what it began when it is called off', async () => {
    const { leave } = cluster.start();
    cluster.put('agents', agent('a', 'Plain.'));
    await cluster.until(() => expect(cluster.accepted('a')).toBe('True'));
    cluster.server.options.latencyMs = 50;
    cluster.put('agents', agent('a', 'Other.'));
    await cluster.until(() => expect(cluster.server.requests.at(-1)).toContain('PATCH'));
    await leave();
    const lease = cluster.server.storage.get('coordination.k8s.io/v1/leases', 'default/cuebook-operator');
    expect(lease?.spec).toMatchObject({ holderIdentity: '' });
  });
});
