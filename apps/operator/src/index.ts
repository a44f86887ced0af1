export {
  connectionInPod,
  connectionOf,
  type KubeReach,
  type ReachedCluster,
  readKubeConfig,
} from './connect/kube-config.js';
export { clusterManifests } from './connect/manifests.js';
export { type PodChange, podChanges } from './look/pod-changes.js';
export { readCluster } from './look/read-cluster.js';
export { startOperator } from './operator.js';
export { planAgent } from './plan/plan.js';
export type { AgentStatus } from './plan/status.js';
export { AGENT_GROUPS, type AgentGroup } from './resources.js';
export { keepCertificate } from './webhook/keep-certificate.js';
export { serveWebhook } from './webhook/serve.js';
