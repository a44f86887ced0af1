import type { YamlSource } from '@cuebook/yaml';
import { readYamlDocuments } from '@cuebook/yaml';
import { createCollector, type Manifests, objectKey } from './manifests.js';
import { plainObject } from './plain-object.js';

export interface OverlayOptions {
  /** Where documents are that name no namespace. */
  readonly namespace: string;
}

/** Objects as they would be once documents are applied over those that are there. */
export interface Overlay {
  readonly manifests: Manifests;
  /** Each object as plain data, by `Kind namespace/name`. */
  readonly objects: ReadonlyMap<string, unknown>;
  /** Which of them the documents say. */
  readonly said: ReadonlySet<string>;
}

/** An object as an API server answers it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/**
 * Documents over the objects of a cluster: of an object that both have, what the document says counts, whole. Values of
 * the cluster's objects are placed by their own lines.
 */
export function overlayManifests(
  texts: Iterable<readonly [file: string, text: string]>,
  live: Iterable<LiveObject>,
  { namespace }: OverlayOptions,
): Overlay {
  const collector = createCollector({ namespace });
  const objects = new Map<string, unknown>();
  const said = new Set<string>();
  for (const [file, text] of texts) {
    const read = readYamlDocuments(file, text, 'E_MANIFEST', { oldBooleans: true, merge: true });
    for (const diagnostic of read.diagnostics) collector.report(diagnostic);
    for (const document of read.documents) {
      collector.add(document);
      for (const [key, value] of identified(document.value, namespace)) {
        if (!objects.has(key)) objects.set(key, value);
        said.add(key);
      }
    }
  }
  for (const object of live) {
    const key = keyOf(object.kind, object.metadata, namespace);
    if (objects.has(key)) continue;
    objects.set(key, object);
    collector.add(liveSource(key, object));
  }
  return { manifests: collector.manifests(), objects, said };
}

const liveSource = (key: string, object: LiveObject): YamlSource =>
  plainObject(key, object, { byLine: true });

const keyOf = (kind: string, metadata: LiveObject['metadata'], namespace: string): string =>
  objectKey(kind, { namespace: metadata.namespace || namespace, name: metadata.name });

/** The objects that a document says, lists unwrapped, each in its namespace. */
function* identified(value: unknown, namespace: string): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  const { kind, apiVersion, metadata, items } = value as Partial<LiveObject> & { readonly items?: unknown };
  if (typeof kind !== 'string') return;
  if (kind.endsWith('List') && Array.isArray(items)) {
    const own = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
    for (const item of items) yield* identified({ ...own, ...Object(item) }, namespace);
    return;
  }
  if (typeof metadata?.name !== 'string') return;
  const placed = { ...metadata, namespace: metadata.namespace || namespace };
  yield [keyOf(kind, placed, namespace), { ...value, metadata: placed }];
}
