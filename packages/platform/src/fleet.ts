import { HEARTBEAT_LIMIT, KEYS, type ReadHeartbeat, readHeartbeat } from '@cuebook/bundle';
import { listAgents } from './cards.js';
import type { PlatformParts } from './desk.js';
import { keyOf } from './entry/admit.js';
import type { AgentRecord } from './record.js';
import { verifyPublished } from './views.js';

/** One agent as the platform can see it from the store, its own record, and what the agent says of itself. */
export interface FleetMember {
  readonly agent: string;
  readonly owner: string;
  readonly admission: AgentRecord['admission']['status'];
  /** What the store should hold. */
  readonly published: { readonly version: number; readonly cardVersion: number; readonly at: number } | null;
  /** Whether what the store holds verifies now, as the agent would verify it. Null: nothing is published. */
  readonly verification:
    | { readonly ok: true }
    | { readonly ok: false; readonly code: string; readonly reason: string; readonly object?: string }
    | null;
  /** When the agent last showed that it is awake: its own word. */
  readonly seenAt: number | null;
  /** Whether its heartbeat is signed with the key that it was admitted with. What follows is believed only then. */
  readonly vouched: boolean;
  /** What it uses: by object, with the hash of the bytes. Null: it has said nothing, or has never had a valid bundle. */
  readonly applied: NonNullable<ReadHeartbeat['applied']>['objects'] | null;
  /** What it refused last. */
  readonly failure: ReadHeartbeat['failure'];
  /** `current`: it uses what is published. `behind`: it uses something else. `unknown`: it has not said so. */
  readonly state: 'current' | 'behind' | 'unknown';
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
  const beat = await lastBeat(parts, record);
  const said = beat?.signed === true ? beat : undefined;
  return {
    agent,
    owner: review.owner,
    admission: admission.status,
    published:
      published === undefined
        ? null
        : { version: published.version, cardVersion: published.cardVersion, at: published.at },
    verification: found === undefined ? null : found.ok ? { ok: true } : refusalOf(found.error),
    seenAt: beat?.at ?? null,
    vouched: said !== undefined,
    applied: said?.applied?.objects ?? null,
    failure: said?.failure ?? null,
    state: stateOf(record, said),
    refused: counted?.refused ?? 0,
  };
}

function refusalOf(error: { readonly code: string; readonly reason?: unknown; readonly at?: unknown }) {
  const { code, reason, at } = error;
  return {
    ok: false,
    code,
    reason: String(reason),
    ...(typeof at === 'string' ? { object: at } : {}),
  } as const;
}

/** Whether the hashes that an agent tells are those of what was written for it. */
function stateOf({ agent, published }: AgentRecord, said: ReadHeartbeat | undefined): FleetMember['state'] {
  const stored = published?.stored;
  if (stored === undefined || said === undefined) return 'unknown';
  const wanted = [
    [KEYS.card(agent), stored.card.sha256],
    [KEYS.bundle(agent), stored.bundle.sha256],
  ] as const;
  const has = new Map(said.applied?.objects.map(({ object, sha256 }) => [object, sha256]));
  return wanted.every(([object, sha256]) => has.get(object) === sha256) ? 'current' : 'behind';
}

/** A heartbeat of somebody else, or from the future, is none. */
async function lastBeat(
  { objects, now }: PlatformParts,
  { agent, admission, review }: AgentRecord,
): Promise<ReadHeartbeat | undefined> {
  const bytes = await objects.get(KEYS.heartbeat(agent), { limit: HEARTBEAT_LIMIT });
  const key = admission.key ?? keyOf(review.draft);
  const beat = bytes.ok ? readHeartbeat(bytes.value, agent, key) : undefined;
  return beat !== undefined && beat.at <= now() ? beat : undefined;
}
