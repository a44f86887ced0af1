import { KEYS, readJson } from '@cuebook/bundle';
import { listAgents } from './cards.js';
import type { PlatformParts } from './desk.js';

/** Which keys speak for a role. */
export interface RoleHealth {
  readonly role: string;
  readonly keys: readonly string[];
  /** How many of them must agree. */
  readonly threshold: number;
}

/** Something that stops counting at a time. */
export interface Expiry {
  /** `root`, `targets`, `library`, or an agent's `timestamp` or `snapshot`. */
  readonly what: string;
  readonly agent?: string;
  /** Null: it is not there, or cannot be read. */
  readonly expires: number | null;
  readonly state: 'good' | 'soon' | 'expired';
}

/** The keys of every role, and what expires when, the first first. */
export interface PlatformHealth {
  readonly roles: readonly RoleHealth[];
  readonly expiries: readonly Expiry[];
}

export async function viewHealth(parts: PlatformParts): Promise<PlatformHealth> {
  const { trust, objects } = parts;
  const now = parts.now();
  const shared = (['root', 'targets', 'library'] as const).map((what) =>
    expiryOf({ what }, trust[what].bytes, { now, soon: 30 * DAY }),
  );
  const own: Expiry[] = [];
  for (const { agent, published } of await listAgents(parts)) {
    if (published === undefined) continue;
    const [timestamp, snapshot] = await Promise.all([
      objects.get(KEYS.timestamp(agent)),
      objects.get(KEYS.own(agent, 'snapshot', published.version)),
    ]);
    const bytes = (read: typeof timestamp) => (read.ok ? read.value : undefined);
    own.push(expiryOf({ what: 'timestamp', agent }, bytes(timestamp), { now, soon: DAY / 4 }));
    own.push(expiryOf({ what: 'snapshot', agent }, bytes(snapshot), { now, soon: DAY }));
  }
  const expiries = [...shared, ...own].sort((a, b) => (a.expires ?? 0) - (b.expires ?? 0));
  return { roles: rolesOf(trust), expiries };
}

const DAY = 24 * 60 * 60 * 1000;

interface Signed {
  readonly expires?: unknown;
  readonly roles?: Readonly<Record<string, Role>>;
  readonly delegations?: { readonly roles?: readonly (Role & { readonly name: string })[] };
}
interface Role {
  readonly keyids: readonly string[];
  readonly threshold: number;
}

const signedOf = (bytes: Uint8Array | undefined): Signed => {
  const read = bytes === undefined ? undefined : readJson(bytes, { bytes: 4 * 1024 * 1024 });
  return read?.ok ? ((read.value as { readonly signed?: Signed }).signed ?? {}) : {};
};

function expiryOf(
  of: Pick<Expiry, 'what' | 'agent'>,
  bytes: Uint8Array | undefined,
  { now, soon }: { readonly now: number; readonly soon: number },
): Expiry {
  const { expires: written } = signedOf(bytes);
  const time = typeof written === 'string' ? Date.parse(written) : Number.NaN;
  const expires = Number.isNaN(time) ? null : time;
  const left = (expires ?? 0) - now;
  return { ...of, expires, state: left <= 0 ? 'expired' : left <= soon ? 'soon' : 'good' };
}

/** As the root and the targets that were signed away from the server name them. */
function rolesOf({ root, targets }: PlatformParts['trust']): readonly RoleHealth[] {
  const own = Object.entries(signedOf(root.bytes).roles ?? {}).map(([role, of]) => ({ role, ...of }));
  const handed = (signedOf(targets.bytes).delegations?.roles ?? []).map(({ name, ...of }) => ({
    role: name,
    ...of,
  }));
  return [...own, ...handed].map(({ role, keyids, threshold }) => ({ role, keys: [...keyids], threshold }));
}
