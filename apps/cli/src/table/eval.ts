import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Argument, Command, Flag } from '../command.js';

const WHAT: Argument = {
  name: 'what',
  description:
    'targets such as sheet:review, files of cases, or folders; all by default; or turns or a run on record',
  required: false,
  variadic: true,
  values: 'target-or-path',
};

const SHARED: readonly Flag[] = [
  { name: 'filter', value: 'TEXT', description: 'only cases with this in their name' },
  { name: 'takes', value: 'NUMBER', description: 'answers to each case, 1 by default' },
  { name: 'jobs', value: 'NUMBER', description: 'how many takes at once, 8 by default' },
  { name: 'seed', value: 'NUMBER', description: 'gives the order of the cases' },
  { name: 'budget', value: 'AMOUNT', description: 'US dollars such as 5, or tokens such as 200000t' },
  { name: 'provider', value: 'NAME', description: `the provider to use: see ${hint`providers`}` },
  { name: 'model', value: 'NAME', description: 'which model of the provider' },
  { name: 'script', value: 'FILE', description: 'what the rehearsal says, as YAML or JSON', values: 'path' },
  { name: 'plan', description: 'print the plan and ask nobody' },
  { name: 'yes', description: 'run although the plan is over the budget' },
  { name: 'fresh', description: 'begin a new one, without the takes on record; it names those before it' },
  { name: 'junit', value: 'FILE', description: 'write a JUnit report', values: 'path' },
];

