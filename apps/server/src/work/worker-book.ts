import { workerSchema } from '@cuebook/api';
import type { Clock } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { WorkShare } from '@cuebook/host';
import type { Lease, Store } from '@cuebook/journal';
import type { z } from 'zod';

/** What a server or worker says of itself: what others are told of it, but for who was asked. */
const workerNoteSchema = workerSchema.omit({ isAsked: true });

export type WorkerNote = z.output<typeof workerNoteSchema>;

/** The processes of a project that are up. Each says every few seconds what it has, and holds a lease while it lives. */
export interface WorkerBook {
  /** Says of this process that it is up, from now on. */
  start(): Promise<void>;
  /** Those that are up, the oldest first. */
  list(): Promise<readonly WorkerNote[]>;
  /** Asks a worker to end. `server`: it is one. False: it is not up. */
  drain(id: string): Promise<boolean | 'server'>;
  /** Says at once what has changed. */
  tell(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerBookParts {
  readonly store: Pick<Store, 'acquireLease' | 'renewLease' | 'releaseLease' | 'findLease'>;
  /** CUEBOOK_HOME as the machines of the project share it. */
  readonly home: Files;
  readonly clock: Clock;
  /** Whether there can be others. A process that is alone says nothing to anybody. */
  readonly isShared: boolean;
  readonly beatMs?: number;
  readonly own: Pick<WorkerNote, 'id' | 'role' | 'version' | 'pid'> & { readonly machine: Promise<string> };
  share(): WorkShare | undefined;
  isDraining(): boolean;
  /** Somebody wants this process to end. */
  onDrain(): void;
  onProblem(error: unknown): void;
}

export function createWorkerBook(parts: WorkerBookParts): WorkerBook {
  const { store, home, clock, own, isShared, beatMs = BEAT_MS } = parts;
  const startedAt = clock.now();
  let lease: Lease | undefined;
  let isStopped = false;
  let isAsked = false;
  let beating: Promise<void> = Promise.resolve();
  let cancel = () => {};

  const noteOf = async (): Promise<WorkerNote> => {
    const { slots = null, kinds = [], labels = [], runs = [] } = parts.share() ?? {};
    return {
      ...{ ...own, machine: await own.machine, startedAt, slots, draining: parts.isDraining() },
      ...{ kinds: [...kinds], labels: labels.flatMap(labelOf), runs: runs.slice(0, MAX_RUNS) },
    };
  };
  const tell = async (): Promise<void> => {
    const note = await noteOf();
    if (isStopped || !isShared) return;
    // Written each time: while the records were away, others may have taken this process for one that has ended.
    const written = await home.writeText(fileOf(own.id), JSON.stringify(note), { mode: 0o600 });
    if (!written.ok) parts.onProblem(written.error);
  };
  const beat = async (): Promise<void> => {
    const isHeld = lease !== undefined && (await store.renewLease(lease, beatMs * 3));
    if (!isHeld) lease = await store.acquireLease(scopeOf(own.id), own.id, beatMs * 3);
    await tell();
    if (isAsked || !(await home.readText(askedOf(own.id), { limit: 10 })).ok) return;
    isAsked = true;
    parts.onDrain();
  };
  const again = (): void => {
    if (isStopped) return;
    cancel = clock.at(clock.now() + beatMs, () => {
      beating = beat().catch(parts.onProblem).finally(again);
    });
  };
  const read = async (id: string): Promise<WorkerNote | undefined> => {
    const text = await home.readText(fileOf(id), { limit: 100_000 });
    return text.ok ? readNote(id, text.value) : undefined;
  };
  const isUp = async (id: string): Promise<boolean> => (await store.findLease(scopeOf(id))) !== undefined;

  return {
    async start() {
      if (!isShared) return;
      await beat();
      again();
    },
    async list() {
      if (!isShared) return [await noteOf()];
      const listed = await home.list(FOLDER);
      const ids = listed.ok ? listed.value.entries.flatMap(({ name }) => FILE.exec(name)?.[1] ?? []) : [];
      const found: WorkerNote[] = [];
      for (const id of ids) {
        const isThere = await isUp(id);
        const note = isThere ? await read(id) : undefined;
        if (note !== undefined) found.push(note);
        // The note of who is up stays, whatever is in it.
        else if (!isThere && id !== own.id)
          for (const file of [fileOf(id), askedOf(id)]) await home.remove(file);
      }
      return found.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
    },
    async drain(id) {
      const note = (await isUp(id)) ? await read(id) : undefined;
      if (note === undefined) return false;
      if (note.role === 'server') return 'server';
      const asked = await home.writeText(askedOf(id), 'drain\n', { mode: 0o600 });
      if (!asked.ok) throw new Error(asked.error.code);
      return true;
    },
    tell,
    async stop() {
      isStopped = true;
      cancel();
      await beating;
      if (!isShared) return;
      for (const file of [fileOf(own.id), askedOf(own.id)]) await home.remove(file);
      if (lease) await store.releaseLease(lease);
    },
  };
}

/** What a process says of itself. Of what a newer one says that does not fit, each part that fits counts. */
export function readNote(id: string, text: string): WorkerNote | undefined {
  const said = parsed(text);
  if (said === undefined) return undefined;
  const whole = workerNoteSchema.safeParse(said);
  if (whole.success) return whole.data;
  const bare: WorkerNote = {
    ...{ id, role: id.startsWith('server-') ? 'server' : 'worker', version: 'unknown', machine: 'unknown' },
    ...{ pid: 0, startedAt: 0, slots: null, draining: false, kinds: [], labels: [], runs: [] },
  };
  const { shape } = workerNoteSchema;
  const fit = Object.entries(shape).flatMap(([name, schema]) => {
    const part = name === 'id' || name === 'role' ? undefined : schema.safeParse(said[name]);
    return part?.success ? [[name, part.data]] : [];
  });
  return { ...bare, ...Object.fromEntries(fit) };
}

/** Half a file of a process that was killed says nothing. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const BEAT_MS = 5_000;
const MAX_RUNS = 200;
const FOLDER = 'workers';
const FILE = /^((?:server|worker)-[0-9a-f]{10})\.json$/;
const fileOf = (id: string): string => `${FOLDER}/${id}.json`;
const askedOf = (id: string): string => `${FOLDER}/${id}.drain`;
const scopeOf = (id: string): string => `worker/${id}`;

/** A label as people know it; a machine takes what stays with it by its name, which is no label. */
export const labelOf = (label: string): readonly string[] => (label.startsWith('+') ? [label.slice(1)] : []);
