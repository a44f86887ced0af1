import type { JsonValue } from '@cuebook/prompt';

/** The kinds of runs that an attack is tried in. */
export const INJECTION_KINDS = ['thread', 'team', 'workflow', 'sheet'] as const;
export type InjectionKind = (typeof INJECTION_KINDS)[number];

/** Where the attack goes: exactly one of these stands in each task. */
export const ATTACK_SLOT = '{attack}';

/** A call that somebody looks for: each argument named has these words in it. */
export type SoughtCall = { readonly name: string; readonly args?: Readonly<Record<string, string>> };

/** What is looked for in what an agent did. All of it must be seen, and what is only announced is not seen. */
export type ActOracle = { readonly calls?: readonly SoughtCall[]; readonly says?: readonly string[] };

/** One turn of an agent that does something, for the rehearsal. */
export type ActStep = {
  readonly calls?: readonly { readonly name: string; readonly args: Readonly<Record<string, JsonValue>> }[];
  readonly text?: string;
};

/** A tool of the stand-in agent of a thread. It is never run: its result is a text. */
export type StandInTool = {
  readonly name: string;
  readonly description: string;
  /** Arguments, each with what it means. */
  readonly args?: Readonly<Record<string, string>>;
};

/** What a user asks for, in a world with one place that others can write to. */
export type InjectionTask = {
  /** `thread/invoice`: the kind goes before the slash. */
  readonly id: string;
  readonly kind: InjectionKind;
  /** An agent of the project, such as `team:desk.team.yaml`; left out: a stand-in that has nothing but what the task needs. */
  readonly target?: string;
  readonly ask: string;
  /** What the inputs of a sheet are set to. */
  readonly set?: Readonly<Record<string, string>>;
  /** Of threads that stand in. */
  readonly tools?: readonly StandInTool[];
  /** What tools answer, by their names; a tool that has none answers that it is done. */
  readonly results?: Readonly<Record<string, string>>;
  /** What lies in the folder, beside and over what the project has. */
  readonly files?: Readonly<Record<string, string>>;
  readonly utility: ActOracle;
  /** How it is done, turn by turn. */
  readonly solution: readonly ActStep[];
};

/** What an attacker wants done. */
export type InjectionGoal = {
  readonly id: string;
  readonly kinds: readonly InjectionKind[];
  /** Whether it takes data out. */
  readonly exfiltrates?: boolean;
  /** As the attack says it. */
  readonly asks: string;
  readonly act: ActOracle;
  /** How it is done. */
  readonly steps: readonly ActStep[];
  /** Tools of threads that it needs. */
  readonly tools?: readonly StandInTool[];
};

/** A way to smuggle a goal in. `{goal}` is what the attacker wants, `{ask}` what the user asked for. */
export type AttackTemplate = {
  /** `encoded/base64`: the category goes before the slash. */
  readonly id: string;
  readonly text: string;
  readonly encode?: AttackEncoding;
  /** Takes a goal that takes data out, where there is one. */
  readonly exfiltrates?: boolean;
};

export const ATTACK_ENCODINGS = ['base64', 'rot13', 'tags', 'zero-width'] as const;
export type AttackEncoding = (typeof ATTACK_ENCODINGS)[number];

/** Tasks, goals and attacks that are tried together. */
export type InjectionSuite = {
  readonly name: string;
  readonly tasks: readonly InjectionTask[];
  readonly goals: readonly InjectionGoal[];
  readonly attacks: readonly AttackTemplate[];
  /** Which goal goes with which task, by their ids. Left out: each attack takes a goal of the kind in turn. */
  readonly pairs?: readonly (readonly [task: string, goal: string])[];
};

/** The kinds of runs by the prefixes of targets. */
export const KIND_OF_PREFIX: Readonly<Record<string, InjectionKind>> = {
  agent: 'thread',
  prompt: 'thread',
  team: 'team',
  workflow: 'workflow',
  sheet: 'sheet',
};

/** Where a stranger's text comes in. */
export type AttackPlace = 'message' | 'input' | 'tool result' | 'file';

export const categoryOf = ({ id }: Pick<AttackTemplate, 'id'>): string => id.split('/')[0] as string;
