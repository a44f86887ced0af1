import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

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
