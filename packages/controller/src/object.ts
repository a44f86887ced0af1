/** An object as the API serves it. What a kind has beside these is read by whoever knows the kind. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly deletionTimestamp?: string;
  readonly [field: string]: unknown;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** What an object is called in a cache and in a queue: `NAMESPACE/NAME`, or `NAME` where its kind has no namespaces. */
export const keyOf = ({ metadata: { namespace, name } }: Pick<KubeObject, 'metadata'>): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** The two parts of a key. */
export function splitKey(key: string): { readonly namespace?: string; readonly name: string } {
  const at = key.indexOf('/');
  return at === -1 ? { name: key } : { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
