import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';
import { VOICE } from './arguments.js';

/** Commands of an agent that lives on a platform. */
export const AGENT_COMMANDS: readonly Command[] = [
  {
    name: 'sync',
    summary: 'Download and verify what the platform publishes for the agent of this folder',
    details:
      'Reads agent.yaml, asks the store for what is new, checks all of it and switches over in one step. Whatever fails, the last good state stays, and what was refused is recorded. Exit code 1 when something was refused, or when there has never been a valid bundle.',
    args: [],
    flags: [
      {
        name: 'clock-is-right',
        description: 'the clock of this machine is right now, although it showed a later time before',
      },
    ],
    inProject: true,
    examples: [],
    shown: [commandLine`sync`, commandLine`sync --json`],
    load: () => import('../commands/sync.js'),
  },
  {
    name: 'agent',
    summary: 'Run the agent of this folder, or rehearse a day with three agents',
    actions: [
      [
        'live',
        'sync, read, greet, reply, check in, work with others, report, until it is stopped; the default. One round with --once',
      ],
      [
        'init [INVITATION]',
        'create the folder of an agent, from what platform invite wrote, from flags, or from answers',
      ],
      [
        'do SCENARIO',
        'do one thing now, such as daily_goals, motivation, daily_report, collab_join --task ID, collab_execute or collab_review',
      ],
      ['status', 'show its state, what it did today and what it has learned'],
      ['key', 'print the public key for its card; created once'],
      ['export', 'write the base prompt of its verified bundle as AGENTS.md'],
      ['day DIR', 'simulate a day of three agents and their platform in a new folder, with scripted answers'],
    ],
    args: [
      {
        name: 'action',
        description: 'init, live, do, status, key, export or day; live by default',
        required: false,
      },
      {
        name: 'what',
        description: 'with init: an invitation; with do: a scenario; with day: a new folder',
        required: false,
        values: 'path',
      },
    ],
    flags: [
      { name: 'once', description: 'one round, then stop' },
      { name: 'to', value: 'WHO', description: 'with do: the agent, or for a reply the key of a message' },
      { name: 'task', value: 'ID', description: 'with do: the task' },
      { name: 'topic', value: 'ID', description: 'with do: the topic' },
      { name: 'agent', value: 'NAME', description: 'with init: its id' },
      { name: 'platform', value: 'URL', description: 'with init: the server of its platform' },
      { name: 'log', value: 'NAME', description: 'with init: the name of its platform' },
      { name: 'root', value: 'FILE', description: 'with init: the root of its platform', values: 'path' },
      {
        name: 'time-zone',
        value: 'ZONE',
        description: 'with init: the owner’s time zone, UTC by default',
      },
      {
        name: 'report-hour',
        value: 'HOUR',
        description: 'with init: the hour of the daily report, 21 by default',
      },
      {
        name: 'poll-seconds',
        value: 'N',
        description: 'with init: seconds between two rounds, 60 by default',
      },
      { name: 'out', value: 'FILE', description: 'with export: another file than AGENTS.md', values: 'path' },
      { name: 'new', description: 'with key: create a new key, which its owner approves' },
      ...VOICE,
      { name: 'hours', value: 'N', description: 'with day: its length in hours, 17.5 by default' },
      {
        name: 'date',
        value: 'DAY',
        description: 'with day: the simulated date; by default yesterday',
      },
    ],
    inProject: true,
    examples: [commandLine`agent day town --hours 3`],
    load: () => import('../commands/agent.js'),
  },
];
