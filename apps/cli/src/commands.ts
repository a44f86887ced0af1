import type { Argument, Command, Flag } from './command.js';

const TARGET: Argument = {
  name: 'target',
  description:
    'what to compose, such as sheet:review, or sheet:review@HEAD~1 as of a git revision; none with -f',
  required: false,
  values: 'target',
};

const MANIFESTS: readonly Flag[] = [
  {
    name: 'file',
    short: 'f',
    value: 'FILE',
    description: 'manifests instead of a target: a file, a folder, or - for standard input',
    repeatable: true,
    values: 'path',
  },
  {
    name: 'agent',
    value: 'NAMESPACE/NAME',
    description: 'which Agent of the manifests, when there are several',
  },
];

const REVEAL: Flag = {
  name: 'reveal',
  description: 'show confidential text instead of [confidential]',
};

const RUN: Argument = {
  name: 'run',
  description: 'a run by its id or the beginning of it; the newest by default',
  required: false,
  values: 'run',
};

const AT: Flag = {
  name: 'at',
  value: 'PLACE',
  description: 'a byte offset from 0, or line:column from 1',
  required: true,
};

/** Every command, in the order help lists them. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'init',
    summary: 'Write a project that runs, with one example of everything',
    details: 'Never overwrites: when a file is in the way, nothing is written.',
    args: [{ name: 'dir', description: 'the folder, this one by default', required: false, values: 'path' }],
    flags: [
      { name: 'workflow', description: 'a step workflow instead: graph, agents, steps, and a rehearsal' },
    ],
    examples: ['cuebook init my-desk', 'cuebook init --workflow my-workflow'],
    load: () => import('./commands/init.js'),
  },
  {
    name: 'check',
    summary: 'Report every problem of the project at once',
    details: 'Exit code 1 when there is an error; warnings alone are fine.',
    args: [
      {
        name: 'target',
        description: 'one target, one file, or a project folder; everything by default',
        required: false,
        values: 'target-or-path',
      },
    ],
    flags: [
      ...MANIFESTS,
      { name: 'sarif', description: 'answer in SARIF 2.1.0, for code review tools' },
      { name: 'watch', description: 'check again whenever a file changes' },
    ],
    inProject: true,
    examples: ['cuebook check', 'cuebook check sheet:review --json', 'cuebook check --sarif'],
    load: () => import('./commands/check.js'),
  },
  {
    name: 'render',
    summary: 'Show the exact request, without calling a model',
    details:
      'When no input is given, the examples that the author wrote stand in, with a warning. A value @FILE is read from a file, @- from standard input, and @@ stands for one @.',
    args: [TARGET],
    flags: [
      ...MANIFESTS,
      REVEAL,
      { name: 'merge-system', description: 'one system message, for providers that take only one' },
      { name: 'watch', description: 'render again whenever a file changes' },
    ],
    takesInput: true,
    inProject: true,
    examples: ['cuebook render sheet:review', 'cuebook render sheet:triage --json'],
    load: () => import('./commands/render.js'),
  },
  {
    name: 'explain',
    summary: 'Tell where the words at a place come from',
    args: [TARGET],
    flags: [AT, ...MANIFESTS, REVEAL],
    takesInput: true,
    inProject: true,
    examples: ['cuebook explain sheet:review --at 0', 'cuebook explain sheet:review --at 3:1 --json'],
    load: () => import('./commands/explain.js'),
  },
  {
    name: 'blame',
    summary: 'Explain, with the commit and the author of the line',
    args: [TARGET],
    flags: [AT, ...MANIFESTS, REVEAL],
    takesInput: true,
    inProject: true,
    examples: ['cuebook blame sheet:review --at 0'],
    load: () => import('./commands/blame.js'),
  },
  {
    name: 'diff',
    summary: 'Compare two prompts by origin, by obligation and by reach',
    details: 'With -f twice, one Agent as the first manifests and as the second tell it.',
    args: [
      { ...TARGET, name: 'before' },
      { ...TARGET, name: 'after', description: 'what to compare it with' },
    ],
    flags: [...MANIFESTS, REVEAL],
    takesInput: true,
    inProject: true,
    examples: ['cuebook diff sheet:review sheet:triage'],
    load: () => import('./commands/diff.js'),
  },
  {
    name: 'run',
    summary: 'Say a prompt to a provider, and keep the record',
    details:
      'The prompt is on record before it is sent; `cuebook replay` shows it. Without --provider the one of cuebook.yaml speaks, and without that the rehearsal, which needs no key and says that it is one. Tools that the model asks for are shown and not run. CLI agents get read-only rights. Exit code 1 when the turn failed.',
    args: [TARGET],
    flags: [
      ...MANIFESTS,
      { name: 'provider', value: 'NAME', description: 'who speaks: see `cuebook providers`' },
      { name: 'model', value: 'NAME', description: 'which model of the provider' },
      {
        name: 'script',
        value: 'FILE',
        description: 'what the rehearsal says, as YAML or JSON',
        values: 'path',
      },
      {
        name: 'trace',
        value: 'FILE',
        description: 'write every request and event to a new file, as JSON lines',
        values: 'path',
      },
    ],
    takesInput: true,
    inProject: true,
    examples: ['cuebook run sheet:review', 'cuebook run sheet:triage --json'],
    load: () => import('./commands/run.js'),
  },
  {
    name: 'runs',
    summary: 'List the runs on record, carry them elsewhere, or let them go',
    details:
      'Actions: list (by default); export RUN; import FILE; forget RUN@TURN with --by and --block or --response; prune with --older-than, --max-size or both; backup FILE; restore FILE. A run is named by its id or the beginning of it. Records are in CUEBOOK_HOME (.cuebook in the project), or in the Postgres database that CUEBOOK_DATABASE_URL names.',
    args: [
      { name: 'action', description: 'what to do, list by default', required: false, values: 'runs-action' },
      { name: 'what', description: 'the run, the turn or the file', required: false, values: 'run' },
    ],
    flags: [
      {
        name: 'out',
        value: 'FILE',
        description: 'export: a new file instead of standard output',
        values: 'path',
      },
      { name: 'trust', value: 'KEY', description: 'import: a key that signed the run', repeatable: true },
      { name: 'block', value: 'NAME', description: 'forget: a block of the prompt', repeatable: true },
      { name: 'response', description: 'forget: what the model answered' },
      { name: 'by', value: 'WHO', description: 'forget: on whose request' },
      { name: 'reason', value: 'TEXT', description: 'forget: why' },
      { name: 'older-than', value: 'AGE', description: 'prune: runs without an event for 30d, 12h, 45m' },
      { name: 'max-size', value: 'SIZE', description: 'prune: the oldest until the journal has 1GB, 200MB' },
      { name: 'dry-run', description: 'prune: only say what would go' },
    ],
    inProject: true,
    examples: ['cuebook runs', 'cuebook runs --json', 'cuebook runs prune --older-than 30d --dry-run'],
    load: () => import('./commands/runs.js'),
  },
  {
    name: 'log',
    summary: 'Show the events of a run',
    args: [RUN],
    flags: [
      { name: 'after', value: 'SEQ', description: 'only events after this number' },
      { name: 'follow', description: 'go on with events as they happen' },
      REVEAL,
    ],
    inProject: true,
    examples: ['cuebook log'],
    load: () => import('./commands/log.js'),
  },
  {
    name: 'replay',
    summary: 'Rebuild a turn from the record, byte for byte, without calling a model',
    details:
      'RUN@TURN is one turn: its id, its number from 1, or last. Every hash is checked. With --json it is the render document, and what is on record beside it.',
    args: [RUN],
    flags: [REVEAL],
    inProject: true,
    examples: ['cuebook replay'],
    load: () => import('./commands/replay.js'),
  },
  {
    name: 'verify',
    summary: 'Check that a record is as it was written',
    details:
      'Chain, signatures, the hash of every block and prompt, by rebuilding all of them. Exit code 1 when something is wrong. Note the head that it prints elsewhere: with --head a later call finds whatever was cut off.',
    args: [RUN],
    flags: [
      { name: 'all', description: 'every run, and what belongs to none' },
      { name: 'head', value: 'HASH', description: 'a head of the run that was noted before' },
      {
        name: 'key',
        value: 'FILE',
        description: 'the public key of another machine',
        repeatable: true,
        values: 'path',
      },
    ],
    inProject: true,
    examples: ['cuebook verify --all'],
    load: () => import('./commands/verify.js'),
  },
  {
    name: 'template',
    summary: 'Render a Go template',
    details:
      'Templates are those of the Go package text/template, error texts included. {{include "NAME"}} puts in a file given with --include, as plain text. With --jsonl each line {id, tmpl, lookup, ctx or data, missingkey} of standard input is answered by {id, ok, out, err}.',
    args: [
      { name: 'file', description: 'the template, or - for standard input', required: false, values: 'path' },
    ],
    flags: [
      { name: 'data', value: 'FILE', description: 'the data, as JSON or YAML', values: 'path' },
      {
        name: 'include',
        value: 'NAME=FILE',
        description: 'a text that the template may include',
        repeatable: true,
      },
      {
        name: 'missingkey',
        value: 'MODE',
        description: 'what a key that a map lacks gives: default, zero or error',
      },
      { name: 'engine', value: 'ENGINE', description: 'code (generated, fast) or closures (no eval)' },
      { name: 'jsonl', description: 'one JSON object a line' },
    ],
    examples: ['echo "Hello, {{.name}}" | cuebook template -'],
    load: () => import('./commands/template.js'),
  },
  {
    name: 'redact',
    summary: 'Clean standard input of private paths, names and credentials',
    details:
      'Says on standard error what kinds it removed. What this machine is called and where it keeps things counts as private, unless --context is given: then that file alone says what is. When something private survives, nothing is printed and the exit code is 1. With --jsonl each line {id, input} is answered by {id, output, refused}; an id is passed on as it is.',
    args: [],
    flags: [
      { name: 'root', value: '@ALIAS=PATH', description: 'a known folder and its alias', repeatable: true },
      { name: 'private', value: 'PATH', description: 'a folder that must not be named', repeatable: true },
      { name: 'name', value: 'NAME', description: 'a user or host name', repeatable: true },
      { name: 'public', value: 'PATH', description: 'a folder that may be named', repeatable: true },
      {
        name: 'context',
        value: 'FILE',
        description: 'a JSON file { roots, private, names }',
        values: 'path',
      },
      { name: 'jsonl', description: 'one JSON object a line: {id, input}' },
    ],
    examples: [
      'echo "see /home/sam/notes.txt" | cuebook redact',
      'echo "in /srv/desk/a.md" | cuebook redact --root @desk=/srv/desk',
    ],
    load: () => import('./commands/redact.js'),
  },
  {
    name: 'providers',
    summary: 'List who can speak, what is missing, and what each can do',
    details:
      'Looks for the programs, keys and logins of the built-in providers and of those in cuebook.yaml. No model is called, no login is read, and no program that a project names is run.',
    args: [],
    flags: [],
    inProject: true,
    examples: ['cuebook providers', 'cuebook providers --json'],
    load: () => import('./commands/providers.js'),
  },
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
    examples: ['cuebook help render', 'cuebook help E_PROMPT_LEAK'],
    load: () => import('./commands/help.js'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    details:
      'bash: eval "$(cuebook completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc. fish: cuebook completion fish > ~/.config/fish/completions/cuebook.fish',
    args: [{ name: 'shell', description: 'bash, zsh or fish', required: true, values: 'shell' }],
    flags: [],
    examples: ['cuebook completion bash', 'cuebook completion fish'],
    load: () => import('./commands/completion.js'),
  },
  {
    name: '__complete',
    summary: 'Answer a completion script',
    args: [{ name: 'words', description: 'the words before the cursor', required: false, variadic: true }],
    flags: [],
    hidden: true,
    examples: [],
    load: () => import('./commands/complete.js'),
  },
];
