import type { QueuedTasks } from '@cuebook/engine';
import type { RunId, StoredEvent } from '@cuebook/journal';
import type { Diagnostic, JsonValue, Result } from '@cuebook/prompt';
import type { LiveEvent } from './live-event.js';
import type { RunReport } from './report.js';
import type { Wait } from './wait.js';
import type { Amounts, Word } from './word.js';

/**
 * Every run of one project, whatever its kind, at work in this process. Nothing throws for an expected failure. A host
 * knows no kind of run: each is a record that it is given.
 */
export interface Host {
  /** Goes on with what an earlier process left, and begins to work. */
  start(): Promise<void>;
  /** Begins nothing more; `abort` ends what runs, which a later process goes on with. */
  stop(options?: { readonly running?: 'wait' | 'abort' }): Promise<void>;
  /** Begins a run of a target such as `agent:counter`. The same id again answers the same run. */
  begin(call: StartCall): Promise<Result<StartedRun, HostError>>;
  /** A person's word to a run. The same id again answers the same. */
  tell(run: RunId, word: Word, said: Saying): Promise<Result<JsonValue, HostError>>;
  /** Does something with a run that may make it spend, and that only its kind knows: if the limits of people allow it. */
  spend<Value>(
    run: RunId,
    said: Saying,
    work: () => Promise<Result<Value, HostError>>,
  ): Promise<Result<Value, HostError>>;
  /** Answers something that waits, in one of the forms that it names. */
  answer(wait: Pick<Wait, 'run' | 'id'>, reply: Reply, said: Saying): Promise<Result<JsonValue, HostError>>;
  /**
   * Moves a run to other sources: those of a commit, or those that lie in the project's folder now. Turns that are begun
   * from then on use them. The answer names both versions. The same id again answers the same.
   */
  update(run: RunId, to: VersionName, said: Saying): Promise<Result<JsonValue, HostError>>;
  /** How a run stands. `run --json` prints this document. */
  report(run: RunId): Promise<Result<RunReport, HostError>>;
  /** What waits for a person, over all runs or in one, the oldest first. */
  waiting(filter?: { readonly run?: RunId }): Promise<readonly Wait[]>;
  /** Events of the record after a cursor, and then as they happen, until the signal fires. */
  events(
    run: RunId,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<StoredEvent>;
  /** Live words of turns: not in the record one by one, lost when nobody listens. Answers how to stop listening. */
  watch(run: RunId, listener: (live: LiveEvent) => void): () => void;
  /** The name of the kind that a run is of; undefined: there is no such run, or no kind takes it for its own. */
  kindOf(run: RunId): Promise<string | undefined>;
  /** Where machines share the work: what this process has of it. Undefined: it works alone. */
  share(): WorkShare | undefined;
  /** Counts what runs have spent that are at rest, so that limits show no more than runs under way may still spend. */
  settleQuotas(): Promise<void>;
  /** Resolves when no run of this process has anything in flight. */
  drain(): Promise<void>;
}

/** What one of several processes has of the work of a project. */
export interface WorkShare {
  /** Runs at a time; 0: it takes none. */
  readonly slots: number;
  readonly kinds: readonly string[];
  readonly labels: readonly string[];
  /** The runs that it has taken from the queue and not left yet. */
  readonly runs: readonly RunId[];
  /** Runs that are due and that no process has taken, by kind and label. */
  queued(): Promise<readonly QueuedTasks[]>;
}

/** How a run is started. Plain JSON. */
export type StartCall = {
  /** The id of the command: the run's own id follows from it. */
  readonly id: string;
  readonly by: string;
  /** `agent:NAME`, `workflow:DIR#ID`, `team:FILE`. */
  readonly target: string;
  /** What the person says first. */
  readonly input?: string;
  readonly budget?: Amounts;
  readonly provider?: string;
  readonly model?: string;
  /** What the rehearsal says, as the text of a script. It is kept with the run, so that a later process goes on with it. */
  readonly script?: string;
  /** The file of the script, from the project's folder, where it was read from there. */
  readonly scriptFile?: string;
  /** Only a worker that has this label takes it. Left out: what the project says of the target or its kind. */
  readonly label?: string;
  /** What only this kind of run understands. Each kind checks it. */
  readonly options?: { readonly [name: string]: JsonValue };
};

export interface StartedRun {
  readonly run: RunId;
  readonly diagnostics: readonly Diagnostic[];
}

/** A version of the project: a commit by its full id, or the folder as it is now. */
export type VersionName = { readonly commit: string } | 'folder';

/** Who says something, under which id: the same id again is the same word, taken once. */
export interface Saying {
  readonly id: string;
  readonly by: string;
}

/** A person's answer as it is given: the words of it, or a decision about an approval. */
export type Reply =
  | { readonly texts: readonly string[] }
  | { readonly decision: 'allow'; readonly grant?: boolean }
  | { readonly decision: 'deny'; readonly message?: string }
  | { readonly decision: 'change'; readonly input: JsonValue };

/** `notFound` and `conflict` are what HTTP calls 404 and 409. Messages leak nothing. */
export interface HostError {
  readonly code: string;
  readonly message: string;
  readonly kind: 'invalid' | 'notFound' | 'conflict' | 'unavailable';
  readonly diagnostics?: readonly Diagnostic[];
}
