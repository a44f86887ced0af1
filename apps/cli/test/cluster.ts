import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClusterInMemory } from '../../operator/test/cluster.js';

/** A cluster in memory, and a folder with a kubeconfig for it. */
export async function clusterStand(): Promise<{
  readonly cluster: Awaited<ReturnType<typeof openClusterInMemory>>;
  readonly kubeconfig: string;
  readonly folder: string;
  readonly end: () => Promise<void>;
}> {
  const cluster = await openClusterInMemory();
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-cluster-'));
  const kubeconfig = join(folder, 'config');
  const { url: server } = cluster.double;
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
