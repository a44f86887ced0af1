import { commandLine } from '@cuebook/prompt/hint';
import type { Command, Flag } from '../command.js';

/** Flags of `run` that only workflows have. */
export const WORKFLOW_RUN_FLAGS: readonly Flag[] = [
  {
    name: 'run',
    value: 'ID',
    description: 'go on with a run of a workflow',
    values: 'run',
    kinds: ['workflow'],
  },
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
export const WORKFLOW_COMMANDS: readonly Command[] = [
  {
    name: 'package',
    summary: 'Choose which third-party packages are trusted like your own code',
    details:
      'Actions: list (by default); show DIR prints what the package would say in the system role, what is hidden in it, and its hash; accept DIR asks at a terminal, elsewhere it takes the hash that show printed; revoke DIR|HASH takes it back. DIR is a folder or a zip archive. A package is accepted for its bytes: one that changes has to be accepted again.',
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'package', description: 'the package', required: false, values: 'path' },
    ],
    flags: [
      { name: 'hash', value: 'HASH', description: 'accept: the hash that was shown' },
      { name: 'by', value: 'WHO', description: 'accept: on whose behalf; your user name by default' },
    ],
    inProject: true,
    examples: [commandLine`package`],
    load: () => import('../commands/package.js'),
  },
];
