import { openRunDoor } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { Threads } from '@cuebook/thread';
import type { WorkflowRun } from '@cuebook/workflow';
import type { Journal } from '../record/journal.js';

/** A run that this process works on by itself, and who pays for it. */
export interface PaidRun {
  readonly run: RunId;
  readonly journal: Pick<Journal, 'store'>;
  readonly by: string;
}

/** A thread whose every word that may have it spend passes the limits of the project. */
export function limitThread(threads: Threads, { run, journal, by }: PaidRun): Threads {
  const door = openRunDoor({
    ...{ store: journal.store, run, by },
    raise: (to, said) => threads.raise(run, to, said.by, said.id),
    stop: (said) => threads.stop(run, said.by, said.id),
  });
  return {
    ...threads,
    start: (given) =>
      door.begin(given.budget, (budget) => threads.start({ ...given, ...(budget && { budget }) })),
    say: (...said) => door.spend(() => threads.say(...said)),
    resume: (...said) => door.spend(() => threads.resume(...said)),
    answer: (...said) => door.spend(() => threads.answer(...said)),
    resolve: (...said) => door.spend(() => threads.resolve(...said)),
    raise: (_, to) => door.raise(to),
  };
}

/** The same for a workflow. */
export function limitWorkflow(opened: WorkflowRun, { run, journal, by }: PaidRun): WorkflowRun {
  const door = openRunDoor({
    ...{ store: journal.store, run, by },
    raise: (to, said) => opened.submit(said.id, { type: 'budget.raise', to, by: said.by }),
    stop: (said) => opened.submit(said.id, { type: 'agent.stop', by: said.by }),
  });
  return {
    ...opened,
    begin: (start) =>
      door.begin(start.budget, (budget) => opened.begin({ ...start, ...(budget && { budget }) })),
    submit: (id, command) => {
      if (command.type === 'agent.stop') return opened.submit(id, command);
      if (command.type === 'budget.raise') return door.raise(command.to);
      return door.spend(() => opened.submit(id, command));
    },
  };
}
