import type { Clock, EngineFault, ProblemPlace } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { RunId, Signer, Store } from '@cuebook/journal';
import type { Hash, JsonValue, LeakContext, Redactor, Result } from '@cuebook/prompt';
import type { ProviderConfig, Session } from '@cuebook/provider';
import type { HostError, Reply, Saying, StartCall, StartedRun } from './contract.js';
import type { LiveEvent } from './live-event.js';
import type { RunReport } from './report.js';
import type { Wait } from './wait.js';
import type { Word } from './word.js';

/** A kind of run, as a host takes it. A stranger adds one with a package of their own and a line in an app's list. */
export interface RunKind {
  /** As lists and reports name it: `team`, `thread`, `workflow`. */
  readonly name: string;
  /** The prefixes of the targets that it runs: `agent`. */
  readonly prefixes: readonly string[];
  /** The first event of every run of this kind, and of no other. */
  readonly begins: string;
  /** What runs of this kind never have. Left out: they have everything. */
  readonly lacks?: Lacks;
  /**
   * The types of the events of its runs, beside those of the engine and of the journal. A newer version may have written
   * others into a run: nothing is begun, said or changed there. Left out: it knows all, or its machine names them.
   */
  readonly events?: Readonly<Record<string, true>>;
  /** Its budget is that of a day, and a run goes on day after day until it is stopped. */
  readonly daily?: boolean;
  /** Puts the kind to work on a project. Nothing is opened and nothing begun before `start`. */
  attach(ground: Ground): KindAtWork;
}

/**
 * What runs of a kind never have, each with the reason: words of people, permissions, effects that nobody can vouch for,
 * turns that bring nothing new, other sources than those of the beginning. A word about it is refused.
 */
export type Lacks = Readonly<
  Partial<Record<'words' | 'approvals' | 'doubts' | 'stalls' | 'updates', string>>
>;

/** The runs of one kind at work in this process. */
export interface KindAtWork {
  start(): Promise<void>;
  stop(options: { readonly running: 'wait' | 'abort' }): Promise<void>;
  begin(run: RunId, call: StartCall): Promise<Result<StartedRun, HostError>>;
  tell(run: RunId, word: Word, said: Saying): Promise<Result<JsonValue, HostError>>;
  /** The word that a reply to something that waits means; a reply that does not fit names the forms that do. */
  wordFor(wait: Wait, reply: Reply): Result<Word, HostError> | Promise<Result<Word, HostError>>;
  /** Works on a run until it stands still, where runs are handed out. Left out: a kind that is not handed out. */
  goOn?(run: RunId): Promise<void>;
  /** Moves a run to other sources. Left out: runs of the kind keep those of their beginning. */
  update?(run: RunId, to: UpdateTo, said: Saying): Promise<Result<JsonValue, HostError>>;
  /** With other sources a run may go on by itself, so that moving it needs room in the limits. */
  readonly updateSpends?: boolean;
  report(run: RunId): Promise<Result<RunReport, HostError>>;
  /** What waits in all runs of this kind, or in one of them. */
  waits(filter: { readonly run?: RunId }): Promise<readonly Wait[]>;
  /** For a kind that publishes live words by itself. Left out: they come through the ground. */
  watch?(run: RunId, listener: (live: LiveEvent) => void): () => void;
  drain(): Promise<void>;
  /** The one run that a target always is; left out, or undefined: the run that follows from the command. */
  runFor?(call: Pick<StartCall, 'target'>): RunId | undefined | Promise<RunId | undefined>;
  /** Runs that are not over, for a kind whose runs are not in the list of standings. */
  active?(): Promise<readonly RunId[]>;
}

/** The sources that a run is moved to. */
export interface UpdateTo {
  /** The project as it is there. */
  readonly ground: Ground;
  /** The machine whose own folder it is, as far as machines have names here; null: the folder of a commit. */
  readonly machine: string | null | undefined;
}

/** The project that runs work on, and the parts of this process that they share. */
export interface Ground {
  readonly store: Store;
  readonly signer: Signer;
  /** CUEBOOK_HOME, and the same as a path. */
  readonly home: Files;
  readonly homeFolder: string;
  /** The project's folder, and its files as agents may read them. */
  readonly folder: string;
  readonly files: Files;
  /** Where packages of the project's code are installed; left out: in its folder. */
  readonly packages?: string;
  /** What of this machine and project must not be told to a provider, and who finds it. */
  readonly context: LeakContext;
  readonly redactor: Redactor;
  /** `sha256:` and the hex digest of a text. */
  readonly hash: Hash;
  readonly providers: {
    readonly config: ProviderConfig;
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly clock: Clock;
  /** A process that has not been heard of for so long has lost the work. */
  readonly leaseMs: number;
  /** The name of this process in the log. */
  readonly owner: string;
  /**
   * Lets some process of the project go on with a run, which is asked by `goOn`. It does not throw. Left out: whoever
   * begins a run or says a word to it works on it, in one process.
   */
  readonly hand?: (kind: string, run: RunId, at?: number) => void;
  /** The label that a worker must have to take a run; undefined: any does. Left out: there are no workers. */
  readonly wants?: (kind: string, run: RunId) => Promise<string | undefined>;
  /** Where several machines work on the project: the folder of each run. */
  readonly versions?: RunVersions;
  /** Live words, masked already. */
  readonly publish: (place: Omit<LiveEvent, 'event'>, event: LiveEvent['event']) => void;
  /** For a caller that writes down what is sent. */
  readonly overhear?: (session: Session) => Session;
  /** What went wrong behind the scenes. It may hold paths: it is for the log of the process alone. */
  readonly onProblem: (error: unknown, about: ProblemPlace) => void;
  /** For tests. */
  readonly fault?: EngineFault;
}

/** The project as runs began with it, on a machine whose own clone may stand elsewhere. */
export interface RunVersions {
  /** This machine among those of the project. */
  readonly machine: () => Promise<string>;
  /** The folder that a run is worked on in; undefined: the project's own. An error: this machine cannot have it. */
  find(run: RunId): Promise<Result<VersionPlace | undefined, HostError>>;
  /** Puts a commit where other machines find it; without one, that which is checked out. Left out: nobody else looks. */
  publish?(commit?: string): Promise<void>;
  /** The folder of the project at a commit, which is fetched where it is not here yet. */
  at(commit: string): Promise<Result<VersionPlace, HostError>>;
}

export interface VersionPlace {
  readonly folder: string;
  /** Its files as agents may read them. */
  readonly files: Files;
}
