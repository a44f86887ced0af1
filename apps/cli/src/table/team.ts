import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command, Flag } from '../command.js';
import { CLUSTER } from './arguments.js';

/** Flags of `run` that only teams have. */
export const TEAM_RUN_FLAGS: readonly Flag[] = [
  {
    name: 'limit',
    value: 'NAME=NUMBER',
    description:
      'what bounds a team run: parallel, parallel.PROVIDER, nodes, depth, inbox, approvalMinutes (0: for ever)',
    repeatable: true,
    kinds: ['team'],
  },
];

const DATABASE: Flag = {
  name: 'database',
  value: 'URL',
  description:
    'a Postgres database for the records; CUEBOOK_DATABASE_URL names it without showing its password',
};

/** Where the records are, and what a process takes of the work. */
const SHARED_WORK: Command['flags'] = [
  DATABASE,
  {
    name: 'workspaces',
    value: 'URL',
    description:
      'a git repository that machines share the workspaces of teams through, so that one goes on with those of another; CUEBOOK_WORKSPACES, or workspaces in cuebook.yaml',
  },
  {
    name: 'source',
    value: 'URL',
    description:
      'a git repository that has the project: versions that this clone lacks are fetched from it; CUEBOOK_SOURCE, or source in cuebook.yaml',
  },
  {
    name: 'kinds',
    value: 'NAMES',
    description: 'take only runs of these kinds: team,thread,workflow,turn,resident',
  },
  {
    name: 'labels',
    value: 'NAMES',
    description: 'also take runs that ask for one of these labels; labels in cuebook.yaml says which ask',
  },
  { name: 'parallel', value: 'NUMBER', description: 'how many runs at a time, 16 by default; 0 takes none' },
  {
    name: 'log-format',
    value: 'FORMAT',
    description:
      'text (by default) or json: one object in each line, with ids and codes and no word of a run; CUEBOOK_LOG_FORMAT',
  },
];

/** How people sign in. The secret of the client is a variable alone: flags are shown to whoever lists processes. */
const SIGN_IN: Command['flags'] = [
  { name: 'oidc-issuer', value: 'URL', description: 'the OpenID Connect provider that people sign in at' },
  {
    name: 'oidc-client',
    value: 'ID',
    description: 'how the provider knows this server; its secret is in CUEBOOK_OIDC_CLIENT_SECRET',
  },
  {
    name: 'oidc-allow',
    value: 'WHO',
    description: 'an address or @domain that is added at its first sign-in',
    repeatable: true,
  },
  { name: 'oidc-role-claim', value: 'NAME', description: 'the claim that says their role, such as groups' },
  {
    name: 'oidc-role',
    value: 'VALUE=ROLE',
    description: 'the role of a value of the claim; * is for everybody',
    repeatable: true,
  },
];

