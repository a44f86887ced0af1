import { listApprovals, type Machine } from '@cuebook/engine';
import { listUpdate } from '@cuebook/host';
import type { ThreadCommand } from './run/command.js';
import type { ThreadConfig } from './run/config.js';
import { decideThread } from './run/decide.js';
import type { ThreadEvent } from './run/event.js';
import { THREAD_EVENTS } from './run/event-types.js';
import { projectThread } from './run/project/project.js';
import { threadStanding } from './run/standing.js';
import { NEW_THREAD, ROOT, type ThreadRunState } from './run/state.js';

/**
 * A thread as the engine drives it, with its sub-prompts and subagents in one log. Effects are data: `model.turn`,
 * `tool.call`, and for hooks `thread.prepare`, `message.hook` and `result.hook`.
 */
export const createThreadMachine = (
  config: ThreadConfig,
  kind = 'thread',
): Machine<ThreadRunState, ThreadCommand, ThreadEvent> => ({
  kind,
  initial: NEW_THREAD,
  events: THREAD_EVENTS,
  decide: (state, command, context) => decideThread(state, command, config, context),
  project: projectThread,
  list: (run, event) => [...listApprovals({ run, lane: ROOT }, event), ...listUpdate(run, event)],
  mayBegin: ({ sources }, { kind: effect }) => effect !== 'model.turn' || isOf(config, sources),
  stand: threadStanding,
});

/** A turn is told from the definitions that its run uses, and from no others. */
const isOf = ({ entry }: ThreadConfig, sources: ThreadRunState['sources']): boolean => {
  const own = entry?.();
  return own === undefined || sources === undefined || sources.entry === own;
};

/** Enough to replay a log: definitions decide, and the log has decided. */
export const NO_CATALOG: ThreadConfig = {
  priced: false,
  catalog: {
    models: new Map(),
    prompts: new Map(),
    tools: new Map(),
    hooks: new Map(),
    agents: new Map(),
    broken: new Map(),
    sketches: { models: [], prompts: [], tools: [], agents: [] },
    diagnostics: [],
  },
};
