import { type PerRunKind, perRunKind, type RunKind } from '@cuebook/host';
import type { AnswerTool } from '@cuebook/provider/servers';
import { createThreadMachine, NO_CATALOG } from '../machine.js';
import type { ThreadCall } from '../run/command.js';
import type { ThreadRunState } from '../run/state.js';
import { type HandedThread, openThreadRun } from './open.js';
import { updateThread } from './update.js';
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
  callOf({ data }) {
    const { agent, call } = data as unknown as { readonly agent: string; readonly call?: ThreadCall };
    // Without it nothing says who spoke: the thread goes on by the command that began it.
    if (call === undefined) return undefined;
    const { script, ...voice } = call;
    return {
      target: agent.includes(':') ? agent : `agent:${agent}`,
      ...voice,
      ...(script === undefined ? {} : { scriptFile: script }),
    };
  },
  update: updateThread,
  open: (opening) => openThreadRun(opening),
};

export const threadRuns: RunKind = perRunKind(threadRecord);

/** The same where no tool is run, neither of the project nor of a server: each call is answered with a text. */
export const threadRunsAnswered = (answer: AnswerTool): RunKind =>
  perRunKind({ ...threadRecord, open: (opening) => openThreadRun(opening, { answer }) });

/** The same for one run, with what is at hand for it. Variables are set when it is opened first. */
export function threadRunsOf({ env, ...handed }: HandedThread): RunKind {
  let anew = env;
  return perRunKind({
    ...threadRecord,
    async open(opening) {
      const opened = await openThreadRun(opening, { handed: { ...handed, ...(anew && { env: anew }) } });
      if (opened.ok) anew = undefined;
      return opened;
    },
  });
}
