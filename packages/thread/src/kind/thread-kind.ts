import { type NotedCall, perRunKind, type RunKind } from '@cuebook/host';
import { createThreadMachine, NO_CATALOG } from '../machine.js';
import { openThreadRun } from './open.js';
import { threadPause, threadView } from './view.js';

/** Threads as a kind of run: agents, and prompts that run by themselves for one step. */
export const threadRuns: RunKind = perRunKind({
  name: 'thread',
  prefixes: ['agent', 'prompt'],
  begins: 'thread.started',
  machine: createThreadMachine(NO_CATALOG),
  view: threadView,
  pause: threadPause,
  afterFailure: ['TEXT'],
  callOf: ({ data }): NotedCall | undefined => {
    const { agent } = data as { readonly agent?: unknown };
    // A prompt that runs by itself has its own prefix in the name.
    return typeof agent === 'string' ? { target: agent.includes(':') ? agent : `agent:${agent}` } : undefined;
  },
  open: openThreadRun,
});
