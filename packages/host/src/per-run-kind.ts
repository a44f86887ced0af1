import type { Machine } from '@cuebook/engine';
import type { RunId, StoredEvent } from '@cuebook/journal';
import type { JsonValue, Result } from '@cuebook/prompt';
import type { HostError, Reply, Saying, StartCall } from './contract.js';
import type { Ground, RunKind } from './kind.js';
import type { OpenRun } from './open-run.js';
import type { KindView } from './report.js';
import type { NotedCall, RecordedCall } from './run-note.js';
import type { Wait } from './wait.js';
import type { Word } from './word.js';

/** A kind each of whose runs is opened by itself, with a lease of its own: processes work side by side on different runs. */
export interface PerRunKind<State> extends Pick<RunKind, 'name' | 'prefixes' | 'begins' | 'lacks' | 'daily'> {
  /** The one run that a target always is; left out: each call begins a run of its own. */
  readonly runFor?: (call: Pick<StartCall, 'target'>) => RunId;
  /**
   * As far as reading a run needs it: the log has decided. The machines of opened runs name the same events, and a run in
   * which a newer version has written others is left as it is.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a machine is invariant in its commands, and reading gives none.
  readonly machine: Machine<State, any, any>;
  readonly view: (state: State) => KindView;
  /** The numbers behind a stall or a spent budget, where the run stands still for one. */
  readonly pause: (state: State) => PauseFacts | undefined;
  /** The forms of an answer that a failed run goes on with; none: it does not. */
  readonly afterFailure: readonly string[];
  /** Left out: the forms that all kinds share. */
  readonly wordFor?: (wait: Wait, reply: Reply) => Result<Word, HostError>;
  /** How a run was called that has no note, from its first event; undefined: nobody can say. */
  readonly callOf: (first: StoredEvent) => RecordedCall | undefined;
  /** Writes a word to the log of a run that cannot be opened here; left out: such a run takes none. */
  readonly tell?: (telling: Telling) => Promise<Result<JsonValue, HostError>>;
  /** Reads, checks and seals other sources for a run, and writes them to its log; left out: it keeps those it has. */
  readonly update?: (moving: Moving) => Promise<Result<JsonValue, HostError>>;
  /** Reads and checks what is to be run. Nothing is begun and nobody is asked anything. */
  readonly open: (opening: Opening) => Promise<Result<OpenRun, HostError>>;
}

export interface PauseFacts {
  readonly evidence: JsonValue;
  /** Of a spent budget. */
  readonly unit?: 'turns' | 'tokens' | 'usd';
}

export interface Telling {
  readonly run: RunId;
  readonly ground: Ground;
  readonly word: Exclude<Word, { readonly type: 'go-on' }>;
  readonly said: Saying;
}

export interface Moving {
  readonly run: RunId;
  readonly call: NotedCall;
  /** The project as the run shall use it from now on. */
  readonly ground: Ground;
  /** The machine whose own folder that is, as far as machines have names here; null: the folder of a commit. */
  readonly machine: string | null | undefined;
  readonly said: Saying;
}

export interface Opening {
  readonly run: RunId;
  readonly call: NotedCall;
  readonly ground: Ground;
  /** It is about to begin in this way: everything that is wrong with it is told. Left out: it has begun. */
  readonly start?: StartCall;
}
