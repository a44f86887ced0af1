import type { ApprovalRow, Clock, EngineFault, ProblemPlace, WorkFactory } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { FileChange, HostError, Live, LiveEvent, StartedRun } from '@cuebook/host';
import type { ProjectionQuery, RunId, Signer, Store, StoredEvent } from '@cuebook/journal';
import type { JsonValue, Redactor, Result } from '@cuebook/prompt';
import type { TurnLimits } from '@cuebook/provider';
import type { RemoteOptions, WorkspacePoint, WorkspaceState, Workspaces } from '@cuebook/workspace';
import type { GlobalMode } from '../capability/global-mode.js';
import type { AnswerWork } from '../drive/answered-work.js';
import type { VoiceOptions } from '../drive/voices.js';
import type { ContextPack } from '../prompt/context-pack.js';
import type { RunMode } from '../prompt/task.js';
import type { TeamCommand } from '../run/command.js';
import type { LimitsInput } from '../run/limits.js';
import type { TeamState } from '../run/state.js';

/**
 * The team runs of one project, at work in this process. Everything that a server or a command does to them goes
 * through here. Nothing throws for an expected failure.
 */
export interface TeamHost {
  /** Recovers what an earlier process left, and begins to work. */
  start(): Promise<void>;
  /** Begins nothing more; `abort` ends what runs, which a later process goes on with. */
  stop(options?: { readonly running?: 'wait' | 'abort' }): Promise<void>;
  startRun(input: StartRun): Promise<Result<StartedRun, HostError>>;
  /** A command of a person. The same id again answers the same. */
  submit(run: RunId, command: PersonCommand & { readonly id: string }): Promise<Result<JsonValue, HostError>>;
  /** Moves a run to the team file and templates of another version of the project. The same id again answers the same. */
  update(run: RunId, to: TeamUpdate): Promise<Result<JsonValue, HostError>>;
  read(run: RunId): Promise<Result<RunReading, HostError>>;
  /** All team runs, in the order of their ids; cheap, however many there are. */
  runs(query?: ProjectionQuery): Promise<readonly TeamRunRow[]>;
  /** Durable events after a cursor, and then as they happen, until the signal fires. */
  events(
    run: RunId,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<StoredEvent>;
  /** Live words of turns: not in the log one by one, lost when nobody listens. Answers how to stop listening. */
  watch(run: RunId, listener: (live: LiveEvent) => void): () => void;
  /** What waits for a person, over all runs. */
  approvals(): Promise<readonly ApprovalRow[]>;
  /** What would become of which files, for each approval of a run that waits and is about an edit. */
  changes(run: RunId): Promise<Result<ReadonlyMap<string, readonly FileChange[]>, HostError>>;
  /** The text of an artifact (a diff, a kept result, a context pack) by its hash. */
  artifact(run: RunId, hash: string): Promise<Result<string, HostError>>;
  /** Keeps a context pack with the run, within its bound. A handoff names it by the answer's `ref` as its `contextRef`. */
  keepPack(run: RunId, pack: Omit<ContextPack, 'packId'>): Promise<Result<KeptPack, HostError>>;
  /** Where the nodes of a run work, and how much of the disk that takes. */
  workspaces(run: RunId): Promise<Result<readonly WorkspaceState[], HostError>>;
  /** Brings work into the project's folder, and removes workspaces that are not needed any more. */
  readonly work: Pick<Workspaces, 'apply' | 'push' | 'clean' | 'runs' | 'views' | 'contents'>;
  /** Resolves when nothing is in flight. For tests. */
  drain(): Promise<void>;
}

/** What a host is made of. Nothing of it is read from the environment but what `providers.env` hands in. */
export interface TeamHostOptions {
  readonly store: Store;
  readonly signer: Signer;
  /** CUEBOOK_HOME, and the same as a path: workspaces stand below it. */
  readonly home: Files;
  readonly homeFolder: string;
  /** The project's folder, and its files. */
  readonly folder: string;
  readonly files: Files;
  /** Knows what of this machine must not be told to a provider. */
  readonly redactor: Redactor;
  /** `sha256:` and the hex digest of a text. */
  readonly hash: (text: string) => string;
  readonly providers: VoiceOptions;
  readonly clock?: Clock;
  readonly limits?: Partial<HostLimits>;
  /** Where several machines work on the project: how they share the workspaces. Left out: a run stays where it began. */
  readonly remote?: RemoteOptions | undefined;
  /** Who watches; left out: those of this process. */
  readonly live?: Live;
  /** Who does the work; left out: one process does all. */
  readonly work?: WorkFactory;
  /** With it no program is run, and the calls that it has an answer for are not made. Left out: all are made. */
  readonly answer?: AnswerWork;
  /** The name of this process in the log; left out: one of its own. */
  readonly owner?: string;
  /** What went wrong behind the scenes. It may hold paths: it is for the log of the process alone. */
  readonly onProblem?: (error: unknown, about: ProblemPlace) => void;
  /** For tests. */
  readonly fault?: HostFault;
}

/** What bounds a host. All of it is finite. */
export interface HostLimits {
  /** Turns and other effects at once, over all runs. */
  readonly parallel: number;
  /** A process that has not been heard of for so long has lost the work. */
  readonly leaseMs: number;
  /** Of each turn. */
  readonly turn: Partial<TurnLimits>;
  /** How long the session of a node that has nothing to do stays open; it is resumed by its id afterwards. */
  readonly idleSessionMs: number;
  /** How long a person has to answer an approval; 0: for ever. */
  readonly approvalMs: number;
  /** Tokens of a context pack. */
  readonly packTokens: number;
}

/** The named moments of a host, beside those of the engine. Tests stop or kill the process there. */
export type HostPoint =
  /** What a run needs beside its log is on the disk; the run is not in the log. */
  | 'run.noted'
  /** The prompt is composed and the workspace is ready; nothing is recorded or sent. */
  | 'turn.composed'
  /** The turn is over, with its receipt; the engine does not know. */
  | 'turn.taken'
  /** An artifact is in the log; the effect that made it is not settled. */
  | 'artifact.kept'
  /** Words that an agent put into a template are known as its own; nobody is asked about them yet. */
  | 'role.noted';

/** What tests hand in. */
export interface HostFault {
  readonly engine?: EngineFault;
  readonly host?: (point: HostPoint) => void | Promise<void>;
  readonly workspace?: (point: WorkspacePoint) => void | Promise<void>;
}

/** A context pack that is kept. */
export interface KeptPack {
  readonly ref: string;
  readonly tokens: number;
  /** Items that had no room. */
  readonly leftOut: number;
}

/** How a run is started: by the path of a team file in the project, or by its text. */
export interface StartRun {
  readonly id: string;
  readonly by: string;
  readonly team: { readonly file: string } | { readonly text: string };
  readonly goal?: string;
  /** What the run may spend, over what the team file says. */
  readonly budget?: { readonly turns?: number; readonly tokens?: number; readonly usd?: number };
  /** What limits around the run leave: its budget is no more than this. */
  readonly most?: { readonly tokens?: number; readonly usd?: number };
  /** What bounds the run, over what the project and the team file say. */
  readonly limits?: LimitsInput;
  /** What the rehearsal says, as the text of a script; it is kept with the run, so that a later process goes on with it. */
  readonly script?: string;
}

/** Another version of the project, and who moves a run to it. */
export interface TeamUpdate {
  readonly id: string;
  readonly by: string;
  readonly folder: string;
  readonly files: Files;
  /** The machine whose own folder it is, as far as machines have names here; null: the folder of a commit. */
  readonly machine: string | null | undefined;
}

/** A run in the list of all. Plain JSON. */
export type TeamRunRow = {
  readonly run: string;
  readonly status: TeamState['status'];
  readonly goal: string | null;
  readonly mode: RunMode;
  readonly globalMode: GlobalMode;
};

/** The commands that a person may give; those of drivers are not among them. */
export type PersonCommand =
  | Exclude<
      TeamCommand,
      {
        readonly type:
          | 'run.start'
          | 'run.update'
          | 'servers.list'
          | 'native.call'
          | 'native.approve'
          | 'native.tell'
          | 'native.move';
      }
    >
  | {
      readonly type: 'effect.resolve';
      readonly effect: string;
      readonly outcome: JsonValue;
      readonly by: string;
    };

export interface RunReading {
  readonly state: TeamState;
  readonly seq: number;
  /** The type of an event that only a newer version knows. */
  readonly strange?: string;
}
