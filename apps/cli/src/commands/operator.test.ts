import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agent, configMap } from '../../../operator/test/cluster.js';
import { clusterStand } from '../../test/cluster.js';
import { cuebook } from '../../test/cuebook.js';

let at: Awaited<ReturnType<typeof clusterStand>>;
beforeEach(async () => {
  at = await clusterStand();
});
afterEach(() => at.end());

it('looks after the Agents of a cluster until it is stopped, and gives the lease back', async () => {
  at.cluster.double.options.token = 'mine';
  await at.cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
  await at.cluster.put('agents', agent('a', 'Hello. {{include "prompts/tone"}}', ['prompts']));
  const stop = new AbortController();
  const ended = cuebook(
    [
      'operator',
      '--kubeconfig',
      at.kubeconfig,
      '--agent-image',
      'agent:1',
      '--port',
      '0',
      '--webhook-port',
      '0',
      '--json',
    ],
    { cwd: at.folder, stop: stop.signal },
  );
  await at.cluster.until(() => expect(at.cluster.instruction('a')).toBe('Hello. Be kind.'));
  stop.abort();
  const { code, stdout } = await ended;
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { group: 'cuebook.dev', agents: 1, port: expect.any(Number), webhookPort: expect.any(Number) },
  ]);
  expect(at.cluster.get('secrets', 'cuebook-webhook-tls')).toMatchObject({ type: 'kubernetes.io/tls' });
  const lease = at.cluster.double.storage.get('coordination.k8s.io/v1/leases', 'default/cuebook-operator');
  expect(lease?.spec).toMatchObject({ holderIdentity: '' });
});

it('says why it cannot begin', async () => {
  const { kubeconfig, folder, cluster } = at;
  const call = (...args: readonly string[]) => cuebook(['operator', ...args], { cwd: folder });
  expect(await call('--kubeconfig', 'nowhere')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('The kubeconfig nowhere cannot be read.'),
  });
  expect(await call('--kubeconfig', kubeconfig, '--context', 'other')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no context "other"'),
  });
  expect(await call('--kubeconfig', kubeconfig, '--group', 'x.dev')).toMatchObject({ code: 2 });
  cluster.double.options.token = 'another';
  const refused = await call('--kubeconfig', kubeconfig);
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('cannot be listed: Unauthorized'),
  });
  expect(refused.stderr).not.toContain('mine');
});

it('prints what has to be applied, as YAML with every right that it uses', async () => {
  const { code, stdout } = await cuebook(['operator', '--manifests'], { cwd: tmpdir() });
  expect(code).toBe(0);
  expect(stdout.match(/^kind: .*$/gm)).toEqual(
    [
      ...['CustomResourceDefinition', 'Namespace', 'ConfigMap', 'ConfigMap', 'ServiceAccount', 'ClusterRole'],
      ...['ClusterRoleBinding', 'Role', 'RoleBinding', 'Deployment', 'Service'],
      'ValidatingWebhookConfiguration',
    ].map((kind) => `kind: ${kind}`),
  );
});
