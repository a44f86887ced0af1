import { commandLine, PROGRAM } from '@cuebook/prompt/hint';
import { type Command, type Flag, flagsOf } from '../command.js';

/** What a kind of target takes on the command line, and how it is called. */
export interface InputTable {
  /** The kind: `sheet` in `sheet:review`. */
  readonly prefix: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
}

/** What a definition is given when a prompt is composed from it. */
const OF_DEFINITIONS: readonly Flag[] = [
  {
    name: 'input',
    value: 'VALUE',
    description: 'The user message of this turn: TEXT, @FILE, or @- for standard input',
  },
  {
    name: 'env',
    value: 'NAME=VALUE',
    description: 'A variable of the thread: NAME=VALUE or NAME=@FILE',
    repeatable: true,
  },
  {
    name: 'account-env',
    value: 'NAME=VALUE',
    description: 'A variable of the account: NAME=VALUE or NAME=@FILE',
    repeatable: true,
  },
  {
    name: 'instance-env',
    value: 'NAME=VALUE',
    description: 'A variable of the instance: NAME=VALUE or NAME=@FILE',
    repeatable: true,
  },
];

/**
 * The input flags of every kind of target, as their schemas have them: written down, so that help and parsing load no
 * profile. A test compares it with the profiles.
 */
export const INPUTS: readonly InputTable[] = [
  {
    prefix: 'sheet',
    flags: [
      {
        name: 'set',
        value: 'NAME=VALUE',
        description: 'An input of the sheet: NAME=VALUE, NAME=@FILE, or NAME=@- for standard input',
        repeatable: true,
      },
    ],
    examples: [
      commandLine`render sheet:review --set change=@change.diff`,
      commandLine`explain sheet:review --at 1:1`,
    ],
  },
  {
    prefix: 'manifest',
    flags: [],
    examples: [],
  },
  {
    prefix: 'prompt',
    flags: OF_DEFINITIONS,
    examples: [commandLine`render prompt:reviewer --instance-env TEAM=checkout`],
  },
  {
    prefix: 'agent',
    flags: OF_DEFINITIONS,
    examples: [commandLine`render agent:desk --input Hello --json`],
  },
  {
    prefix: 'role',
    flags: [
      {
        name: 'node-provider',
        value: 'VALUE',
        description: 'The provider of the node: claude, codex, gemini, or any other',
      },
      { name: 'global-mode', value: 'VALUE', description: 'PLANNING or IMPLEMENTATION' },
      { name: 'goal', value: 'VALUE', description: 'What the run is for' },
    ],
    examples: [commandLine`render role:planner`, commandLine`explain role:orchestrator --at 1:1`],
  },
  {
    prefix: 'team',
    flags: [
      { name: 'node', value: 'VALUE', description: 'The node of the team whose prompt is shown, by alias' },
      {
        name: 'node-provider',
        value: 'VALUE',
        description: 'The provider of the node: claude, codex, gemini, or any other',
      },
      { name: 'global-mode', value: 'VALUE', description: 'PLANNING or IMPLEMENTATION' },
      { name: 'goal', value: 'VALUE', description: 'What the run is for' },
    ],
    examples: [],
  },
  {
    prefix: 'workflow',
    flags: [
      { name: 'mode', value: 'VALUE', description: 'run, agent or chat' },
      {
        name: 'state',
        value: 'FILE',
        description: 'The state file of a run; without it the run is at its entry',
        values: 'path',
      },
      { name: 'input', value: 'VALUE', description: 'What the user says' },
      {
        name: 'active-agent',
        value: 'VALUE',
        description: 'The agent for steps that name none; by default the one in the state, else the first',
      },
      { name: 'intent', value: 'VALUE', description: 'start, continue or resume' },
      { name: 'autopilot', description: 'Tell the agent to continue without asking' },
      {
        name: 'menu',
        value: 'VALUE',
        description: "An item of the agent's menu, by its trigger or number",
      },
      {
        name: 'voice',
        value: 'VALUE',
        description:
          'The kind of provider: api, cli or rehearsal. Tool names are adapted to it; by default to the provider of the project',
      },
      {
        name: 'data',
        value: 'FILE',
        description: 'A file that the conversation is about',
        values: 'path',
      },
    ],
    examples: [],
  },
  {
    prefix: 'scenario',
    flags: [
      {
        name: 'set',
        value: 'NAME=VALUE',
        description: 'An input: NAME=VALUE, NAME=@FILE, or NAME=@- for standard input',
        repeatable: true,
      },
      {
        name: 'card',
        value: 'VALUE',
        description: 'The card of the agent: NAME of cards/NAME.yaml',
      },
      { name: 'to', value: 'VALUE', description: 'The card of the agent that is addressed' },
    ],
    examples: [commandLine`render scenario:greeting`],
  },
];

/** The flags of all kinds; one that several kinds share stands once, in the words of the kind that is named. */
export const inputFlags = (named?: string): readonly Flag[] => merged(ofKinds, named);

/** The flags of a command with those of its targets. */
export const flagsWithInputs = (command: Command, named?: string): readonly Flag[] =>
  command.takesInput === true ? merged([...flagsOf(command), ...ofKinds], named) : flagsOf(command);

const ofKinds = INPUTS.flatMap(({ prefix, flags }) => flags.map((flag) => ({ ...flag, kinds: [prefix] })));

function merged(all: readonly Flag[], named: string | undefined): readonly Flag[] {
  const flags = new Map<string, Flag>();
  for (const flag of all) {
    const known = flags.get(flag.name);
    const isNamed = named !== undefined && flag.kinds?.includes(named) === true;
    const words = known === undefined || isNamed ? flag : known;
    const kinds = [...(known?.kinds ?? []), ...(flag.kinds ?? [])];
    flags.set(flag.name, kinds.length === 0 ? words : { ...words, kinds });
  }
  return [...flags.values()];
}

/** The kind of target among words of a call: `workflow` in `run workflow:DIR`. */
export function kindIn(words: readonly string[]): string | undefined {
  const prefixes = words.flatMap((word) => /^([a-z]+):/.exec(word)?.[1] ?? []);
  return prefixes.find((prefix) => INPUTS.some((each) => each.prefix === prefix));
}

/** The examples of one command, of the kind that is named or of every kind. */
export const inputExamples = (command: string, named?: string): readonly string[] =>
  INPUTS.filter(({ prefix }) => named === undefined || prefix === named).flatMap(({ examples }) =>
    examples.filter((line) => line.startsWith(`${PROGRAM} ${command} `)),
  );
