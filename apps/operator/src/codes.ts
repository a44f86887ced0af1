import type { CodeEntry } from '@cuebook/prompt';

/** The codes of the operator. */
export const OPERATOR_CODES = {
  E_KUBECONFIG: {
    title: 'No way to the cluster',
    cause:
      'There is no kubeconfig, it cannot be read, it does not have the context, cluster or user that is named, or a program that it names gave no credential; the message says which.',
    fix: 'Name the file with `--kubeconfig FILE` and the context with `--context NAME`; `kubectl config view` shows what it has. In a pod the service account is used.',
  },
  E_CLUSTER: {
    title: 'The cluster does not answer',
    cause:
      'The API server cannot be reached, does not know who asks, or does not serve the Agents of the group; the message is its own.',
    fix: 'Check the address and the credential with `kubectl get agents`. Where the kind is unknown, apply what `operator --manifests` prints.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
