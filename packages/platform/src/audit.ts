import type { JsonValue } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import { runOf } from './ledger.js';
import { agentSubject, PUBLISHED } from './record.js';

/** One entry of the platform's own record. */
export interface AuditEntry {
  /** Hand it in as `after` for what follows. */
  readonly position: number;
  readonly at: number;
  readonly type: string;
  readonly agent?: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/**
 * What happened on the platform after a position, oldest first: admissions, credentials, reviews, publications,
 * tokens, experiments and their rollouts. Of one agent, or of all. No secret is ever in it.
 */
export async function readAudit(
  { store }: Pick<PlatformParts, 'store'>,
  {
    after = 0,
    limit = 200,
    agent,
  }: { readonly after?: number; readonly limit?: number; readonly agent?: string },
): Promise<readonly AuditEntry[]> {
  const agents = agent === undefined ? [...(await store.projections('platform.agent')).keys()] : [agent];
  const byRun = new Map<string, string>(agents.map((id) => [runOf(agentSubject(id)), id]));
  const publications = runOf({ name: PUBLISHED, key: '' });
  const found: AuditEntry[] = [];
  let from = after;
  while (found.length < limit) {
    const page = await store.readAll({ after: from, limit: PAGE });
    for (const { run, position, at, type, data } of page) {
      from = position;
      const said = run === publications ? (data as { readonly agent?: string }).agent : undefined;
      const of =
        said === undefined ? byRun.get(run) : agent === undefined || said === agent ? said : undefined;
      const isOurs = of !== undefined || (agent === undefined && OTHERS.has(type));
      if (!isOurs || found.length === limit) continue;
      found.push({
        position,
        at,
        type,
        ...(of === undefined ? {} : { agent: of }),
        data: data as AuditEntry['data'],
      });
    }
    if (page.length < PAGE) return found;
  }
  return found;
}

const OTHERS: ReadonlySet<string> = new Set([
  'token.issued',
  'token.revoked',
  'place.changed',
  'event.kept',
  'groups.explained',
  'job.set',
  'experiment.set',
  'experiment.ended',
  'rollout.decided',
  'library.proposed',
  'library.approved',
  'library.rejected',
  'library.published',
  'library.pinned',
  'library.rolled-back',
  'library.retiring',
]);
const PAGE = 1000;
