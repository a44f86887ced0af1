import { KEYS, readJson } from '@cuebook/bundle';
import { listAgents } from './cards.js';
import type { PlatformParts } from './desk.js';
import type { AgentRecord } from './record.js';
import { verifyPublished } from './views.js';

/** One agent as the platform can see it from the store and its own record. */
export interface FleetMember {
  readonly agent: string;
  readonly owner: string;
  readonly admission: AgentRecord['admission']['status'];
  /** What the store should hold. */
  readonly published: { readonly version: number; readonly cardVersion: number; readonly at: number } | null;
  /** Whether what the store holds verifies now, as the agent would verify it. Null: nothing is published. */
  readonly verification:
    | { readonly ok: true }
    | { readonly ok: false; readonly code: string; readonly reason: string }
    | null;
  /** When the agent last showed that it is awake: its own word. */
  readonly seenAt: number | null;
  /** Refusals of the last hour that is counted. */
  readonly refused: number;
}

/** Who has what, by id, after one and at most so many: every bundle is verified from the root on. */
export async function viewFleet(
  parts: PlatformParts,
  { after = '', limit = 50 }: { readonly after?: string | undefined; readonly limit?: number } = {},
): Promise<{ readonly members: readonly FleetMember[]; readonly more: boolean }> {
  const agents = (await listAgents(parts)).filter(({ agent }) => agent > after);
  const members: FleetMember[] = [];
  for (const record of agents.slice(0, limit)) members.push(await viewMember(parts, record));
  return { members, more: agents.length > limit };
}

async function viewMember(parts: PlatformParts, record: AgentRecord): Promise<FleetMember> {
  const { agent, review, admission, published, counted } = record;
  const found = published === undefined ? undefined : await verifyPublished(parts, agent);
  return {
    agent,
    owner: review.owner,
    admission: admission.status,
    published:
      published === undefined
        ? null
        : { version: published.version, cardVersion: published.cardVersion, at: published.at },
    verification:
      found === undefined
        ? null
        : found.ok
          ? { ok: true }
          : { ok: false, code: found.error.code, reason: String(found.error.reason) },
    seenAt: await lastSeen(parts, agent),
    refused: counted?.refused ?? 0,
  };
}

/** A heartbeat of somebody else, or from the future, is none. */
async function lastSeen({ objects, now }: PlatformParts, agent: string): Promise<number | null> {
  const bytes = await objects.get(KEYS.heartbeat(agent), { limit: 1024 });
  const read = bytes.ok ? readJson(bytes.value) : undefined;
  const { agent_id: of, observed_at: at } = (read?.ok ? read.value : {}) as {
    readonly agent_id?: unknown;
    readonly observed_at?: unknown;
  };
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return of === agent && time <= now() ? time : null;
}
