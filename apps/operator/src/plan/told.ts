import { type KubeObject, keyOf } from '@cuebook/controller';
import type { Piece } from '@cuebook/prompt';
import { sha256 } from './hash.js';

/** What an agent is told, and which texts that came from. It stands in the status, which many may read: no words. */
export interface Told {
  /** Of the whole text. */
  readonly hash: string;
  readonly bytes: number;
  readonly fragments: readonly ToldFragment[];
}

export interface ToldFragment {
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  /** Of the object when the prompt was made; none for a text that ships with Cuebook. */
  readonly resourceVersion?: string;
  /** Of the text. Left out for a Secret: a short one could be guessed by its hash. */
  readonly hash?: string;
}

export function toldFragments(
  { text, pieces }: { readonly text: string; readonly pieces: readonly Piece[] },
  found: readonly KubeObject[],
): Told {
  const objects = new Map(found.map((each) => [`${each.kind} ${keyOf(each)}`, each]));
  const fragments = new Map<string, ToldFragment>();
  for (const { origin } of pieces) {
    const subject = origin.kind === 'shipped' ? `shipped ${origin.ref}` : origin.subject;
    if (subject === undefined || fragments.has(subject)) continue;
    const told = origin.kind === 'shipped' ? shippedAt(origin.ref) : inCluster(subject, objects);
    if (told !== undefined) fragments.set(subject, told);
  }
  return {
    hash: sha256(text),
    bytes: Buffer.byteLength(text),
    fragments: [...fragments.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
  };
}

const shippedAt = (ref: string): ToldFragment => ({ kind: 'Shipped', name: 'cuebook', key: ref });

function inCluster(subject: string, objects: ReadonlyMap<string, KubeObject>): ToldFragment | undefined {
  const [, kind = '', namespace = '', name = '', key = ''] =
    /^(\S+) ([^/\s]+)\/(\S+) (\S+)$/.exec(subject) ?? [];
  const object = objects.get(`${kind} ${namespace}/${name}`);
  if (object === undefined) return undefined;
  const { resourceVersion } = object.metadata;
  const text = (object.data as Readonly<Record<string, unknown>> | undefined)?.[key];
  return {
    kind,
    name,
    key,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(kind === 'ConfigMap' && typeof text === 'string' ? { hash: sha256(text) } : {}),
  };
}

/** What the status says: as it was where the prompt is the same, though other keys of its sources were edited. */
export function keptTold(before: Told | undefined, now: Told): Told {
  const names = ({ fragments }: Told) =>
    fragments.map(({ kind, name, key }) => `${kind} ${name} ${key}`).join();
  return before?.hash === now.hash && names(before) === names(now) ? before : now;
}
