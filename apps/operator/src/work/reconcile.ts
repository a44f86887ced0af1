import {
  type EventRecorder,
  isTransient,
  type KitClock,
  type KubeClient,
  type KubeFailure,
  type KubeObject,
  type Reconciled,
} from '@cuebook/controller';
import { canonical } from '../plan/hash.js';
import { wantedObjects } from '../plan/objects.js';
import { planAgent } from '../plan/plan.js';
import { sourcesOf } from '../plan/sources.js';
import { type AgentStanding, type AgentStatus, statusOf } from '../plan/status.js';
import { keptTold } from '../plan/told.js';
import { type AgentGroup, agentsOf, DEPLOYMENTS, MANAGER, SECRETS } from '../resources.js';
import type { ClusterView } from './world.js';
import type { ObjectWriter } from './write.js';

export interface ReconcileOptions {
  readonly client: KubeClient;
  readonly group: AgentGroup;
  readonly world: ClusterView;
  readonly writer: ObjectWriter;
  readonly clock: KitClock;
  /** Told when the standing of an Agent changes. */
  readonly events: EventRecorder;
  readonly image?: string | undefined;
}

/**
 * Brings one Agent to what it says: resolves its message, writes its configuration and its Deployment where they differ,
 * and tells in its status what came of it. A message that cannot be resolved leaves configuration and Deployment as they
 * are.
 */
export async function reconcileAgent(key: string, options: ReconcileOptions): Promise<Reconciled> {
  const { world, writer, image } = options;
  const agent = world.agents.cache.get(key);
  // What was made for it is removed with it.
  if (agent === undefined || agent.metadata.deletionTimestamp !== undefined) return { type: 'done' };
  const unread = unreadSource(agent, world);
  if (unread !== undefined) return refused(agent, options, unread, 'transient');
  const plan = planAgent(agent, { find: (kind, at) => cacheOf(world, kind).get(at), image });
  if (plan.type === 'other') return { type: 'done' };
  if (plan.type === 'wrong') return refused(agent, options, plan.message, 'terminal');
  const { secret, deployment } = wantedObjects(agent, plan);
  for (const [resource, wanted, cache] of [
    [SECRETS, secret, world.secrets.cache],
    [DEPLOYMENTS, deployment, world.deployments.cache],
  ] as const) {
    const written = await writer.write(resource, wanted, cache);
    if (!written.ok) return failed(agent, options, `${resource.kind} ${key}`, written.error);
  }
  const before = (agent.status as AgentStatus | undefined)?.prompt;
  return tell(agent, options, { accepted: { ok: true }, prompt: keptTold(before, plan.prompt) });
}

const cacheOf = ({ configMaps, secrets }: ClusterView, kind: 'ConfigMap' | 'Secret') =>
  (kind === 'Secret' ? secrets : configMaps).cache;

/** Why a source cannot be read though it may be there: nobody told us of any of its kind. */
function unreadSource(agent: KubeObject, world: ClusterView): string | undefined {
  for (const kind of ['ConfigMap', 'Secret'] as const) {
    const { isSynced, failure } = (kind === 'Secret' ? world.secrets : world.configMaps).state();
    if (isSynced || !sourcesOf(agent).some((source) => source.startsWith(`${kind} `))) continue;
    return `${kind}s cannot be read: ${failure ?? 'the server has not told them yet'}`;
  }
  return undefined;
}

async function refused(
  agent: KubeObject,
  options: ReconcileOptions,
  message: string,
  type: 'transient' | 'terminal',
): Promise<Reconciled> {
  const told = await tell(agent, options, { accepted: { ok: false, message } });
  return told.type === 'done' ? { type, message } : told;
}

/** A write that the server did not take. One that nobody can fix by waiting is told in the status. */
async function failed(
  agent: KubeObject,
  options: ReconcileOptions,
  what: string,
  failure: KubeFailure,
): Promise<Reconciled> {
  const message = `${what} was not written: ${failure.message}`;
  const { retryAfterMs } = failure;
  if (isTransient(failure))
    return { type: 'transient', message, ...(retryAfterMs === undefined ? {} : { againMs: retryAfterMs }) };
  // Rights can be given without a word to us: it is tried again.
  return refused(agent, options, message, failure.status === 403 ? 'transient' : 'terminal');
}

/** Writes the status where it differs. */
async function tell(
  agent: KubeObject,
  { client, group, world, clock, events }: ReconcileOptions,
  standing: Omit<AgentStanding, 'deployment'>,
): Promise<Reconciled> {
  const { name, namespace } = agent.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const deployment = world.deployments.cache.get(key);
  const status = statusOf(agent, { ...standing, deployment }, clock.date());
  if (canonical(ownPart(agent.status)) === canonical(status)) return { type: 'done' };
  const { apiVersion, kind } = agent;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  const written = await client.apply(
    agentsOf(group),
    { apiVersion, kind, metadata, status },
    { manager: MANAGER, subresource: 'status', force: true },
  );
  if (written.ok) tellEvents(agent, status, events);
  // One that is gone meanwhile has no status.
  if (written.ok || written.error.status === 404) return { type: 'done' };
  return { type: 'transient', message: `The status of ${key} was not written: ${written.error.message}` };
}

/** Events for what is new: refused or accepted, with other words. None of them has a word of the prompt. */
function tellEvents(agent: KubeObject, status: AgentStatus, events: EventRecorder): void {
  const before = (agent.status ?? {}) as AgentStatus;
  const acceptedIn = ({ conditions = [] }: AgentStatus) => conditions.find(({ type }) => type === 'Accepted');
  const [old, now] = [acceptedIn(before), acceptedIn(status)];
  if (now?.status === 'False' && (old?.status !== 'False' || old.message !== now.message))
    events.record(agent, { type: 'Warning', reason: now.reason, message: now.message });
  const { hash, bytes, fragments = [] } = status.prompt ?? {};
  if (now?.status === 'True' && (old?.status !== 'True' || before.prompt?.hash !== hash))
    events.record(agent, {
      type: 'Normal',
      reason: 'Resolved',
      message: `The prompt has ${bytes} bytes from ${fragments.length} fragments: ${hash}`,
    });
}

/** What of a status is ours. */
function ownPart(status: unknown): AgentStatus {
  const { observedGeneration, conditions, prompt } = (status ?? {}) as AgentStatus;
  return {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(conditions === undefined
      ? {}
      : { conditions: conditions.filter(({ type }) => type === 'Accepted' || type === 'Ready') }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}
