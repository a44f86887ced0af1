import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** What works in a Kubernetes cluster. */
export const CLUSTER_COMMANDS: readonly Command[] = [
  {
    name: 'operator',
    summary: 'Resolve the prompts of Agents in a Kubernetes cluster, whenever they or their sources change',
    details:
      'Watches Agents, ConfigMaps and Secrets; writes a Secret with the resolved configuration and a Deployment for each Agent, and tells in the status of the Agent what came of it. A message that cannot be resolved leaves the workload as it is. Several may run: one leads, and another takes over. Without --kubeconfig it is KUBECONFIG, then the service account of the pod, then the usual file. With --manifests it prints what has to be applied first, and ends.',
    args: [],
    flags: [
      { name: 'kubeconfig', value: 'FILE', description: 'how the cluster is reached', values: 'path' },
      {
        name: 'context',
        value: 'NAME',
        description: 'the context of the kubeconfig; by default its current one',
      },
      {
        name: 'group',
        value: 'GROUP',
        description: 'whose Agents: cuebook.dev (by default) or kagent.dev',
      },
      {
        name: 'namespace',
        value: 'NAME',
        description: 'only the Agents of this namespace; by default of all',
      },
      { name: 'agent-image', value: 'IMAGE', description: 'the image of Agents that name none' },
      {
        name: 'lease-namespace',
        value: 'NAME',
        description: 'where the lease of the leader is; by default the namespace of the pod or context',
      },
      {
        name: 'workers',
        value: 'N',
        description: 'Agents that are looked at at the same time; 8 by default',
      },
      { name: 'port', value: 'N', description: 'serve /healthz, /readyz and /metrics at this port' },
      { name: 'host', value: 'ADDRESS', description: 'where that is served; 127.0.0.1 by default' },
      { name: 'manifests', description: 'print the custom resource, the rights and the Deployment, and end' },
    ],
    examples: [commandLine`operator --manifests`],
    load: () => import('../commands/operator.js'),
  },
];
