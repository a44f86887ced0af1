import type { Resource } from '@cuebook/controller';

/** The groups whose Agents can be reconciled; both have one shape. */
export const AGENT_GROUPS = { 'cuebook.dev': 'v1alpha1', 'kagent.dev': 'v1alpha2' } as const;
export type AgentGroup = keyof typeof AGENT_GROUPS;

export const agentsOf = (group: AgentGroup): Resource => ({
  group,
  version: AGENT_GROUPS[group],
  kind: 'Agent',
  plural: 'agents',
  namespaced: true,
});

const core = (kind: string, plural: string): Resource => ({
  ...{ group: '', version: 'v1', kind, plural },
  namespaced: true,
});
export const CONFIG_MAPS = core('ConfigMap', 'configmaps');
export const SECRETS = core('Secret', 'secrets');
export const DEPLOYMENTS: Resource = {
  ...{ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments' },
  namespaced: true,
};

/** Who owns the fields that are written, and the label by which written objects are found. */
export const MANAGER = 'cuebook-operator';
export const MANAGED_BY = 'app.kubernetes.io/managed-by';
export const AGENT_LABEL = 'cuebook.dev/agent';
/** On the pod template: another configuration, other pods. */
export const CONFIG_HASH = 'cuebook.dev/config-hash';
/** On written objects: a digest of all that was said of them, so that what is said no more is taken back. */
export const APPLIED = 'cuebook.dev/applied';
