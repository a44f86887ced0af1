import type { Io } from './io.js';

/** One command of the tree. Help, parsing and completion all derive from this record. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  /** What else there is to know, for the command's own help. */
  readonly details?: string;
  /** What its first argument may be, the default first. */
  readonly actions?: readonly CommandAction[];
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Whether the input flags of the profiles belong to it. */
  readonly takesInput?: boolean;
  /** Whether it works on a project, and so takes `--project`. */
  readonly inProject?: boolean;
  /** Left out of help and completion. */
  readonly hidden?: boolean;
  /** Command lines that work as they stand in a fresh `cuebook init` project. */
  readonly examples: readonly string[];
  /** Command lines that stay until they are stopped, or that need a run, another machine or a platform. */
  readonly shown?: readonly string[];
  /** Loaded only when the command is called, so that start-up stays fast. */
  readonly load: () => Promise<{ readonly run: CommandHandler }>;
}

/** One thing that a command does: how it is called (its name comes first), and what it does. */
export type CommandAction = readonly [call: string, does: string];

/** The name of an action: the first word of its call. */
export const actionName = ([call]: CommandAction): string => call.split(' ')[0] ?? call;

/** A positional argument. */
export interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly variadic?: boolean;
  /** What completion offers in its place. */
  readonly values?: ValueKind;
}

/** A flag; with `value` it takes one. */
export interface Flag {
  /** Without the dashes: `merge-system`. */
  readonly name: string;
  /** One letter that stands for it: `f`. */
  readonly short?: string;
  readonly description: string;
  /** The placeholder of its value: `DIR`. Without it the flag is on or off. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly required?: boolean;
  readonly values?: ValueKind;
  /** Names that it had: whoever types one is told this one. */
  readonly formerly?: readonly string[];
  /** The kinds of target that it belongs to: help shows it when one of them is named. Left out: all. */
  readonly kinds?: readonly string[];
  /** The kinds of target that refuse it, and say what to do instead: help leaves it out when one of them is named. */
  readonly except?: readonly string[];
}

/** What stands in an argument's place; names that the project or the tree can list. */
export type ValueKind =
  | 'target'
  | 'target-or-path'
  | 'command-or-code'
  | 'shell'
  | 'path'
  | 'run'
  | 'approval';

/** A call of a command, parsed. */
export interface Call {
  readonly args: readonly string[];
  /** By flag name: a string, a list of strings when repeatable, or true. Absent flags have no key. */
  readonly flags: Flags;
  readonly io: Io;
  readonly tree: CommandTree;
}

/** The tree of commands as a handler sees it: handed in, because the tree itself names the handlers. */
export interface CommandTree {
  readonly commands: readonly Command[];
  /** The help page of one command, or of all; undefined when there is no such command. */
  readonly help: (name?: string) => Promise<string | undefined>;
}

export type Flags = Readonly<Record<string, string | readonly string[] | true>>;

/** Does the command. Answers the exit code; throws `Failure` for an expected failure. */
export type CommandHandler = (call: Call) => Promise<number>;

/** Whether a flag without a value was given. */
export const isOn = (flags: Flags, name: string): boolean => flags[name] === true;

/** The value of a flag that takes one. */
export function flagValue(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of a repeatable flag, in the order given. */
export function flagValues(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  return typeof value === 'object' ? value : [];
}

/** Flags that every command has. */
const COMMON_FLAGS: readonly Flag[] = [{ name: 'json', description: 'answer in JSON, errors too' }];

/** Flags of every command that works on a project. */
const PROJECT_FLAGS: readonly Flag[] = [
  {
    name: 'project',
    value: 'DIR',
    description: 'the folder worked on; by default the nearest one above with a project',
    values: 'path',
  },
];

/** All flags of a command but those of the profiles. */
export const flagsOf = (command: Command): readonly Flag[] => [
  ...command.flags,
  ...(command.inProject === true ? PROJECT_FLAGS : []),
  ...(command.hidden === true ? [] : COMMON_FLAGS),
];

/** The commands that help and completion show. */
export const visible = (commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ hidden }) => hidden !== true);
