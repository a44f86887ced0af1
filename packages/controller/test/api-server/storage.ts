import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../src/object.js';
import { leavesOf, merged, without } from './fields.js';

/** What changed, for watches. */
export interface Stored {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  /** `GROUP/VERSION/PLURAL`. */
  readonly kind: string;
  readonly object: KubeObject;
}

export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

export type Written = { readonly object: KubeObject } | { readonly refusal: Refusal };

interface Row {
  readonly object: KubeObject;
  /** Leaves by manager and subresource. */
  readonly managers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The objects of a cluster, with versions, owners of fields, and the log of what changed. */
export class Storage {
  readonly #rows = new Map<string, Map<string, Row>>();
  readonly #log: Stored[] = [];
  readonly #listeners = new Set<(event: Stored) => void>();
  #version = 1;
  #compacted = 0;
  readonly #uids = new Set<string>();
  /** Writes that changed something, as `METHOD KIND KEY`. */
  readonly writes: string[] = [];

  get version(): number {
    return this.#version;
  }

  /** What happened before is not kept any more: watches from there are refused. */
  compact(): void {
    this.#compacted = this.#version;
    this.#log.length = 0;
  }

  since(kind: string, version: number): readonly Stored[] | 'gone' {
    if (version < this.#compacted) return 'gone';
    return this.#log.filter((each) => each.kind === kind && each.version > version);
  }

  listen(listener: (event: Stored) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  list(kind: string): readonly KubeObject[] {
    return [...this.#table(kind)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { object }]) => object);
  }

  get(kind: string, key: string): KubeObject | undefined {
    return this.#table(kind).get(key)?.object;
  }

  create(kind: string, key: string, object: KubeObject): Written {
    if (this.#table(kind).has(key)) return refused(409, 'AlreadyExists', `${key} already exists`);
    const { status: _, ...rest } = object;
    return {
      object: this.#put(kind, key, { ...rest, metadata: object.metadata } as KubeObject, new Map(), 'POST'),
    };
  }

  replace(kind: string, key: string, object: KubeObject, isStatus: boolean): Written {
    const row = this.#table(kind).get(key);
    if (row === undefined) return refused(404, 'NotFound', `${key} not found`);
    const { resourceVersion } = object.metadata;
    if (resourceVersion !== undefined && resourceVersion !== row.object.metadata.resourceVersion)
      return refused(409, 'Conflict', 'the object has been modified');
    const next = isStatus
      ? { ...row.object, status: object.status }
      : { ...object, ...('status' in row.object ? { status: row.object.status } : {}) };
    return { object: this.#put(kind, key, next as KubeObject, row.managers, 'PUT') };
  }

  apply(
    kind: string,
    key: string,
    wanted: KubeObject,
    { manager, force, isStatus, dryRun }: ApplyCall,
  ): Written {
    const row = this.#table(kind).get(key);
    if (row === undefined && isStatus) return refused(404, 'NotFound', `${key} not found`);
    const said = saidIn(wanted, isStatus);
    const owner = `${manager}${isStatus ? '/status' : ''}`;
    const before = row?.managers.get(owner) ?? new Set<string>();
    const mine = leavesOf(said as never);
    const live = leavesOf((row?.object ?? {}) as never);
    for (const [other, leaves] of row?.managers ?? [])
      for (const leaf of mine.keys())
        if (
          other !== owner &&
          !force &&
          leaves.has(leaf) &&
          JSON.stringify(live.get(leaf)) !== JSON.stringify(mine.get(leaf))
        )
          return refused(409, 'Conflict', `conflict with "${other}" at ${leaf}`);
    const kept = new Set(
      [...(row?.managers ?? [])].flatMap(([name, leaves]) => (name === owner ? [] : [...leaves])),
    );
    let next: unknown = row?.object ?? { metadata: wanted.metadata };
    for (const leaf of before)
      if (!mine.has(leaf) && !kept.has(leaf))
        next = without(next as never, JSON.parse(leaf) as string[]) ?? {};
    const object = merged(next as never, said as never) as unknown as KubeObject;
    const whole = { ...object, apiVersion: wanted.apiVersion, kind: wanted.kind };
    const managers = new Map([...(row?.managers ?? []), [owner, new Set(mine.keys())]]);
    if (force)
      for (const [name, leaves] of managers)
        if (name !== owner) managers.set(name, new Set([...leaves].filter((leaf) => !mine.has(leaf))));
    if (dryRun) return { object: whole };
    return { object: this.#put(kind, key, whole, managers, 'PATCH') };
  }

  remove(kind: string, key: string, uid?: string): Written {
    const row = this.#table(kind).get(key);
    if (row === undefined) return refused(404, 'NotFound', `${key} not found`);
    if (uid !== undefined && uid !== row.object.metadata.uid)
      return refused(409, 'Conflict', 'the uid in the precondition differs');
    this.#table(kind).delete(key);
    this.#uids.delete(row.object.metadata.uid ?? '');
    this.#version += 1;
    const object = {
      ...row.object,
      metadata: { ...row.object.metadata, resourceVersion: String(this.#version) },
    };
    this.writes.push(`DELETE ${kind} ${key}`);
    this.#tell({ type: 'DELETED', version: this.#version, kind, object });
    this.#collect(object.metadata.uid);
    return { object };
  }

  /** What was owned by an object goes with it. */
  #collect(uid: string | undefined): void {
    for (const [kind, table] of this.#rows)
      for (const [key, { object }] of table)
        if (object.metadata.ownerReferences?.some((each) => each.uid === uid)) this.remove(kind, key);
  }

  #put(kind: string, key: string, object: KubeObject, managers: Row['managers'], method: string): KubeObject {
    const before = this.#table(kind).get(key)?.object;
    const known = before?.metadata;
    const { uid = randomUUID(), generation = 0 } = known ?? ({} as KubeObject['metadata']);
    const creationTimestamp = known?.creationTimestamp ?? new Date().toISOString();
    const metadata = { ...object.metadata, uid, creationTimestamp };
    const isSpec = before === undefined || !isSame(specOf(before), specOf(object));
    const next = {
      ...object,
      metadata: {
        ...metadata,
        generation: isSpec ? generation + 1 : generation,
        resourceVersion: before?.metadata.resourceVersion,
      },
    } as KubeObject;
    if (before !== undefined && isSame(before, next)) {
      this.#table(kind).set(key, { object: before, managers });
      return before;
    }
    this.#version += 1;
    const stored = { ...next, metadata: { ...next.metadata, resourceVersion: String(this.#version) } };
    this.#table(kind).set(key, { object: stored, managers });
    this.#uids.add(uid);
    // An object of an owner that is gone is collected a moment later.
    if (stored.metadata.ownerReferences?.some((each) => !this.#uids.has(each.uid)))
      setImmediate(() => this.remove(kind, key, uid));
    this.writes.push(`${method} ${kind} ${key}`);
    this.#tell({
      type: before === undefined ? 'ADDED' : 'MODIFIED',
      version: this.#version,
      kind,
      object: stored,
    });
    return stored;
  }

  #tell(event: Stored): void {
    this.#log.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  #table(kind: string): Map<string, Row> {
    const known = this.#rows.get(kind) ?? new Map<string, Row>();
    this.#rows.set(kind, known);
    return known;
  }
}

export interface ApplyCall {
  readonly manager: string;
  readonly force: boolean;
  readonly isStatus: boolean;
  readonly dryRun: boolean;
}

const refused = (code: number, reason: string, message: string): Written => ({
  refusal: { code, reason, message },
});

const specOf = ({ metadata: _, status: __, ...rest }: KubeObject): unknown => rest;

const isSame = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

/** What an apply says: of the status only the status, of the object all but that. */
function saidIn({ status, metadata, ...rest }: KubeObject, isStatus: boolean): object {
  if (isStatus) return { status };
  const { uid: _, resourceVersion: __, generation: ___, managedFields: ____, ...meta } = metadata;
  return { ...rest, metadata: meta };
}
