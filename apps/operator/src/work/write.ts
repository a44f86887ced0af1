import {
  type Cache,
  holds,
  type KubeClient,
  type KubeFailure,
  type KubeObject,
  keyOf,
  type Resource,
} from '@cuebook/controller';
import { fail, ok, type Result } from '@cuebook/prompt';
import { APPLIED, MANAGER } from '../resources.js';

/** Writes objects where they are not as wanted already. */
export interface ObjectWriter {
  /** Answers whether it had to be written. */
  write(resource: Resource, wanted: KubeObject, cache: Cache): Promise<Result<boolean, KubeFailure>>;
  /** Whether a word about an object is about a write of ours that is not answered yet. */
  isWriting(object: KubeObject): boolean;
}

export interface WriterOptions {
  /** Somebody else wrote after us. */
  readonly onOther: (object: KubeObject) => void;
  readonly onWritten?: (kind: string) => void;
}

export function createWriter(client: KubeClient, { onOther, onWritten }: WriterOptions): ObjectWriter {
  const writing = new Set<string>();
  const idOf = (object: KubeObject): string => `${object.kind} ${keyOf(object)}`;
  return {
    isWriting: (object) => writing.has(idOf(object)),
    async write(resource, wanted, cache) {
      const live = cache.get(keyOf(wanted));
      const isApplied = live?.metadata.annotations?.[APPLIED] === wanted.metadata.annotations?.[APPLIED];
      if (live !== undefined && isApplied && holds(live, wanted)) return ok(false);
      const id = idOf(wanted);
      writing.add(id);
      try {
        const written = await client.apply(resource, wanted, { manager: MANAGER, force: true });
        if (!written.ok) return fail(written.error);
        onWritten?.(resource.kind);
        const seen = cache.get(keyOf(wanted));
        // Somebody else wrote after us, and that word was passed over while ours was not answered.
        if (seen !== undefined && isNewer(seen, written.value)) onOther(seen);
        else cache.put(written.value);
        return ok(true);
      } finally {
        writing.delete(id);
      }
    },
  };
}

/** Versions are numbers that grow; one that is not is taken for a newer one, which costs one look. */
function isNewer(seen: KubeObject, than: KubeObject): boolean {
  const [a, b] = [seen.metadata.resourceVersion ?? '', than.metadata.resourceVersion ?? ''];
  if (a === b) return false;
  return !(/^\d+$/.test(a) && /^\d+$/.test(b)) || BigInt(a) > BigInt(b);
}
