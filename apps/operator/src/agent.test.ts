import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { agent, type Cluster, configMap, openCluster, RESOURCES, secret, settled } from '../test/cluster.js';

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
