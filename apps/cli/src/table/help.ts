import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** What tells about the command itself. */
export const HELP_COMMANDS: readonly Command[] = [
  {
    name: 'help',
    summary: 'Explain a command or an error code',
    args: [
      {
        name: 'topic',
        description: 'a command such as render, or a code such as E_PROMPT_LEAK',
        required: false,
        values: 'command-or-code',
      },
    ],
    flags: [],
    examples: [commandLine`help render`, commandLine`help E_PROMPT_LEAK`],
    load: () => import('../commands/help.js'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    details: `bash: ${hint`completion bash > ~/.cuebook.bash`}, and \`. ~/.cuebook.bash\` in ~/.bashrc. zsh: the same with zsh. fish: ${hint`completion fish > ~/.config/fish/completions/cuebook.fish`}`,
    args: [{ name: 'shell', description: 'bash, zsh or fish', required: true, values: 'shell' }],
    flags: [],
    examples: [commandLine`completion bash`, commandLine`completion fish`],
    load: () => import('../commands/completion.js'),
  },
  {
    name: '__complete',
    summary: 'Answer a completion script',
    args: [{ name: 'words', description: 'the words before the cursor', required: false, variadic: true }],
    flags: [],
    hidden: true,
    examples: [],
    load: () => import('../commands/complete.js'),
  },
];
