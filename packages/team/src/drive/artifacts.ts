import { hideCredentials } from '@cuebook/engine';
import { guard, guarded } from '@cuebook/guard';
import type { Appended, JournalResult, RunId, Store } from '@cuebook/journal';
import type { Redactor } from '@cuebook/prompt';
import { ARTIFACT_EVENT } from '../graph/material.js';

/** What an artifact is. */
export type ArtifactKind = 'diff' | 'contextpack';

/**
 * The texts that belong to a run: each is kept as long as the run, once, by the hash of its content. They are for
 * people and prompts to read, so they hold no credentials.
 */
export interface Artifacts {
  /** The hash. The same text again writes nothing. */
  keep(run: RunId, kind: ArtifactKind, text: string): Promise<string>;
  /** Undefined: the run has no such artifact, or its content was deleted. */
  find(run: RunId, hash: string): Promise<string | undefined>;
}

interface ArtifactParts {
  readonly store: Store;
  readonly hash: (text: string) => string;
  readonly redactor: Redactor;
}

export function createArtifacts(
  { store, hash, redactor }: ArtifactParts,
  kept: () => void | Promise<void>,
): Artifacts {
  return {
    async keep(run, kind, text) {
      const clean = await guarded('artifact.redact', (words) => hideCredentials(redactor, words), text);
      const whole = clean.toWellFormed();
      const name = hash(whole);
      const bytes = new TextEncoder().encode(whole);
      for (let attempt = 1; ; attempt += 1) {
        const written = await write(store, run, { kind, name, bytes });
        if (written.ok) break;
        // Whoever came first has moved the run on; every failed try is somebody else's write.
        if (written.error.code !== 'E_JOURNAL_MOVED' || attempt >= MAX_ATTEMPTS)
          throw new Error(`An artifact could not be kept (${written.error.code}).`);
      }
      await kept();
      return name;
    },
    async find(run, name) {
      const isOurs = await hasArtifact(store, run, name);
      const bytes = guard('artifact.foreign', !isOurs) ? undefined : await store.getBlob(name);
      return bytes === undefined || bytes === 'deleted' ? undefined : new TextDecoder().decode(bytes);
    },
  };
}

const MAX_ATTEMPTS = 100;

async function write(
  store: Store,
  run: RunId,
  { kind, name, bytes }: { readonly kind: ArtifactKind; readonly name: string; readonly bytes: Uint8Array },
): Promise<JournalResult<Appended>> {
  const head = await store.head(run);
  return store.append({
    run,
    command: `artifact ${kind} ${name}`,
    target: name,
    expectedSeq: head?.seq ?? 0,
    events: [{ type: ARTIFACT_EVENT, data: { kind, hash: name, bytes: bytes.length } }],
    blobs: [bytes],
  });
}

async function hasArtifact(store: Store, run: RunId, name: string): Promise<boolean> {
  for (const kind of KINDS) if (await store.findCommand(run, `artifact ${kind} ${name}`)) return true;
  return false;
}

const KINDS: readonly ArtifactKind[] = ['diff', 'contextpack'];
