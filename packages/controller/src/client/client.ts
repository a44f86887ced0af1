import { fail, ok, type Result } from '@cuebook/prompt';
import type { KubeObject } from '../object.js';
import { apiVersionOf, pathOf, type Resource } from '../resource.js';
import { linesOf, textOf } from './body.js';
import { failureFrom, type KubeFailure, unreachable } from './failure.js';
import type { KubeCall, Transport } from './transport.js';

export interface Scope {
  /** Left out: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
}

export interface ListedObjects {
  readonly items: readonly KubeObject[];
  /** What a watch goes on from. */
  readonly resourceVersion: string;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  /** Nothing changed up to here. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  /** The last one: the watch is over. */
  | { readonly type: 'ERROR'; readonly failure: KubeFailure };

export interface FieldOptions {
  /** Who owns the fields that are said. */
  readonly manager: string;
  readonly subresource?: 'status';
  /** Takes fields from other owners. */
  readonly force?: boolean;
  /** Asks what would come of it, and writes nothing. */
  readonly dryRun?: boolean;
}

type Answered<Value> = Promise<Result<Value, KubeFailure>>;

/** The calls that controllers need. None rejects: what goes wrong is a value. */
export interface KubeClient {
  /** All objects, read page by page. */
  list(resource: Resource, scope?: Scope, signal?: AbortSignal): Answered<ListedObjects>;
  /** What changes from a version on, until the server ends it; then, or when it breaks, the stream ends. */
  watch(
    resource: Resource,
    from: Scope & { readonly resourceVersion: string; readonly seconds: number },
    signal?: AbortSignal,
  ): AsyncIterable<WatchEvent>;
  get(resource: Resource, at: { readonly namespace?: string; readonly name: string }): Answered<KubeObject>;
  create(resource: Resource, object: KubeObject): Answered<KubeObject>;
  /** Writes the whole object. With the version that was read it is refused where somebody else wrote since. */
  replace(resource: Resource, object: KubeObject): Answered<KubeObject>;
  /** Server-side apply: says the fields that this manager wants, and takes back those that it said before. */
  apply(resource: Resource, object: KubeObject, options: FieldOptions): Answered<KubeObject>;
  remove(
    resource: Resource,
    at: { readonly namespace?: string; readonly name: string; readonly uid?: string },
  ): Answered<undefined>;
}

/** Objects of a page. */
const PAGE = 500;
const CALL_IDLE_MS = 30_000;
/** Bookmarks come about once a minute: a watch that is silent for longer leads nowhere. */
const WATCH_IDLE_MS = 150_000;
/** An object has at most 3 MB in a real store; a page has hundreds. */
const MAX_BODY = 512 * 1024 * 1024;
const MAX_EVENT = 16 * 1024 * 1024;

export function createKubeClient(transport: Transport, { idleMs = WATCH_IDLE_MS } = {}): KubeClient {
  const ask = async <Value>(call: Omit<KubeCall, 'idleMs'>): Answered<Value> => {
    try {
      const answer = await transport.send({ ...call, idleMs: CALL_IDLE_MS });
      const text = await textOf(answer, MAX_BODY);
      const { statusCode = 0, headers } = answer;
      if (statusCode < 200 || statusCode > 299) return fail(failureFrom(statusCode, text, headers));
      return ok(JSON.parse(text) as Value);
    } catch (error) {
      return fail(unreachable(error));
    }
  };
  return {
    async list(resource, scope = {}, signal) {
      const items: KubeObject[] = [];
      let next: string | undefined;
      for (;;) {
        const query = { ...queryOf(scope), limit: String(PAGE), continue: next };
        const page = await ask<ListBody>({ method: 'GET', path: pathOf(resource, scope), query, signal });
        if (!page.ok) return page;
        // Items of a list do not say what they are.
        const { kind } = resource;
        for (const item of page.value.items ?? [])
          items.push({
            ...item,
            apiVersion: item.apiVersion ?? apiVersionOf(resource),
            kind: item.kind ?? kind,
          });
        next = page.value.metadata?.continue || undefined;
        if (next === undefined)
          return ok({ items, resourceVersion: page.value.metadata?.resourceVersion ?? '' });
      }
    },
    async *watch(resource, { resourceVersion, seconds, ...scope }, signal) {
      try {
        const answer = await transport.send({
          method: 'GET',
          path: pathOf(resource, scope),
          query: {
            ...queryOf(scope),
            watch: 'true',
            allowWatchBookmarks: 'true',
            timeoutSeconds: String(seconds),
            resourceVersion,
          },
          signal,
          idleMs,
        });
        if (answer.statusCode !== 200) {
          const failure = failureFrom(answer.statusCode ?? 0, await textOf(answer, MAX_BODY), answer.headers);
          yield { type: 'ERROR', failure };
          return;
        }
        for await (const line of linesOf(answer, MAX_EVENT)) yield eventIn(line);
      } catch (error) {
        if (!signal?.aborted) yield { type: 'ERROR', failure: unreachable(error) };
      }
    },
    get: (resource, at) => ask({ method: 'GET', path: pathOf(resource, at) }),
    create: (resource, object) =>
      ask({
        method: 'POST',
        path: pathOf(resource, { namespace: object.metadata.namespace }),
        body: JSON.stringify(object),
      }),
    replace: (resource, object) =>
      ask({ method: 'PUT', path: pathOf(resource, object.metadata), body: JSON.stringify(object) }),
    apply: (resource, object, { manager, subresource, force = false, dryRun = false }) =>
      ask({
        method: 'PATCH',
        path: pathOf(resource, { ...placeOf(object), subresource }),
        query: {
          fieldManager: manager,
          force: String(force),
          dryRun: dryRun ? 'All' : undefined,
          fieldValidation: 'Strict',
        },
        // JSON is YAML.
        contentType: 'application/apply-patch+yaml',
        body: JSON.stringify(object),
      }),
    async remove(resource, { uid, ...at }) {
      const body = JSON.stringify({
        ...{ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      });
      const done = await ask({ method: 'DELETE', path: pathOf(resource, at), body });
      return done.ok ? ok(undefined) : done;
    },
  };
}

interface ListBody {
  readonly items?: readonly KubeObject[];
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

const placeOf = ({ metadata: { namespace, name } }: KubeObject) => ({ namespace, name });

const queryOf = ({ labelSelector }: Scope) => ({ labelSelector });

/** What a line of a watch says. One that says nothing known ends the watch: what it left out would never be seen. */
function eventIn(line: string): WatchEvent {
  const { type, object } = JSON.parse(line) as { readonly type?: string; readonly object?: KubeObject };
  if (type === 'BOOKMARK') return { type, resourceVersion: object?.metadata?.resourceVersion ?? '' };
  if ((type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') && object?.metadata?.name !== undefined)
    return { type, object };
  return { type: 'ERROR', failure: failureFrom(0, JSON.stringify(object ?? {})) };
}
