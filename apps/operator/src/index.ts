export {
  connectionInPod,
  connectionOf,
  type KubeReach,
  type ReachedCluster,
  readKubeConfig,
} from './connect/kube-config.js';
export { clusterManifests } from './connect/manifests.js';
export { startOperator } from './operator.js';
export { AGENT_GROUPS, type AgentGroup } from './resources.js';
