import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** Moving in and writing out. */
export const ADOPT_COMMANDS: readonly Command[] = [
  {
    name: 'import',
    summary: 'Take over prompts of other tools as sheets',
    details:
      'Without an argument it lists what is here and writes nothing. What cannot be kept is named by file, line and code, and the exit code is 1 then. A file that is there is never written over without --update.',
    args: [
      {
        name: 'source',
        description:
          'a format, then a file, a folder or - for standard input; the format is guessed when left out',
        required: false,
        variadic: true,
        values: 'path',
      },
    ],
    flags: [
      { name: 'name', value: 'NAME', description: 'the name of the sheet, or of the folder of several' },
      {
        name: 'trust',
        value: 'LEVEL',
        description: 'who can write the inputs: LEVEL for all, NAME=LEVEL for one; there is no default',
        repeatable: true,
      },
      {
        name: 'system-to-user',
        description: 'a system message with less trusted input becomes a user message',
      },
      { name: 'label', value: 'LABEL', description: 'the version with this label; production by default' },
      { name: 'version-number', value: 'N', description: 'the version with this number' },
      { name: 'all', description: 'every version' },
      { name: 'inline', description: 'references become text in the place of includes' },
      {
        name: 'first-argument',
        value: 'N',
        description: 'from which number $1 counts in commands: 0 or 1',
      },
      { name: 'update', description: 'replace files of an earlier import' },
      { name: 'accept', value: 'CODE', description: 'agree to losses of this code', repeatable: true },
      { name: 'dry-run', description: 'show what would be written, and write nothing' },
      { name: 'sarif', description: 'answer in SARIF 2.1.0, for code review tools' },
    ],
    inProject: true,
    examples: [commandLine`import`, commandLine`import --json`],
    load: () => import('../commands/import.js'),
  },
];
