import type { Append, Appended, JournalError, Lease, RunId, StoredEvent } from '@cuebook/journal';
import { fail, type JsonValue, ok } from '@cuebook/prompt';
import type { EngineStore } from '../src/loop/engine-store.js';

/**
 * A store in memory for searches of many thousand runs, with the answers of the real ones. The same cases run on
 * SQLite and Postgres in fewer numbers.
 */
export function memoryStore(now: () => number): EngineStore {
  const logs = new Map<RunId, StoredEvent[]>();
  const receipts = new Map<string, { target: string; appended: Appended }>();
  const models = new Map<string, Map<string, JsonValue>>();
  const leases = new Map<string, Lease>();
  const logOf = (run: RunId) => logs.get(run) ?? [];
  const isHeld = (scope: string, token: number) => {
    const lease = leases.get(scope);
    return lease !== undefined && lease.token === token && lease.expiresAt > now();
  };
  const write = (batch: Append) => {
    const { run, command, events, answer = null } = batch;
    const log = logOf(run);
    const firstSeq = log.length + 1;
    events.forEach(({ type, data }, index) => {
      const seq = firstSeq + index;
      log.push({ run, seq, position: seq, at: now(), command, hash: '', type, data: copy(data) });
    });
    logs.set(run, log);
    for (const { name, key, value } of batch.projections ?? []) {
      const model = models.get(name) ?? new Map<string, JsonValue>();
      models.set(name, model);
      if (value === null) model.delete(key);
      else model.set(key, copy(value));
    }
    return { firstSeq, lastSeq: log.length, answer, repeated: false, hash: '' };
  };
  const refuse = (error: JournalError) => fail(error);
  return {
    async append(batch) {
      const { run, command, target, expectedSeq, fence } = batch;
      const earlier = receipts.get(JSON.stringify([run, command]));
      if (earlier && earlier.target !== target) return refuse({ code: 'E_JOURNAL_CONFLICT', run, command });
      if (earlier) return ok({ ...earlier.appended, repeated: true });
      if (fence && !isHeld(fence.scope, fence.token)) return refuse({ code: 'E_JOURNAL_FENCED', ...fence });
      const found = logOf(run).length;
      if (found !== expectedSeq)
        return refuse({ code: 'E_JOURNAL_MOVED', run, expected: expectedSeq, found });
      const appended = write(batch);
      receipts.set(JSON.stringify([run, command]), { target, appended });
      return ok(appended);
    },
    read: async (run, { after = 0, limit } = {}) => logOf(run).slice(after, limit && after + limit),
    findCommand: async (run, command) => receipts.get(JSON.stringify([run, command]))?.appended,
    projection: async (name, key) => models.get(name)?.get(key),
    projections: async (name) => new Map(models.get(name)),
    async acquireLease(scope, owner, ttlMs) {
      const held = leases.get(scope);
      if (held && held.owner !== owner && held.expiresAt > now()) return undefined;
      const lease = { scope, owner, token: (held?.token ?? 0) + 1, expiresAt: now() + ttlMs };
      leases.set(scope, lease);
      return lease;
    },
    async renewLease(lease, ttlMs) {
      const held = leases.get(lease.scope);
      if (held?.token !== lease.token || held.expiresAt === 0) return false;
      leases.set(lease.scope, { ...held, expiresAt: now() + ttlMs });
      return true;
    },
    async releaseLease(lease) {
      const held = leases.get(lease.scope);
      if (held?.token === lease.token) leases.set(lease.scope, { ...held, expiresAt: 0 });
    },
    async findLease(scope) {
      const held = leases.get(scope);
      return held && held.expiresAt > now() ? held : undefined;
    },
  };
}

const copy = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value));
