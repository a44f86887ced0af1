import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Connection, createKubeClient, createTransport, type KubeObject } from '@cuebook/controller';
import { readYamlDocuments } from '@cuebook/yaml';
import { type ApiServer, startApiServer } from '../../../packages/controller/test/api-server/api-server.js';
import { connectionOf, readKubeConfig } from '../src/connect/kube-config.js';

/** The API server that a suite runs against. */
export interface Backend {
  readonly connection: Connection;
  readonly namespace: string;
  /** Of the server in memory: its own objects. */
  readonly double?: ApiServer;
  end(): Promise<void>;
}

/** Whether the suites run against the cluster of KUBECONFIG, in namespaces that they make and remove there. */
export const IS_REAL = process.env.CUEBOOK_CLUSTER_TESTS === '1' && Boolean(process.env.KUBECONFIG);

/** On namespaces that a suite made. */
export const TEST_LABEL = 'cuebook.dev/test';

export const openBackend = (): Promise<Backend> => (IS_REAL ? openReal() : openDouble());

export async function openDouble(): Promise<Backend & { readonly double: ApiServer }> {
  const double = await startApiServer();
  return {
    ...{ double, connection: { server: double.url, token: async () => 'mine' }, namespace: 'default' },
    end: () => double.stop(),
  };
}

async function openReal(): Promise<Backend> {
  const file = process.env.KUBECONFIG ?? '';
  const read = async (path: string): Promise<string> => readFileSync(path, 'utf8');
  const config = readYamlDocuments(file, await read(file), 'E_KUBECONFIG').documents[0]?.value;
  const reached = await connectionOf(readKubeConfig([{ document: config, folder: dirname(file) }]), {
    read,
    run: () => Promise.reject(new Error('The suite does not run credential programs.')),
    now: () => new Date(),
  });
  if (!reached.ok) throw new Error(reached.error);
  const transport = createTransport(reached.value.connection);
  const client = createKubeClient(transport);
  const resource = (plural: string, kind: string, group = '', version = 'v1') => ({
    ...{ group, version, kind, plural, namespaced: false },
  });
  await requireCrd(client);
  const namespace = `cuebook-test-${randomBytes(4).toString('hex')}`;
  const made = await client.create(resource('namespaces', 'Namespace'), {
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: namespace, labels: { [TEST_LABEL]: namespace } },
  });
  if (!made.ok) throw new Error(`The namespace of the test: ${made.error.message}`);
  return {
    ...{ connection: reached.value.connection, namespace },
    async end() {
      await client.remove(resource('namespaces', 'Namespace'), { name: namespace });
      transport.close();
    },
  };

  async function requireCrd(with_: typeof client): Promise<void> {
    const crds = resource('customresourcedefinitions', 'CustomResourceDefinition', 'apiextensions.k8s.io');
    const text = readFileSync(new URL('../cluster/crd.yaml', import.meta.url), 'utf8');
    const crd = readYamlDocuments('crd.yaml', text, 'E_MANIFEST').documents[0]?.value as KubeObject;
    // Made, not applied: servers from before Kubernetes 1.25 do not know CEL rules, and pass them over when an object is made.
    const made = await with_.create(crds, crd);
    if (!made.ok && made.error.reason !== 'AlreadyExists')
      throw new Error(`The custom resource: ${made.error.message}`);
    const agents = { ...resource('agents', 'Agent', 'cuebook.dev', 'v1alpha1'), namespaced: true };
    // Served a moment after it was made.
    for (let left = 100; !(await with_.list(agents)).ok && left > 0; left -= 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
