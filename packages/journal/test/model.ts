import { createHash } from 'node:crypto';
import type { JsonValue } from '@cuebook/prompt';
import type { Append } from '../src/contract.js';

/** What a store answers, as simply as it can be said: maps in memory. Hashes and times are left out. */
export interface Model {
  /** What it answers, or the code of a refusal. */
  append(batch: Append): unknown;
  read(run: string): readonly string[];
  projections(name: string): readonly string[];
  blob(name: string): string;
  deleteBlob(name: string): boolean;
  removeRun(run: string): boolean;
  acquire(scope: string, owner: string): number | undefined;
  release(scope: string, token: number): void;
}

export const blobName = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

interface Run {
  readonly events: string[];
  readonly commands: Map<string, { target: string; first: number; last: number; answer: JsonValue }>;
  isRemoved: boolean;
}

const newRun = (): Run => ({ events: [], commands: new Map(), isRemoved: false });

export function createModel(): Model {
  const runs = new Map<string, Run>();
  const views = new Map<string, { run: string; value: JsonValue }>();
  const blobs = new Map<string, { content: string | undefined; keepers: Set<string> }>();
  const leases = new Map<string, { token: number; owner: string | undefined }>();

  return {
    append(batch) {
      const run = runs.get(batch.run) ?? newRun();
      if (run.isRemoved) return 'E_JOURNAL_REMOVED';
      const earlier = run.commands.get(batch.command);
      if (earlier && earlier.target !== batch.target) return 'E_JOURNAL_CONFLICT';
      if (earlier) return [earlier.first, earlier.last, earlier.answer, true];
      const { fence } = batch;
      const lease = leases.get(fence?.scope ?? '');
      if (fence && (lease?.token !== fence.token || lease.owner === undefined)) return 'E_JOURNAL_FENCED';
      if (run.events.length !== batch.expectedSeq) return 'E_JOURNAL_MOVED';
      const given = (batch.blobs ?? []).map((bytes) => blobName(Buffer.from(bytes).toString()));
      if (batch.keeps?.some((name) => blobs.get(name)?.content === undefined && !given.includes(name)))
        return 'E_JOURNAL_BLOB_MISSING';

      runs.set(batch.run, run);
      const first = run.events.length + 1;
      for (const { type, data } of batch.events) {
        run.events.push(JSON.stringify([run.events.length + 1, type, data, batch.command]));
      }
      for (const { name, key, value } of batch.projections ?? []) {
        const id = JSON.stringify([name, key]);
        if (value === null) views.delete(id);
        else views.set(id, { run: batch.run, value });
      }
      for (const bytes of batch.blobs ?? []) {
        const content = Buffer.from(bytes).toString();
        const blob = blobs.get(blobName(content)) ?? { content, keepers: new Set<string>() };
        blob.content = content;
        blobs.set(blobName(content), blob);
      }
      const kept = [...given, ...(batch.keeps ?? [])];
      for (const name of kept) blobs.get(name)?.keepers.add(batch.run);
      const last = run.events.length;
      // JSON knows no -0.
      const answer = JSON.parse(JSON.stringify(batch.answer ?? null)) as JsonValue;
      run.commands.set(batch.command, { target: batch.target, first, last, answer });
      return [first, last, answer, false];
    },
    read: (run) => runs.get(run)?.events ?? [],
    projections: (name) =>
      [...views]
        .map(([id, { value }]) => [...(JSON.parse(id) as [string, string]), value] as const)
        .filter(([of]) => of === name)
        .map(([, key, value]) => JSON.stringify([key, value]))
        .sort(),
    blob(name) {
      const found = blobs.get(name);
      return found === undefined ? 'never' : (found.content ?? 'deleted');
    },
    deleteBlob(name) {
      const found = blobs.get(name);
      if (found?.content === undefined) return false;
      found.content = undefined;
      return true;
    },
    removeRun(name) {
      const run = runs.get(name);
      if (run === undefined || run.isRemoved) return false;
      run.isRemoved = true;
      run.events.length = 0;
      for (const [id, view] of [...views]) if (view.run === name) views.delete(id);
      for (const [id, { keepers }] of [...blobs]) {
        if (keepers.delete(name) && keepers.size === 0) blobs.delete(id);
      }
      return true;
    },
    acquire(scope, owner) {
      const lease = leases.get(scope) ?? { token: 0, owner: undefined };
      if (lease.owner !== undefined && lease.owner !== owner) return undefined;
      leases.set(scope, { token: lease.token + 1, owner });
      return lease.token + 1;
    },
    release(scope, token) {
      const lease = leases.get(scope);
      if (lease?.token === token) lease.owner = undefined;
    },
  };
}
