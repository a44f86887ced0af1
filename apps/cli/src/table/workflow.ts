import { commandLine } from '@cuebook/prompt/hint';
import type { Command, Flag } from '../command.js';

/** Flags of `run` that only workflows have. */
export const WORKFLOW_RUN_FLAGS: readonly Flag[] = [
  {
    name: 'run',
    value: 'ID',
    description: 'continue a run of a workflow',
    values: 'run',
    kinds: ['workflow'],
  },
  {
    name: 'answer',
    value: 'TEXT',
    description: 'answer the question of the run: yes, no, an option, NAME=VALUE of a form, or any text',
    repeatable: true,
  },
  {
    name: 'settle',
    value: 'not-done|unknown',
    description: 'say what happened to calls that a crash interrupted',
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
      'DIR is a folder or a zip archive. A package is accepted with its exact bytes: if it changes, it has to be accepted again.',
    actions: [
      ['list', 'list accepted packages; the default'],
      ['show DIR', 'print what the package would put into the system role, its invisible text, and its hash'],
      ['accept DIR', 'accept it: asks at a terminal, elsewhere takes --hash from show'],
      ['revoke DIR|HASH', 'withdraw an acceptance'],
    ],
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
