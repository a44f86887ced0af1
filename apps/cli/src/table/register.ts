import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command, Flag } from '../command.js';
import { BY, DATABASE } from './arguments.js';

/** How each run of a schedule or a webhook is called, and what it may spend. */
const EACH_RUN: readonly Flag[] = [
  { name: 'input', value: 'TEXT', description: 'add: the first message of each run; for a team its goal' },
  {
    name: 'set',
    value: 'NAME=VALUE',
    description: 'add: an input of a sheet; @FILE is the text of a file as it is now',
    repeatable: true,
  },
  { name: 'provider', value: 'NAME', description: 'add: the provider of its runs' },
  { name: 'model', value: 'NAME', description: 'add: which model of the provider' },
  {
    name: 'script',
    value: 'FILE',
    description: 'add: a script that answers instead of a model',
    values: 'path',
  },
  { name: 'turns', value: 'NUMBER', description: 'add: turns that each run may take' },
  { name: 'tokens', value: 'NUMBER', description: 'add: tokens that each run may take' },
  { name: 'usd', value: 'AMOUNT', description: 'add: US dollars that each run may cost' },
];

/** Who changes a register, and where it is kept. */
const ON_RECORD: readonly Flag[] = [BY, DATABASE];

/** Commands of what a project keeps about itself: its people, their limits, its schedules, its webhooks. */
export const REGISTER_COMMANDS: readonly Command[] = [
  {
    name: 'people',
    summary: 'Give people roles and tokens for the servers of this project',
    details: `A viewer reads. A reviewer also answers what waits. An operator also starts and steers runs and sees confidential text. An owner also manages people and limits. When a token is revoked, streams that were opened with it end. The token in the link of ${hint`up`} belongs to an owner and stays valid.`,
    actions: [
      ['list', 'list people with their roles and tokens; the default'],
      ['add NAME --role ROLE', 'add a person and print a token, once'],
      ['role NAME ROLE', 'change the role of a person'],
      ['token NAME', 'print another token for a person, once'],
      ['revoke NAME', 'remove a person with all their tokens; with --token ID only that token'],
    ],
    args: [
      { name: 'action', description: 'list, add, role, token or revoke; list by default', required: false },
      { name: 'name', description: 'who', required: false },
      { name: 'role', description: 'role: the new one', required: false },
    ],
    flags: [
      { name: 'role', value: 'ROLE', description: 'add: owner, operator, reviewer or viewer' },
      { name: 'email', value: 'ADDRESS', description: 'add: their e-mail address, shown beside the name' },
      { name: 'days', value: 'NUMBER', description: 'token: it expires after this many days' },
      { name: 'token', value: 'ID', description: 'revoke: only this token' },
      ...ON_RECORD,
    ],
    inProject: true,
    examples: [commandLine`people add ada --role reviewer`, commandLine`people --json`],
    load: () => import('../commands/people.js'),
  },
  {
    name: 'quota',
    summary: 'Limit what the project and its people may spend',
    details: `SUBJECT is project, role:ROLE for each person of a role, or person:NAME, whose own limits replace those of their role. A run reserves its budget before it starts, and counts with what it spent when it is over. A run without a budget of its own gets what is left, at most the usual budget. Days and months are those of UTC. What a schedule or a webhook starts counts for the person who added it.`,
    actions: [
      ['list', 'list limits with what is used; the default'],
      ['set SUBJECT', 'set limits, next to those that are set'],
      ['remove SUBJECT', 'remove all limits of a subject'],
    ],
    args: [
      { name: 'action', description: 'list, set or remove; list by default', required: false },
      { name: 'subject', description: 'project, role:ROLE or person:NAME', required: false },
    ],
    flags: [
      { name: 'usd-day', value: 'NUMBER', description: 'set: US dollars a day; none removes the limit' },
      { name: 'usd-month', value: 'NUMBER', description: 'set: US dollars a month' },
      { name: 'tokens-day', value: 'NUMBER', description: 'set: tokens a day' },
      { name: 'tokens-month', value: 'NUMBER', description: 'set: tokens a month' },
      { name: 'runs-day', value: 'NUMBER', description: 'set: runs started a day' },
      { name: 'runs-at-once', value: 'NUMBER', description: 'set: runs under way at a time' },
      ...ON_RECORD,
    ],
    inProject: true,
    examples: [commandLine`quota set role:operator --usd-day 20 --runs-at-once 3`, commandLine`quota --json`],
    load: () => import('../commands/quota.js'),
  },
  {
    name: 'schedule',
    summary: 'Start runs at set times, on whichever server of the project is up',
    details: `TIMES has five fields: minute, hour, day of the month, month, day of the week. Each time gives one run, however many servers and workers there are. Times at which no server was up are skipped, or made up as --missed says: last for the newest, all for each of them, at most 100. ${hint`platform schedule`} is a different thing.`,
    actions: [
      ['list', 'list schedules with their next time and last run; the default'],
      ['add KIND:TARGET --cron TIMES', 'start runs of a target at these times'],
      ['remove ID', 'delete a schedule'],
      ['pause ID', 'start no runs until resumed'],
      ['resume ID', 'start runs again'],
    ],
    args: [
      { name: 'action', description: 'list, add, remove, pause or resume; list by default', required: false },
      { name: 'what', description: 'the target, or the id of a schedule', required: false },
    ],
    flags: [
      { name: 'cron', value: 'TIMES', description: 'add: when, such as "0 9 * * 1-5"' },
      {
        name: 'zone',
        value: 'ZONE',
        description: 'add: the time zone, such as Europe/Zurich; UTC by default',
      },
      { name: 'missed', value: 'RULE', description: 'add: skip (by default), last or all' },
      ...EACH_RUN,
      ...ON_RECORD,
    ],
    inProject: true,
    examples: [
      commandLine`schedule add sheet:review --cron "0 9 * * 1-5" --set change=@change.diff`,
      commandLine`schedule --json`,
    ],
    load: () => import('../commands/schedule.js'),
  },
  {
    name: 'webhook',
    summary: 'Let outside programs start runs or answer questions with signed requests',
    details: `A webhook starts runs of one target, with the inputs that --take names, or with --answers answers what waits in them. One delivery gives one run, however often it is sent. Deliveries are sent to a server: ${hint`up`}.`,
    actions: [
      ['list', 'list webhooks; the default'],
      ['add KIND:TARGET', 'add a webhook and print its secret, once'],
      ['rotate ID', 'print a new secret; the old one stays valid for a day'],
      ['remove ID', 'delete a webhook'],
    ],
    args: [
      { name: 'action', description: 'list, add, rotate or remove; list by default', required: false },
      { name: 'what', description: 'the target, or the id of a webhook', required: false },
    ],
    flags: [
      {
        name: 'take',
        value: 'NAME=POINTER',
        description: 'add: an input, and where in the body it is: change=/diff',
        repeatable: true,
      },
      {
        name: 'answers',
        value: 'WHAT',
        description: 'add: answers question, approval or both, instead of starting runs',
      },
      {
        name: 'hours',
        value: 'NUMBER',
        description: 'rotate: how long the old secret stays valid, 24 by default',
      },
      ...EACH_RUN,
      ...ON_RECORD,
    ],
    inProject: true,
    examples: [commandLine`webhook add sheet:review --take change=/diff`, commandLine`webhook --json`],
    load: () => import('../commands/webhook.js'),
  },
];
