import type { ApprovalRow } from '@cuebook/engine';
import type { RunId, StoredEvent } from '@cuebook/journal';
import type { Diagnostic, JsonValue, Result } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import type { TeamCommand } from '../run/command.js';
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
  read(run: RunId): Promise<Result<RunReading, HostError>>;
  /** Durable events after a cursor, and then as they happen, until the signal fires. */
  events(
    run: RunId,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<StoredEvent>;
  /** Live words of turns: not in the log one by one, lost when nobody listens. Answers how to stop listening. */
  watch(run: RunId, listener: (live: LiveEvent) => void): () => void;
  /** What waits for a person, over all runs. */
  approvals(): Promise<readonly ApprovalRow[]>;
  /** The text of an artifact (a diff, a kept result, a context pack) by its hash. */
  artifact(run: RunId, hash: string): Promise<Result<string, HostError>>;
  /** Where the nodes of a run work, and how much of the disk that takes. */
  workspaces(run: RunId): Promise<Result<readonly WorkspaceView[], HostError>>;
  /** Resolves when nothing is in flight. For tests. */
  drain(): Promise<void>;
}

/** How a run is started: by the path of a team file in the project, or by its text. */
export interface StartRun {
  readonly id: string;
  readonly by: string;
  readonly team: { readonly file: string } | { readonly text: string };
  readonly goal?: string;
  /** What the rehearsal says, as the text of a script; it is kept with the run, so that a later process goes on with it. */
  readonly script?: string;
}

export interface StartedRun {
  readonly run: RunId;
  readonly diagnostics: readonly Diagnostic[];
}

/** The commands that a person may give; those of drivers are not among them. */
export type PersonCommand =
  | Exclude<TeamCommand, { readonly type: 'run.start' | 'native.call' | 'native.approve' }>
  | {
      readonly type: 'effect.resolve';
      readonly effect: string;
      readonly outcome: JsonValue;
      readonly by: string;
    };

export interface RunReading {
  readonly state: TeamState;
  readonly seq: number;
}

/** A live event of a node's turn. */
export interface LiveEvent {
  readonly run: RunId;
  readonly node: string;
  readonly effect: string;
  readonly event: TurnEvent;
}

export interface WorkspaceView {
  readonly node: string;
  /** `own`: a worktree or copy of its own. `shared`: the project's folder. */
  readonly kind: 'own' | 'shared';
  readonly bytes: number;
  /** Files that differ from what the run began with and are not in the person's branch. */
  readonly unapplied: number;
}

/** `notFound` and `conflict` are what HTTP calls 404 and 409. Messages leak nothing. */
export interface HostError {
  readonly code: string;
  readonly message: string;
  readonly kind: 'invalid' | 'notFound' | 'conflict' | 'unavailable';
  readonly diagnostics?: readonly Diagnostic[];
}
