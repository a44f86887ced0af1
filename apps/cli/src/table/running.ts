import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';
import { MANIFESTS, TARGET } from './arguments.js';
import { TEAM_RUN_FLAGS } from './team.js';
import { THREAD_RUN_FLAGS } from './thread.js';
import { WORKFLOW_RUN_FLAGS } from './workflow.js';

/** Commands that send prompts to a provider. */
export const RUNNING_COMMANDS: readonly Command[] = [
  {
    name: 'run',
    summary: 'Send a prompt to a provider, or run an agent, a workflow or a team',
    details: `Targets agent:, workflow: and team: are whole runs with their tools; every other target is one turn, whose tool calls are shown and not run. Each prompt is recorded before it is sent; ${hint`replay`} shows it. Without --provider the one of cuebook.yaml answers, and without that the rehearsal, a script that needs no key. Exit code 1 when it failed or waits for you; then the command that continues it is printed.`,
    args: [TARGET],
    flags: [
      ...MANIFESTS,
      { name: 'provider', value: 'NAME', description: `the provider to use: see ${hint`providers`}` },
      { name: 'model', value: 'NAME', description: 'which model of the provider' },
      {
        name: 'script',
        value: 'FILE',
        description: 'a script that answers instead of a model, as YAML or JSON',
        values: 'path',
      },
      {
        name: 'trace',
        value: 'FILE',
        description: 'write every request and event to a new file, as JSON lines',
        values: 'path',
      },
      ...TEAM_RUN_FLAGS,
      ...THREAD_RUN_FLAGS,
      ...WORKFLOW_RUN_FLAGS,
    ],
    takesInput: true,
    inProject: true,
    examples: [commandLine`run sheet:review`, commandLine`run sheet:triage --json`],
    load: () => import('../commands/run.js'),
  },
  {
    name: 'providers',
    summary: 'List the providers, what each can do, and what is missing to use it',
    details:
      'Looks for the programs, keys and logins of the built-in providers and of those in cuebook.yaml. No model is called, no login is read, and no program of the project is run.',
    args: [],
    flags: [],
    inProject: true,
    examples: [commandLine`providers`, commandLine`providers --json`],
    load: () => import('../commands/providers.js'),
  },
];
