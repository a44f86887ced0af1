import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** Importing from other tools, and exporting to them. */
export const ADOPT_COMMANDS: readonly Command[] = [
  {
    name: 'import',
    summary: 'Import prompts of other tools as sheets',
    details:
      'Without an argument it lists what it finds and writes nothing. What cannot be kept is reported with file, line and code, and the exit code is then 1. An existing file is never overwritten without --update.',
    args: [
      {
        name: 'source',
        description:
          'a format, then a file, a folder or - for standard input; the format is detected when it is left out. The formats are langfuse, openai, langchain, mcp, claude, agents-md, gemini, copilot, cursor, dotprompt, github-models, promptfoo and skill',
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
      { name: 'inline', description: 'references become text instead of includes' },
      {
        name: 'first-argument',
        value: 'N',
        description: 'from which number $1 counts in commands: 0 or 1',
      },
      {
        name: 'server',
        value: 'COMMAND',
        description: 'with mcp: a program that is an MCP server; its prompts are called with markers',
      },
      {
        name: 'verify',
        description:
          'render both sides with the official library installed in the project, and compare bytes',
      },
      {
        name: 'set',
        value: 'NAME=VALUE',
        description: 'with --verify: a value to render with; @FILE is the text of a file',
        repeatable: true,
      },
      { name: 'update', description: 'replace files of an earlier import' },
      { name: 'accept', value: 'CODE', description: 'accept losses with this code', repeatable: true },
      { name: 'dry-run', description: 'show what would be written, and write nothing' },
      { name: 'sarif', description: 'answer in SARIF 2.1.0, for code review tools' },
    ],
    inProject: true,
    examples: [commandLine`import`, commandLine`import --json`],
    shown: [commandLine`import claude`, commandLine`import langfuse prompts.json --trust user`],
    load: () => import('../commands/import.js'),
  },
  {
    name: 'export',
    summary: 'Write prompts as files of other tools',
    details:
      'Without a target everything that was exported before is updated. The list of exported files is cuebook.exports.json. A file that was edited by hand is left as it is, and the exit code is then 1. Formats without a usual file name are printed.',
    args: [
      {
        name: 'targets',
        description: 'what to export, such as sheet:review',
        required: false,
        variadic: true,
        values: 'target',
      },
    ],
    flags: [
      {
        name: 'to',
        value: 'FORMAT',
        description:
          'agents-md, claude, claude-agent, skill, copilot, cursor, gemini-command, dotprompt, langfuse, langchain, promptfoo, openai-messages, anthropic-messages or mcp-json',
      },
      {
        name: 'out',
        value: 'PATH',
        description: 'another file than the usual one of the format',
        values: 'path',
      },
      {
        name: 'for',
        value: 'TOOLS',
        description:
          'tools that must read the file, such as codex,zed: one that would not is an error, and nothing is written',
      },
      {
        name: 'set',
        value: 'NAME=VALUE',
        description: 'a value for an input, where the format has no variables; @FILE is the text of a file',
        repeatable: true,
      },
      {
        name: 'check',
        description: 'write nothing; exit code 1 when a file would be changed, added or removed',
      },
      { name: 'overwrite', description: 'replace files that were edited by hand; their text is kept' },
      { name: 'sarif', description: 'answer in SARIF 2.1.0, for code review tools' },
    ],
    inProject: true,
    examples: [commandLine`export sheet:review --to openai-messages --set change=x`],
    load: () => import('../commands/export.js'),
  },
  {
    name: 'lsp',
    summary: 'Serve editors: diagnostics as you type, completion, hover, rename',
    details:
      'Speaks the Language Server Protocol over standard input and output until the editor ends it; messages go to standard error. Unsaved text is checked too. Definitions are programs: as in a check, they are run. How to set up editors: docs/user/editors.md.',
    args: [],
    flags: [{ name: 'stdio', description: 'use standard input and output; the only transport' }],
    examples: [commandLine`lsp --stdio`],
    load: () => import('../commands/lsp.js'),
  },
];
