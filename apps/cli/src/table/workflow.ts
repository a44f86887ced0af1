import type { Command, Flag } from '../command.js';

/** Flags of `run` that only workflows have. */
export const WORKFLOW_RUN_FLAGS: readonly Flag[] = [
  { name: 'run', value: 'ID', description: 'go on with a run of a workflow', values: 'run' },
  {
    name: 'answer',
    value: 'TEXT',
    description: 'answer what the run asks: yes, no, an option, NAME=VALUE of a form, or the words',
    repeatable: true,
  },
  {
    name: 'settle',
    value: 'not-done|unknown',
    description: 'say what became of calls that were cut off by a crash',
  },
  {
    name: 'turns',
    value: 'NUMBER',
    description: 'turns that the whole run may take; with --run: from now on',
  },
  {
    name: 'usd',
    value: 'NUMBER',
    description: 'US dollars that the whole run may cost; with --run: from now on',
  },
];

/** Commands of workflows. */
export const WORKFLOW_COMMANDS: readonly Command[] = [];
