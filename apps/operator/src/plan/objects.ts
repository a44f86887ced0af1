import type { KubeObject, OwnerReference } from '@cuebook/controller';
import { AGENT_LABEL, APPLIED, CONFIG_HASH, MANAGED_BY, MANAGER } from '../resources.js';
import { canonical, sha256 } from './hash.js';
import type { AgentPlan } from './plan.js';

/** The objects that an Agent is made into. Both go when it goes. */
export function wantedObjects(
  agent: KubeObject,
  plan: Extract<AgentPlan, { readonly type: 'agent' }>,
): { readonly secret: KubeObject; readonly deployment: KubeObject } {
  const { name, namespace } = agent.metadata;
  const labels = { [MANAGED_BY]: MANAGER, [AGENT_LABEL]: name };
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels,
    ownerReferences: [ownerOf(agent)],
  };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    data: { 'config.json': Buffer.from(plan.config).toString('base64') },
  };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: plan.replicas,
      selector: { matchLabels: { [AGENT_LABEL]: name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: { labels, annotations: { [CONFIG_HASH]: plan.configHash } },
        spec: {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'agent',
              image: plan.image,
              env: [{ name: 'CUEBOOK_AGENT_CONFIG', value: '/config/config.json' }],
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              volumeMounts: [{ name: 'config', mountPath: '/config', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config', secret: { secretName: name } }],
        },
      },
    },
  };
  return { secret: signed(secret), deployment: signed(deployment) };
}

function ownerOf({ apiVersion, kind, metadata: { name, uid = '' } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

const signed = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { [APPLIED]: sha256(canonical(object)) } },
});