/** Commands of teams. */
export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'up',
    summary: 'Start the server of this project, and print the link to it',
    details:
      'It listens on this machine alone and takes a token, which the link has. Runs that an earlier server left go on. It stays until it is interrupted; runs survive that, too.',
    args: [],
    flags: [
      {
        name: 'port',
        value: 'NUMBER',
        description: 'the port to listen on; by default the last one used, or any free one',
      },
      { name: 'host', value: 'ADDRESS', description: 'the address to listen on, 127.0.0.1 by default' },
      {
        name: 'allow-remote',
        description: 'let other machines connect; required when --host is not this machine',
      },
      {
        name: 'name',
        value: 'HOST',
        description: 'a name that others reach it by: that of a proxy or a Service',
        repeatable: true,
      },
      ...SIGN_IN,
      ...CLUSTER,
      ...SHARED_WORK,
    ],
    inProject: true,
    examples: [],
    shown: [
      commandLine`up`,
      commandLine`up --port 4600`,
      commandLine`up --host 0.0.0.0 --allow-remote --name desk.example.com`,
    ],
    load: () => import('../commands/up.js'),
  },
  {
    name: 'worker',
    summary: 'Work on runs of this project that other machines began, in a shared database',
    details: `Needs a clone of the project, the address of its database, and in CUEBOOK_PROJECT_KEY the line that ${hint`keys share`} prints where the project is up. Any number of workers and servers share the runs; each run has one of them at a time, and another goes on when that one is gone. A team stays at the machine that began to work on it, because its workspaces are there, unless --workspaces names a git repository that all machines reach. Told to end, it takes no more runs, lets turns under way end for up to half a minute, and leaves the rest to others.`,
    args: [],
    flags: [
      ...SHARED_WORK,
      {
        name: 'probes',
        value: 'ADDRESS',
        description:
          'PORT on this machine, or ADDRESS:PORT: it answers /healthz, /readyz and /metrics there, so that others see how it is',
      },
    ],
    inProject: true,
    examples: [],
    shown: [
      commandLine`worker`,
      commandLine`worker --kinds thread,turn --parallel 4`,
      commandLine`worker --labels gpu --json`,
    ],
    load: () => import('../commands/worker.js'),
  },
  {
    name: 'people',
    summary: 'Give people roles and tokens for the servers of this project',
    details: `Actions: list (by default); add NAME --role ROLE, which prints a token, once; role NAME ROLE; token NAME, another token; revoke NAME takes everything back, revoke NAME --token ID one token. A viewer reads, a reviewer also answers what waits, an operator also starts and steers runs and sees confidential words, an owner also decides on people. Open streams of a token end when it is revoked. The token in the link of ${hint`up`} is an owner’s and stays.`,
    args: [
      { name: 'action', description: 'list, add, role, token or revoke; list by default', required: false },
      { name: 'name', description: 'who', required: false },
      { name: 'role', description: 'role: the new one', required: false },
    ],
    flags: [
      { name: 'role', value: 'ROLE', description: 'add: owner, operator, reviewer or viewer' },
      { name: 'email', value: 'ADDRESS', description: 'add: their e-mail address, shown beside the name' },
      { name: 'days', value: 'NUMBER', description: 'token: it ends by itself after so many days' },
      { name: 'token', value: 'ID', description: 'revoke: only this token' },
      { name: 'by', value: 'WHO', description: 'on whose behalf; your user name by default' },
      DATABASE,
    ],
    inProject: true,
    examples: [commandLine`people add ada --role reviewer`, commandLine`people --json`],
    load: () => import('../commands/people.js'),
  },
  {
    name: 'quota',
    summary: 'Limit what the project and its people may spend',
    details: `Actions: list (by default), with what is used; set SUBJECT with limits, beside those that are set; remove SUBJECT. SUBJECT is project, role:ROLE for each person of a role, or person:NAME, whose own limits go before those of their role. A run reserves its budget before it begins, and counts with what it spent when it is over; without a budget of its own it gets what is left, and no more than the usual one. Days and months are those of UTC. What a schedule or a webhook starts counts for who made it.`,
    args: [
      { name: 'action', description: 'list, set or remove; list by default', required: false },
      { name: 'subject', description: 'project, role:ROLE or person:NAME', required: false },
    ],
    flags: [
      { name: 'usd-day', value: 'NUMBER', description: 'set: US dollars a day; none takes the limit away' },
      { name: 'usd-month', value: 'NUMBER', description: 'set: US dollars a month' },
      { name: 'tokens-day', value: 'NUMBER', description: 'set: tokens a day' },
      { name: 'tokens-month', value: 'NUMBER', description: 'set: tokens a month' },
      { name: 'runs-day', value: 'NUMBER', description: 'set: runs begun a day' },
      { name: 'runs-at-once', value: 'NUMBER', description: 'set: runs under way at a time' },
      { name: 'by', value: 'WHO', description: 'on whose behalf; your user name by default' },
      DATABASE,
    ],
    inProject: true,
    examples: [commandLine`quota set role:operator --usd-day 20 --runs-at-once 3`, commandLine`quota --json`],
    load: () => import('../commands/quota.js'),
  },
  {
    name: 'schedule',
    summary: 'Begin runs at times, on whichever server of the project is up',
    details: `Actions: list (by default); add KIND:TARGET --cron TIMES; remove ID; pause ID and resume ID. TIMES has five fields: minute, hour, day of the month, month, day of the week. Each time is one run, however many servers and workers there are. Times at which none was up are left out, or made up as --missed says: last for the newest, all for each of them, at most 100. Schedules of a ${hint`platform schedule`} are something else.`,
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
      { name: 'input', value: 'TEXT', description: 'add: what is said first; of a team its goal' },
      { name: 'provider', value: 'NAME', description: 'add: the provider of its runs' },
      { name: 'model', value: 'NAME', description: 'add: which model of the provider' },
      { name: 'script', value: 'FILE', description: 'add: what the rehearsal says', values: 'path' },
      { name: 'turns', value: 'NUMBER', description: 'add: turns that each run may take' },
      { name: 'tokens', value: 'NUMBER', description: 'add: tokens that each run may take' },
      { name: 'usd', value: 'AMOUNT', description: 'add: US dollars that each run may cost' },
      { name: 'by', value: 'WHO', description: 'on whose behalf; your user name by default' },
      DATABASE,
    ],
    inProject: true,
    examples: [commandLine`schedule add sheet:review --cron "0 9 * * 1-5"`, commandLine`schedule --json`],
    load: () => import('../commands/schedule.js'),
  },
  {
    name: 'webhook',
    summary: 'Let programs outside start runs or answer questions, by signing what they send',
    details: `Actions: list (by default); add KIND:TARGET, which prints a secret, once; rotate ID, another secret, while the one before counts for a day; remove ID. A webhook starts runs of one target, with the inputs that --take names, or with --answers answers what waits in them. A delivery is one run, however often it is sent. Deliveries are sent to a server: ${hint`up`}.`,
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
      { name: 'hours', value: 'NUMBER', description: 'rotate: how long the secret before counts; 24' },
      { name: 'input', value: 'TEXT', description: 'add: what is said first; of a team its goal' },
      { name: 'provider', value: 'NAME', description: 'add: the provider of its runs' },
      { name: 'model', value: 'NAME', description: 'add: which model of the provider' },
      { name: 'script', value: 'FILE', description: 'add: what the rehearsal says', values: 'path' },
      { name: 'turns', value: 'NUMBER', description: 'add: turns that each run may take' },
      { name: 'tokens', value: 'NUMBER', description: 'add: tokens that each run may take' },
      { name: 'usd', value: 'AMOUNT', description: 'add: US dollars that each run may cost' },
      { name: 'by', value: 'WHO', description: 'on whose behalf; your user name by default' },
      DATABASE,
    ],
    inProject: true,
    examples: [commandLine`webhook add sheet:review --take change=/diff`, commandLine`webhook --json`],
    load: () => import('../commands/webhook.js'),
  },
  {
    name: 'attach',
    summary: 'Watch a team at work, and answer, message or interrupt it',
    details: `Words of each node as they come, with its alias in front, and the very command or change that waits for you. Type help for what can be said; quit leaves the run at work. Without a terminal to type at it prints until the run is over or waits for you; ${hint`approvals`} answers.`,
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
      'Teams, workflows and threads, the oldest first. Actions: list (by default); show ID, whole; allow ID, for a team or a thread with --grant for the rest of the run; deny ID, with --message for the agent; change ID --with JSON, which does something else instead (teams and threads); answer ID TEXT, for a question of a workflow: yes or no, an option, NAME=VALUE for each field of a form, or the words. The answer is on record first. Then the run goes on here until it waits again, or where it is at work already. What else a thread waits for is listed with the command that goes on.',
    args: [
      {
        name: 'action',
        description: 'list, show, allow, deny, change or answer; list by default',
        required: false,
        values: 'approvals-action',
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
      { name: 'message', value: 'TEXT', description: 'deny: what the agent is told' },
      { name: 'with', value: 'JSON', description: 'change: the new input, or @FILE' },
    ],
    inProject: true,
    examples: [commandLine`approvals`, commandLine`approvals --json`],
    load: () => import('../commands/approvals.js'),
  },
  {
    name: 'roles',
    summary: 'Show the role templates of teams, and write shipped ones out as files',
    details:
      'Actions: list (by default), every template with its preamble as it is read; show NAME, one of them whole; write [NAME...], shipped templates as files in docs/templates to start from, all without a name. What is there is never written over.',
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
