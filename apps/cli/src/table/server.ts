import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';
import { CLUSTER, DATABASE } from './arguments.js';

/** Where the records are, and what a process takes of the work. */
const SHARED_WORK: Command['flags'] = [
  DATABASE,
  {
    name: 'workspaces',
    value: 'URL',
    description:
      'a git repository through which machines share the workspaces of teams, so that one can continue the work of another; CUEBOOK_WORKSPACES, or workspaces in cuebook.yaml',
  },
  {
    name: 'source',
    value: 'URL',
    description:
      'a git repository that has the project, or s3://BUCKET/PREFIX: versions that this clone lacks are fetched from it; CUEBOOK_SOURCE, or source in cuebook.yaml',
  },
  {
    name: 'kinds',
    value: 'NAMES',
    description: 'take only runs of these kinds: team,thread,workflow,turn,resident',
  },
  {
    name: 'labels',
    value: 'NAMES',
    description: 'also take runs that require one of these labels; labels in cuebook.yaml sets which do',
  },
  { name: 'parallel', value: 'NUMBER', description: 'how many runs at a time, 16 by default; 0 takes none' },
  {
    name: 'log-format',
    value: 'FORMAT',
    description:
      'text (by default) or json: one object per line, with ids and codes and no text of a run; CUEBOOK_LOG_FORMAT',
  },
];

/** How people sign in. The secret of the client is a variable alone: flags are shown to whoever lists processes. */
const SIGN_IN: Command['flags'] = [
  { name: 'oidc-issuer', value: 'URL', description: 'the OpenID Connect provider for signing in' },
  {
    name: 'oidc-client',
    value: 'ID',
    description: 'the client id of this server at the provider; its secret is in CUEBOOK_OIDC_CLIENT_SECRET',
  },
  {
    name: 'oidc-allow',
    value: 'WHO',
    description: 'an address or @domain that is added at its first sign-in',
    repeatable: true,
  },
  {
    name: 'oidc-role-claim',
    value: 'NAME',
    description: 'the claim that determines their role, such as groups',
  },
  {
    name: 'oidc-role',
    value: 'VALUE=ROLE',
    description: 'the role of a value of the claim; * is for everybody',
    repeatable: true,
  },
];

/** Commands of the processes that work on runs. */
export const SERVER_COMMANDS: readonly Command[] = [
  {
    name: 'up',
    summary: 'Start the server of this project, and print the link to it',
    details:
      'It listens only on this machine and requires a token, which is in the link. Runs of an earlier server continue. It runs until it is interrupted; runs survive that, too.',
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
        description: 'a host name under which it is reached: of a proxy or a Service',
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
    summary: 'Work on runs of this project that were started on other machines, through a shared database',
    details: `Needs a clone of the project, the address of its database, and in CUEBOOK_PROJECT_KEY the line that ${hint`keys share`} prints on the first machine. Any number of workers and servers share the runs; one of them at a time works on a run, and another continues if that one is lost. A team stays on the machine that first worked on it, because its workspaces are there, unless --workspaces names a git repository that all machines can reach. On SIGTERM or Ctrl-C it takes no more runs, gives turns under way up to half a minute to end, and leaves the rest to others.`,
    args: [],
    flags: [
      ...SHARED_WORK,
      {
        name: 'probes',
        value: 'ADDRESS',
        description: 'PORT on this machine, or ADDRESS:PORT: serve /healthz, /readyz and /metrics there',
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
];
