import { type PerRunKind, perRunKind, type RunKind } from '@cuebook/host';
import { createThreadMachine, NO_CATALOG } from '../machine.js';
import type { ThreadRunState } from '../run/state.js';
import { openThreadRun } from './open.js';
import { threadPause, threadView } from './view.js';

/** Threads as a kind of run: agents, and prompts that run by themselves for one step. */
export const threadRecord: PerRunKind<ThreadRunState> = {
  name: 'thread',
  prefixes: ['agent', 'prompt'],
  begins: 'thread.started',
  machine: createThreadMachine(NO_CATALOG),
  view: threadView,
  pause: threadPause,
  afterFailure: ['TEXT'],
  // The record does not say whether a script spoke: a thread without a note goes on by the command that began it.
  callOf: () => undefined,
  open: openThreadRun,
};

export const threadRuns: RunKind = perRunKind(threadRecord);
