import { createRedactor, type LeakContext, type Redactor } from '@cuebook/prompt';
import type { ThreadRunState } from '../run/state.js';
import { createMask, type Mask } from './mask.js';

export interface Cleaners {
  /** For what is kept. More values than those of the state may be handed in. */
  readonly maskOf: (state: ThreadRunState, more?: readonly string[]) => Mask;
  /** For what is sent. */
  readonly redactorOf: (state: ThreadRunState) => Redactor;
}

/** Masks and redactors by the secrets that they know: compiling one takes longer than a step. */
export function createCleaners(
  secretsOf: (state: ThreadRunState) => readonly string[],
  context: LeakContext,
): Cleaners {
  const masks = new Map<string, Mask>();
  const redactors = new Map<string, Redactor>();
  const cached = <T>(known: Map<string, T>, secrets: readonly string[], make: () => T): T => {
    const key = JSON.stringify(secrets);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MAX_CLEANERS) known.clear();
    const fresh = make();
    known.set(key, fresh);
    return fresh;
  };
  return {
    maskOf(state, more = []) {
      const secrets = [...new Set([...secretsOf(state), ...more])].sort();
      return cached(masks, secrets, () => createMask(secrets));
    },
    redactorOf(state) {
      const secrets = secretsOf(state);
      const credentials = [...(context.credentials ?? []), ...secrets];
      return cached(redactors, secrets, () => createRedactor({ ...context, credentials }));
    },
  };
}

const MAX_CLEANERS = 100;
