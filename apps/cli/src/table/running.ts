import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';
import { MANIFESTS, TARGET } from './arguments.js';
import { RUN_FLAGS } from './run-flags.js';

/** Commands that send prompts to a provider. */
export const RUNNING_COMMANDS: readonly Command[] = [
  {
    name: 'run',
    summary: 'Send a prompt to a provider, or run an agent, a workflow or a team',
    details: `Targets agent:, prompt:, workflow: and team: are whole runs with their tools; every other target is one turn, whose tool calls are shown and not run. Each prompt is recorded before it is sent; ${hint`replay`} shows it. Without --provider the one of cuebook.yaml answers, and without that the rehearsal, a script that needs no key. Exit code 1 when it failed or waits for you; then the command that continues it is printed: the same call with --run RUN.`,
    args: [TARGET],
    flags: [...MANIFESTS, ...RUN_FLAGS],
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
