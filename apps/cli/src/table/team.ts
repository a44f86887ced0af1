import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** Commands of teams. */
export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'attach',
    summary: 'Watch a team at work, and answer, message or interrupt it',
    details: `Shows the live output of each node with its alias in front, and the exact command or change that waits for you. Type help for the commands; quit leaves the run running. Without a terminal it prints until the run is over or waits for you; answer with ${hint`approvals`}.`,
    args: [
      {
        name: 'run',
        description: 'a team run by its id or the beginning of it; the newest by default',
        required: false,
        values: 'run',
      },
    ],
    flags: [],
    inProject: true,
    examples: [],
    shown: [commandLine`attach`, commandLine`attach run_4f2a`, commandLine`attach run_4f2a --json`],
    load: () => import('../commands/attach.js'),
  },
  {
    name: 'approvals',
    summary: 'List what waits for you in all runs, and answer it',
    details:
      'Of teams, workflows and threads, the oldest first. The answer is recorded first. Then the run continues here until it waits again, or in the process that has it. If a thread waits for something else, the command that continues it is shown.',
    actions: [
      ['list', 'list everything that waits; the default'],
      ['show ID', 'show one thing in full'],
      ['allow ID', 'allow a call; with --grant this tool for the rest of the run'],
      ['deny ID', 'deny a call, with --message for the agent'],
      ['change ID --with JSON', 'allow a call with another input (teams and threads)'],
      [
        'answer ID TEXT',
        'answer a question: yes, no, an option, NAME=VALUE for each field of a form, or any text',
      ],
    ],
    args: [
      {
        name: 'action',
        description: 'list, show, allow, deny, change or answer; list by default',
        required: false,
      },
      {
        name: 'id',
        description: 'what waits by its id or the beginning of it, or its run',
        required: false,
        values: 'approval',
      },
      { name: 'text', description: 'the answer', required: false, variadic: true },
    ],
    flags: [
      { name: 'grant', description: 'allow: this tool for the rest of the run, too' },
      { name: 'message', value: 'TEXT', description: 'deny: a message for the agent' },
      { name: 'with', value: 'JSON', description: 'change: the new input, or @FILE' },
    ],
    inProject: true,
    examples: [commandLine`approvals`, commandLine`approvals --json`],
    load: () => import('../commands/approvals.js'),
  },
  {
    name: 'roles',
    summary: 'Show the role templates of teams, and write shipped ones out as files',
    details: 'An existing file is never overwritten.',
    actions: [
      ['list', 'list every template with its parsed preamble; the default'],
      ['show NAME', 'show one template in full'],
      ['write [NAME...]', 'copy shipped templates into docs/templates to start from; all without a name'],
    ],
    args: [
      { name: 'action', description: 'list, show or write; list by default', required: false },
      { name: 'name', description: 'a role', required: false, variadic: true },
    ],
    flags: [],
    inProject: true,
    examples: [commandLine`roles`, commandLine`roles show planner`],
    load: () => import('../commands/roles.js'),
  },
];
