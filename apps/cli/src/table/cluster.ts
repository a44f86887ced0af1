import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';
import { CLUSTER, MANIFESTS, REACH } from './arguments.js';

/** What works in a Kubernetes cluster. */
export const CLUSTER_COMMANDS: readonly Command[] = [
  {
    name: 'operator',
    summary: 'Resolve the prompts of Agents in a Kubernetes cluster, whenever they or their sources change',
    details:
      'Watches Agents, ConfigMaps and Secrets; writes a Secret with the resolved configuration and a Deployment for each Agent, and reports the result in the status of the Agent. If a message cannot be resolved, the workload stays as it is. Several may run: one is the leader, and another takes over. Without --kubeconfig it uses KUBECONFIG, then the service account of the pod, then the usual file. With --manifests it prints what has to be applied first, and ends.',
    args: [],
    flags: [
      ...REACH,
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
        description: 'Agents that are reconciled at the same time; 8 by default',
      },
      { name: 'port', value: 'N', description: 'serve /healthz, /readyz and /metrics at this port' },
      { name: 'host', value: 'ADDRESS', description: 'where that is served; 127.0.0.1 by default' },
      {
        name: 'webhook-port',
        value: 'N',
        description:
          'serve the admission webhook for Agents and prompt libraries, over TLS on this port of --host',
      },
      {
        name: 'webhook-service',
        value: 'NAME',
        description: 'the Service of the webhook; cuebook-webhook by default',
      },
      { name: 'manifests', description: 'print the custom resource, the rights and the Deployment, and end' },
    ],
    examples: [commandLine`operator --manifests`],
    load: () => import('../commands/operator.js'),
  },
  {
    name: 'fragments',
    summary:
      'List the prompt fragments that Agents include, with the Agents that use each, and preview a change',
    details:
      'Fragments are the keys of ConfigMaps that are labelled as prompt libraries (cuebook.dev/prompt-library or kagent.dev/prompt-library), and of those that an Agent includes from. They are read from the manifests of the project (manifests/), from -f, or with --cluster from a cluster. With --with FILE, it previews one fragment with the text of the file: which Agents get a new prompt, what it demands, and whose pods restart. Nothing is written.',
    args: [
      {
        name: 'fragment',
        description: 'NAMESPACE/NAME or NAMESPACE/NAME/KEY; all by default',
        required: false,
      },
    ],
    flags: [
      ...MANIFESTS.filter(({ name }) => name === 'file'),
      ...CLUSTER,
      {
        name: 'with',
        value: 'FILE',
        description: 'the text that the fragment would have; - for standard input',
        values: 'path',
      },
    ],
    inProject: true,
    examples: [commandLine`fragments`],
    load: () => import('../commands/fragments.js'),
  },
];
