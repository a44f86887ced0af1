import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command, Flag } from '../command.js';
import { CLUSTER, MANIFESTS, REVEAL, TARGET } from './arguments.js';

const TURN_OR_TARGET = { ...TARGET, description: `${TARGET.description}; or a recorded turn, RUN@TURN` };

const AT: Flag = {
  name: 'at',
  value: 'PLACE',
  description: 'a byte offset from 0, line:column from 1, or words of the prompt',
  required: true,
};

/** The body instead of the prompt. */
const WIRE: readonly Flag[] = [
  { name: 'wire', description: 'the request body as it is sent, byte for byte, instead of the prompt' },
  { name: 'provider', value: 'NAME', description: `with --wire: whose body: see ${hint`providers`}` },
  { name: 'model', value: 'NAME', description: 'with --wire: which model of the provider' },
];

/** What works on the sources of a project, without a model. */
export const SOURCE_COMMANDS: readonly Command[] = [
  {
    name: 'init',
    summary: 'Write a working project, with one example of everything',
    details:
      'In an existing repository it adds its own files, extends .gitignore, and leaves everything else as it is. Running it again changes nothing.',
    args: [{ name: 'dir', description: 'the folder, this one by default', required: false, values: 'path' }],
    flags: [
      { name: 'workflow', description: 'a step workflow instead: graph, agents, steps, and a rehearsal' },
    ],
    examples: [commandLine`init my-desk`, commandLine`init --workflow my-workflow`],
    load: () => import('../commands/init.js'),
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
      ...CLUSTER,
      { name: 'sarif', description: 'answer in SARIF 2.1.0, for code review tools' },
      { name: 'watch', description: 'check again whenever a file changes' },
    ],
    inProject: true,
    examples: [commandLine`check`, commandLine`check sheet:review --json`, commandLine`check --sarif`],
    load: () => import('../commands/check.js'),
  },
  {
    name: 'render',
    summary: 'Show the exact request, without calling a model',
    details:
      'When no input is given, the author’s examples are used, with a warning. A value @FILE is read from a file, @- from standard input, and @@ is a literal @.',
    args: [TARGET],
    flags: [
      ...MANIFESTS,
      ...CLUSTER,
      REVEAL,
      ...WIRE,
      { name: 'merge-system', description: 'one system message, for providers that take only one' },
      { name: 'tokens', description: 'count tokens, too; --json always does' },
      { name: 'watch', description: 'render again whenever a file changes' },
    ],
    takesInput: true,
    inProject: true,
    examples: [commandLine`render sheet:review`, commandLine`render sheet:triage --json`],
    load: () => import('../commands/render.js'),
  },
  {
    name: 'explain',
    summary: 'Show where the words at a place come from',
    details:
      'A recorded turn is named RUN@TURN (a number from 1, or last) and explained with its sources as they were then. An Agent of a cluster is named agent/NAME.',
    args: [TURN_OR_TARGET],
    flags: [AT, ...WIRE, ...MANIFESTS, ...CLUSTER, REVEAL],
    takesInput: true,
    inProject: true,
    examples: [commandLine`explain sheet:review --at 0`, commandLine`explain sheet:review --at Never`],
    load: () => import('../commands/explain.js'),
  },
  {
    name: 'blame',
    summary: 'Explain, with the commit and the author of the line',
    details:
      'A recorded turn is named RUN@TURN (a number from 1, or last) and explained with its sources as they were then.',
    args: [TURN_OR_TARGET],
    flags: [AT, ...WIRE, ...MANIFESTS, REVEAL],
    takesInput: true,
    inProject: true,
    examples: [commandLine`blame sheet:review --at 0`],
    load: () => import('../commands/blame.js'),
  },
  {
    name: 'census',
    summary: 'Count how many of the bytes sent have a known origin',
    details:
      'For targets, recorded runs, or every target of the project. Classes: an exact place in a file, the beginning of a value, the beginning of a file, a recorded turn, an input, text that is shipped with Cuebook, structure of the format, and only a name.',
    args: [
      {
        ...TURN_OR_TARGET,
        name: 'targets',
        description: 'targets, runs or RUN@TURN; every target of the project by default',
        variadic: true,
      },
    ],
    flags: [
      ...WIRE.slice(1).map((flag) => ({
        ...flag,
        description: flag.description.replace('with --wire: ', ''),
      })),
      ...MANIFESTS,
    ],
    takesInput: true,
    inProject: true,
    examples: [commandLine`census`, commandLine`census sheet:review --json`],
    load: () => import('../commands/census.js'),
  },
  {
    name: 'diff',
    summary: 'Compare two prompts by source and by obligation, and list the targets that the change affects',
    details:
      'Either may be a recorded turn, RUN@TURN. With -f twice, it compares one Agent in two sets of manifests. With --cluster -f, it shows what applying the files would change: which Agents get a new prompt, what it demands, and whose pods restart. With --base alone, it shows what differs in every target of the project since a revision. Exit code 1 when anything differs.',
    args: [
      { ...TURN_OR_TARGET, name: 'before' },
      { ...TURN_OR_TARGET, name: 'after', description: 'what to compare it with' },
    ],
    flags: [
      {
        name: 'base',
        value: 'REVISION',
        description: 'every target of the project, as of this git revision and as it is now',
      },
      {
        name: 'md',
        value: 'FILE',
        description: 'with --base: write a Markdown comment for a pull request',
        values: 'path',
      },
      ...MANIFESTS,
      ...CLUSTER,
      REVEAL,
    ],
    takesInput: true,
    inProject: true,
    examples: [commandLine`diff sheet:review sheet:triage`, commandLine`diff --base HEAD`],
    load: () => import('../commands/diff.js'),
  },
  {
    name: 'types',
    summary: 'Write TypeScript types for the inputs of the project’s sheets',
    details:
      'The file extends the types of the library: `prompt("sheet:NAME", ...)` is then checked where it is called. It is written only when it changes.',
    args: [],
    flags: [
      {
        name: 'out',
        value: 'FILE',
        description: 'the file, from the folder of the project; cuebook-types.d.ts by default',
        values: 'path',
      },
      { name: 'check', description: 'write nothing; exit code 1 when the file is not up to date' },
      { name: 'watch', description: 'write again whenever a file changes' },
    ],
    inProject: true,
    examples: [commandLine`types`],
    load: () => import('../commands/types.js'),
  },
  {
    name: 'label',
    summary: 'Label a revision of a target, such as production or staging',
    details:
      'Labels are kept in labels.yaml of the project, with the commit and a hash of the sources; every command takes TARGET@LABEL. A label that is not in the file is taken as a git revision.',
    actions: [
      ['list', 'list the labels; the default'],
      ['set LABEL TARGET', 'let the label name a revision of the target'],
      ['remove LABEL TARGET', 'remove the label from the target'],
      ['resolve TARGET@LABEL', 'print the commit that the label names'],
    ],
    args: [
      { name: 'action', description: 'set, remove, list or resolve', required: false },
      { name: 'names', description: 'the label and the target', required: false, variadic: true },
    ],
    flags: [{ name: 'at', value: 'REVISION', description: 'with set: the revision; HEAD by default' }],
    inProject: true,
    examples: [commandLine`label list`],
    load: () => import('../commands/label.js'),
  },
];
