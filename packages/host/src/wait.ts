import type { JsonValue } from '@cuebook/prompt';

/** Something that only a person can settle, in a run of any kind. Whoever shows it needs to know no kind. Plain JSON. */
export interface Wait {
  /** What an answer names. */
  readonly id: string;
  readonly run: string;
  /** The kind of run: `team`, `thread`, `workflow`. */
  readonly kind: string;
  /** What is run, such as `agent:counter`; null where the record does not say. */
  readonly target: string | null;
  /** Who in the run waits: the id of a node or a frame, and the name that people know it by. Null: the run itself. */
  readonly lane: string | null;
  readonly name: string | null;
  readonly for: WaitFor;
  /** The call that is asked about or in doubt, with its very input; empty and null where there is none. */
  readonly tool: string;
  readonly input: JsonValue;
  /** A sentence, and what shows it: a stall's turns, a budget's numbers. */
  readonly reason: string | null;
  /** Only the words of the agent say what it is: it is allowed alone, never for the rest of the run. */
  readonly claimed?: true;
  readonly evidence?: JsonValue;
  /** For an edit: what would become of which files. */
  readonly changes?: readonly FileChange[];
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly expiresAt: number | null;
  /**
   * The forms that an answer may have. Words in capitals stand for what the person writes. None: only the command that
   * began the run goes on with it, or nobody is asked.
   */
  readonly answers: readonly string[];
  /** An answer as an example. */
  readonly example: string;
}

/**
 * `approval`: allow, deny or change. `question`: the agent asks. `outcome`: a crash cut it off, and nobody knows whether
 * it was done. `input`: a word. `loop`: a stall. `budget`: a higher one. `hold`: a person held it, or its turn failed.
 * `failed`: the run has failed and can go on. `left`: work is open and no process does it. `folder`: its folder is held
 * by somebody who waits; nothing is answered here.
 */
export type WaitFor =
  | 'approval'
  | 'question'
  | 'outcome'
  | 'input'
  | 'loop'
  | 'budget'
  | 'hold'
  | 'failed'
  | 'left'
  | 'folder';

/** A file, and the lines that go and come. */
export interface FileChange {
  /** Relative to the folder that the agent works in. */
  readonly file: string;
  readonly patch: string;
  /**
   * JSON pointers of the fields of the input that say nothing beside this patch: applied to the file as it stands, it
   * gives exactly what they ask for.
   */
  readonly tells?: readonly string[];
}

/** Why a run is left that only some workers take. */
export const waitsForLabel = (label: string): string =>
  `It waits for a worker with the label ${label}. Start one with --labels ${label}.`;

/** Of what no process but the one that began it can answer. */
export const NO_ANSWER = { answers: [], example: '' } as const satisfies Partial<Wait>;

/** The oldest first; in a fixed order where two began at the same moment. */
export const byAge = (a: Wait, b: Wait): number =>
  a.since - b.since || compare(a.run, b.run) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