/** Commands about what words do to answers. */
export const EVAL_COMMANDS: readonly Command[] = [
  {
    name: 'eval',
    summary: 'Score the answers to cases, with error bars',
    details:
      'Runs every case of the files named, each as often as --takes says, and prints the mean of each metric with a 95 % interval. What it will cost is printed first. Takes are turns on record: a take that has an answer is never asked for again. Exit code 1 when a take has no score or the budget ended it. With --injection it tries a suite of prompt injections instead: each user task is run without an attack and with many, as a thread, a team, a workflow or a sheet, and utility and attack success are printed together. Tasks of a suite that name a target try an agent of the project.',
    args: [WHAT],
    flags: [
      {
        name: 'injection',
        value: 'SUITE',
        description: 'try an injection suite: built-in, or a file of attacks',
        repeatable: true,
        values: 'path',
      },
      {
        name: 'through',
        value: 'KINDS',
        description: 'with --injection: the kinds of runs, thread,team,workflow,sheet by default',
      },
      {
        name: 'save-suite',
        value: 'FILE',
        description: 'with --injection: write the suite as a file of our own format',
        values: 'path',
      },
      ...SHARED,
    ],
    inProject: true,
    examples: [commandLine`eval --plan`, commandLine`eval --injection built-in --plan`],
    shown: [commandLine`eval prompt:reviewer --takes 5 --provider anthropic --budget 1`],
    load: () => import('../commands/eval.js'),
  },
  {
    name: 'compare',
    summary: 'Measure whether a changed prompt gives better answers, and which words do it',
    details:
      'Runs every case under two variants, case by case: a git revision (--base) or an edit (--change) against the project as it is. Prints the plan with its cost and the smallest difference that it can see, then the difference with a 95 % interval and a verdict: better, worse, no worse than the margin, or open. Looks are counted on record: the same comparison again goes on with its takes and does not start over. Exit code 1 for worse; with --strict for open and for any take without a score, too.',
    args: [WHAT],
    flags: [
      { name: 'base', value: 'REVISION', description: 'the git revision that the project is compared with' },
      {
        name: 'change',
        value: 'EDIT',
        description:
          'drop:FILE:3-5, replace:FILE=@NEW, neutral:block:NAME, drop:obligation:"TEXT", model=NAME, param:NAME=VALUE or tool:-NAME',
        repeatable: true,
      },
      { name: 'margin', value: 'SHARE', description: 'the loss that must be ruled out, .05 by default' },
      { name: 'looks', value: 'NUMBER', description: 'planned looks, 1 to 5; a clear answer ends it early' },
      { name: 'by-origin', description: 'attribute the difference to the files and edits that changed' },
      {
        name: 'metrics',
        value: 'FILE',
        description: 'for turns on record: the file of cases whose metrics judge the answers',
        values: 'path',
      },
      {
        name: 'through',
        description:
          'for turns on record: follow the agent, its calls answered from the record alone; a take that makes another call has diverged',
      },
      {
        name: 'save-cases',
        value: 'FILE',
        description: 'for turns on record: write them as rows of cases, by name and without their words',
        values: 'path',
      },
      { name: 'strict', description: 'exit code 1 for open, and for any take without a score, too' },
      { name: 'reveal', description: 'edits may touch confidential text' },
      {
        name: 'md',
        value: 'FILE',
        description: 'write a Markdown comment for a pull request',
        values: 'path',
      },
      { name: 'sarif', value: 'FILE', description: 'write findings on the lines of prompts', values: 'path' },
      ...SHARED,
    ],
    inProject: true,
    examples: [commandLine`compare prompt:reviewer --change param:temperature=0 --plan`],
    shown: [commandLine`compare prompt:reviewer --base HEAD~1 --takes 5`],
    load: () => import('../commands/compare.js'),
  },
  {
    name: 'ablate',
    summary: 'Tell which words of a prompt do something, by leaving them out',
    details:
      'Leaves out each unit of a prompt (a sentence that demands or forbids; with --units a list item or paragraph, or a file) and runs every case with and without it. Prints first what it will cost and the smallest effect that it can see; then for each unit: helps, harms, within the margin, open, or not exercised by any case. Units that could go are left out together on takes of their own, and where that harms, pairs that stand in for each other are named. With more than 20 units, random subsets are fitted. Takes on record are never asked for again.',
    args: [WHAT],
    flags: [
      { name: 'units', value: 'KIND', description: 'obligation (the default), part or origin' },
      {
        name: 'design',
        value: 'NAME',
        description: 'loo (each left out once) or subsets; by default chosen by the number of units',
      },
      { name: 'margin', value: 'SHARE', description: 'what counts as no effect, .1 by default' },
      {
        name: 'metrics',
        value: 'FILE',
        description: 'for turns on record: the file of cases whose metrics judge the answers',
        values: 'path',
      },
      { name: 'sarif', value: 'FILE', description: 'write findings on the lines of prompts', values: 'path' },
      {
        name: 'save-sensors',
        value: 'FILE',
        description: 'write which cases notice which obligation, for check: sensors/NAME.json',
        values: 'path',
      },
      ...SHARED.filter(({ name }) => name !== 'junit'),
    ],
    inProject: true,
    examples: [commandLine`ablate prompt:reviewer --plan`],
    shown: [commandLine`ablate prompt:reviewer --takes 5 --sarif ablate.sarif`],
    load: () => import('../commands/ablate.js'),
  },
  {
    name: 'judge',
    summary: 'Measure how a judge agrees with persons, or mark answers blind',
    details:
      'A judge (judges/NAME.yaml) is a prompt that answers one question about an answer with yes or no. Its anchors are answers whose verdict is known: a judge that gets one wrong is not used. With --mark the command hands out answers of a run one by one, without variant, score or verdict, and writes down what a person says in marks/NAME.jsonl. Without it, the judge is asked about the marked answers, and its agreement with persons is printed. Marks count only for the words and the model of the judge at that time: if either changes by a byte, the answers must be marked again. Exit code 1 when the judge fails its anchors or all marks are void.',
    args: [
      { name: 'judge', description: 'the name of the judge', required: true },
      {
        name: 'run',
        description: 'with --mark: the eval or comparison whose answers are marked',
        required: false,
        values: 'run',
      },
    ],
    flags: [
      { name: 'mark', value: 'NUMBER', description: 'hand out so many answers to mark' },
      { name: 'by', value: 'NAME', description: 'who marks; the name of the user by default' },
      ...SHARED.filter(({ name }) => ['jobs', 'seed', 'provider', 'model', 'script'].includes(name)),
    ],
    inProject: true,
    examples: [],
    shown: [commandLine`judge kind --mark 20`, commandLine`judge kind`],
    load: () => import('../commands/judge.js'),
  },
  {
    name: 'tune',
    summary: 'Search for better words of named texts, and answer with a patch',
    details:
      'A tune file names the cases, the texts that may change, and who proposes. Proposals that change anything else, drop an obligation, an input or a tool, exceed the tokens or copy a case are refused with their reasons. The rest is raced on one part of the cases; the best one is compared with the prompt as it is, once, on the other part, which nobody has read before. If it is better there, its patch is printed. No file of the project is changed. The plan is printed first. Exit code 1 when nothing better was found.',
    args: [{ name: 'file', description: 'the tune file: tune/NAME.yaml', required: true, values: 'path' }],
    flags: [
      { name: 'patch', value: 'FILE', description: 'write the patch to a file, too', values: 'path' },
      ...SHARED.filter(({ name }) =>
        ['takes', 'jobs', 'seed', 'provider', 'model', 'script', 'plan'].includes(name),
      ),
    ],
    inProject: true,
    examples: [],
    shown: [commandLine`tune tune/mail.yaml --plan`, commandLine`tune tune/mail.yaml --patch mail.patch`],
    load: () => import('../commands/tune.js'),
  },
];
