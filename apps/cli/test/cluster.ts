import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, openCluster } from '../../operator/test/cluster.js';

/** A cluster in memory, and a folder with a kubeconfig for it. */
export async function clusterStand(): Promise<{
  readonly cluster: Cluster;
  readonly kubeconfig: string;
  readonly folder: string;
  readonly end: () => Promise<void>;
}> {
  const cluster = await openCluster();
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-cluster-'));
  const kubeconfig = join(folder, 'config');
  const { url: server } = cluster.server;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'me', namespace: 'default' } }],
      clusters: [{ name: 'here', cluster: { server } }],
      users: [{ name: 'me', user: { token: 'mine' } }],
    }),
  );
  return {
    ...{ cluster, kubeconfig, folder },
    async end() {
      await cluster.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
