import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { agent, type Cluster, configMap, openCluster } from '../../../operator/test/cluster.js';
import { cuebook } from '../../test/cuebook.js';

let cluster: Cluster | undefined;
let folder = '';
afterEach(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
});

async function stand(): Promise<{ readonly cluster: Cluster; readonly kubeconfig: string }> {
  cluster = await openCluster();
  folder = mkdtempSync(join(tmpdir(), 'cuebook-operator-'));
  const kubeconfig = join(folder, 'config');
  const server = cluster.server.url;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'me', namespace: 'default' } }],
      clusters: [{ name: 'here', cluster: { server } }],
      users: [{ name: 'me', user: { token: 'mine' } }],
    }),
  );
  return { cluster, kubeconfig };
}

it('looks after the Agents of a cluster until it is stopped, and gives the lease back', async () => {
  const at = await stand();
  at.cluster.server.options.token = 'mine';
  at.cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.' }));
  at.cluster.put('agents', agent('a', 'Hello. {{include "prompts/tone"}}', ['prompts']));
  const stop = new AbortController();
  const ended = cuebook(
    ['operator', '--kubeconfig', at.kubeconfig, '--agent-image', 'agent:1', '--port', '0', '--json'],
    { cwd: folder, stop: stop.signal },
  );
  await at.cluster.until(() => expect(at.cluster.instruction('a')).toBe('Hello. Be kind.'));
  stop.abort();
  const { code, stdout } = await ended;
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { group: 'cuebook.dev', agents: 1, port: expect.any(Number) },
  ]);
  const lease = at.cluster.server.storage.get('coordination.k8s.io/v1/leases', 'default/cuebook-operator');
  expect(lease?.spec).toMatchObject({ holderIdentity: '' });
});

it('says why it cannot begin', async () => {
  const { kubeconfig } = await stand();
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
  if (cluster) cluster.server.options.token = 'another';
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
      ...['CustomResourceDefinition', 'Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding'],
      ...['Role', 'RoleBinding', 'Deployment'],
    ].map((kind) => `kind: ${kind}`),
  );
});
