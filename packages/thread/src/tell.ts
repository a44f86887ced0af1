import type { LiveProject } from '@cuebook/define';
import { createEngine, describeEngineError } from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import { createRedactor, fail, type LeakContext, ok, type Result } from '@cuebook/prompt';
import { type ApprovalWord, resolution } from './drive/approve.js';
import type { PersonError } from './drive/person.js';
import { createCleaners } from './env/cleaners.js';
import { createEnvironments } from './env/layers.js';
import type { VariableVault } from './env/vault.js';
import { createThreadMachine } from './machine.js';
import type { ThreadRunState } from './run/state.js';

/** A word for a thread, and what it is held to. */
export interface ThreadWord {
  readonly live: LiveProject;
  readonly store: Store;
  readonly vault: VariableVault;
  readonly context: LeakContext;
  readonly run: RunId;
  readonly kind: string;
  /** The id of the command: the same one again is taken once. */
  readonly id: string;
}

/**
 * Says something to a thread without working on it. When it answers ok, the word is in the log for good: whoever works
 * on the thread, now or later, goes on from there.
 */
export async function tellThread(
  { live, store, vault, context, run, kind, id }: ThreadWord,
  word: ApprovalWord,
): Promise<Result<ThreadRunState, PersonError>> {
  const engine = createEngine({
    store,
    machine: createThreadMachine({ catalog: live.catalog, priced: false }, kind),
    redactor: createRedactor(context),
    drivers: {},
  });
  try {
    const { maskOf } = createCleaners(createEnvironments(live.catalog, vault).secrets, context);
    const { state } = await engine.read(run);
    const command = await resolution({ live, maskOf }, state, { by: 'user', ...word });
    if (!command.ok) return command;
    const done = await engine.submit(run, { ...command.value, id });
    return done.ok ? ok((await engine.read(run)).state) : fail(describeEngineError(done.error));
  } finally {
    await engine.stop();
  }
}
