import { type Condition, type KubeObject, withCondition } from '@cuebook/controller';
import type { Told } from './told.js';

/** The status of an Agent. */
export interface AgentStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  /** What it was last told, and from what; as it was while the Agent is not accepted. */
  readonly prompt?: Told;
}

/** Whether its configuration was taken, and its pods. */
export interface AgentStanding {
  readonly accepted: { readonly ok: true } | { readonly ok: false; readonly message: string };
  readonly deployment: KubeObject | undefined;
  readonly prompt?: Told | undefined;
}

/** The status after a look. Pure; where nothing differs it is equal to the one before. */
export function statusOf(
  agent: KubeObject,
  { accepted, deployment, prompt }: AgentStanding,
  now: Date,
): AgentStatus {
  const before = (agent.status ?? {}) as AgentStatus;
  const { generation } = agent.metadata;
  const seen = generation === undefined ? {} : { observedGeneration: generation };
  const first = withCondition(
    (before.conditions ?? []).filter(({ type }) => OURS.has(type)),
    accepted.ok
      ? { type: 'Accepted', status: 'True', reason: 'Reconciled', message: ACCEPTED, ...seen }
      : { type: 'Accepted', status: 'False', reason: 'ReconcileFailed', message: accepted.message, ...seen },
    now,
  );
  const conditions = withCondition(first, { type: 'Ready', ...readiness(deployment), ...seen }, now);
  const told = prompt ?? before.prompt;
  return { ...seen, conditions, ...(told === undefined ? {} : { prompt: told }) };
}

const OURS: ReadonlySet<string> = new Set(['Accepted', 'Ready']);
const ACCEPTED = 'Agent configuration accepted';

type Readiness = Pick<Condition, 'status' | 'reason' | 'message'>;

/** Whether the pods of a Deployment stand. */
export function readiness(deployment: KubeObject | undefined): Readiness {
  if (deployment === undefined)
    return { status: 'Unknown', reason: 'DeploymentNotFound', message: 'There is no Deployment yet' };
  const { replicas = 1 } = (deployment.spec ?? {}) as { readonly replicas?: number };
  const status = (deployment.status ?? {}) as {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
  const { updatedReplicas = 0, availableReplicas = 0 } = status;
  const isSeen = (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
  const isReady = isSeen && updatedReplicas >= replicas && availableReplicas >= replicas;
  return isReady
    ? { status: 'True', reason: 'DeploymentReady', message: 'The Deployment is ready' }
    : {
        status: 'False',
        reason: 'DeploymentNotReady',
        message: `${Math.min(updatedReplicas, availableReplicas)} of ${replicas} pods are ready`,
      };
}
