import type { Standing, StandingWait } from '@cuebook/engine';
import type { ThreadRunState } from './state.js';
import { type ThreadStatus, threadStatus } from './status.js';

/** How a thread stands, for the list over all runs. */
export function threadStanding(state: ThreadRunState): Standing | undefined {
  const { agent } = state;
  if (agent === null) return undefined;
  const status = threadStatus(state);
  const wait = waitOf(status);
  return {
    kind: 'thread',
    // A prompt that runs by itself has its own prefix in the name.
    target: agent.includes(':') ? agent : `agent:${agent}`,
    status: STATUSES[status.kind],
    ...(wait === undefined ? {} : { wait }),
  };
}

const STATUSES = {
  new: 'idle',
  idle: 'idle',
  working: 'running',
  waiting: 'waiting',
  done: 'completed',
  failed: 'failed',
  stopped: 'stopped',
} as const satisfies Record<ThreadStatus['kind'], Standing['status']>;

function waitOf(status: ThreadStatus): StandingWait | undefined {
  if (status.kind !== 'waiting') return undefined;
  if (status.for === 'outcome') {
    const calls = status.calls.map(({ effect, tool, call }) => ({
      effect,
      tool,
      input: JSON.stringify(call.input),
    }));
    return { for: 'outcome', calls };
  }
  if (status.for === 'approval') return { for: 'approval' };
  const { pause } = status;
  if (pause.kind === 'budget') {
    const { unit, limit } = pause.exhausted;
    return { for: 'budget', message: `The budget is spent: ${limit} ${unit}.` };
  }
  const { kind, times } = pause.verdict;
  return { for: 'loop', message: `Nothing new came out of the last ${times} steps (${kind}).` };
}
