import { createKubeClient, type KubeClient } from '../src/client/client.js';
import { createTransport } from '../src/client/transport.js';
import type { KitClock } from '../src/clock.js';
import { systemClock } from '../src/clock.js';
import type { KubeObject } from '../src/object.js';
import type { Resource } from '../src/resource.js';

export const CONFIG_MAPS: Resource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
/** What the test's server calls them. */
export const STORED = 'v1/configmaps';

export const configMap = (name: string, data: Record<string, string>, namespace = 'default'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});

export function connect(
  url: string,
  token?: string,
): { readonly client: KubeClient; readonly close: () => void } {
  const transport = createTransport({
    server: url,
    ...(token === undefined ? {} : { token: async () => token }),
  });
  return { client: createKubeClient(transport), close: transport.close };
}

/** The system's clock a hundred times as fast, for what waits seconds between tries. */
export const fastClock: KitClock = {
  ...systemClock,
  after: (ms, call) => systemClock.after(ms / 100, call),
};
