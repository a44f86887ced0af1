import { commandLine } from '@cuebook/prompt/hint';
import type { Command, Flag } from '../command.js';
import { VOICE } from './arguments.js';

/** The layers of variables that a call sets. */
const VARIABLES: readonly Flag[] = ['', 'account-', 'instance-'].map((layer) => ({
  name: `${layer}env`,
  value: 'NAME=VALUE',
  description: `a variable of the ${layer === '' ? 'thread' : layer.slice(0, -1)}: NAME=VALUE or NAME=@FILE`,
  repeatable: true,
}));

/** Commands of threads. */
export const THREAD_COMMANDS: readonly Command[] = [
  {
    name: 'mcp',
    summary: 'Serve the prompts, tools and texts of a project over the Model Context Protocol',
    details:
      'Uses standard input and output until the client disconnects; messages go to standard error. Prompts of agents/prompts/ are prompts; functions, prompts that are made to be called, and exposed agents are tools. A prompt that is called as a tool is one step of a model, an agent runs until it has answered; both are recorded as runs. Without --provider the one that each model names is used.',
    actions: [
      ['serve', 'serve the project; the default'],
      ['list', 'list the third-party servers that cuebook.yaml names'],
      [
        'login SERVER',
        'log in to one of them with OAuth, in a browser of this machine; the login is stored encrypted',
      ],
      ['logout SERVER', 'delete the login'],
    ],
    args: [
      { name: 'action', description: 'serve, list, login or logout; serve by default', required: false },
      { name: 'server', description: 'with login and logout: its name in cuebook.yaml', required: false },
    ],
    flags: [...VOICE, ...VARIABLES],
    inProject: true,
    examples: [commandLine`mcp`, commandLine`mcp list`],
    load: () => import('../commands/mcp.js'),
  },
  {
    name: 'acp',
    summary: 'Talk to an agent, a team or a workflow from an editor, over the Agent Client Protocol',
    details:
      'Uses standard input and output until the editor disconnects; messages go to standard error. A session is a run of the target, with its plan, its calls, its changes to files and its questions; approvals are asked for in the editor. Runs are recorded like any other, continue after a crash, and can be loaded again. Without --project each session uses the project around the folder that the editor names. Without a target the session offers those of the project.',
    args: [
      {
        name: 'target',
        description: 'agent:NAME, team:FILE, workflow:DIR or prompt:NAME; by default the session chooses',
        required: false,
        values: 'target',
      },
    ],
    flags: VOICE,
    inProject: true,
    examples: [commandLine`acp`, commandLine`acp agent:desk`],
    load: () => import('../commands/acp.js'),
  },
  {
    name: 'test',
    summary: 'Run the tests kept next to prompts',
    details:
      'Cases are in agents/prompts/NAME.test.yaml, and for any target in tests/. Each states what the request must contain and, with a script or a provider, what the answer must be. Snapshots are next to them in __snapshots__/. Only cases that name a provider call a model. Exit code 1 when a case fails.',
    args: [
      {
        name: 'what',
        description: 'targets such as prompt:reviewer, files of cases, or folders; all by default',
        required: false,
        variadic: true,
        values: 'target-or-path',
      },
    ],
    flags: [
      { name: 'filter', value: 'TEXT', description: 'only cases with this in their name' },
      { name: 'update', description: 'write the snapshots as they are now' },
      {
        name: 'junit',
        value: 'FILE',
        description: 'write a JUnit report to this file, replacing an earlier one',
        values: 'path',
      },
      { name: 'jobs', value: 'NUMBER', description: 'how many cases at once, 8 by default' },
    ],
    inProject: true,
    examples: [commandLine`test`, commandLine`test --json`],
    load: () => import('../commands/test.js'),
  },
];
