/** What the loading process is given. */
export interface WorkerInput {
  /** Files of the project by path, as far as they are known before. */
  readonly texts: readonly (readonly [string, string])[];
  /** Those of them that hold a definition. */
  readonly files: readonly string[];
  /** The project's folder as a `file:` URL with a slash at its end. */
  readonly folder: string | undefined;
  /** How many outcomes are told at once. What is not told yet is lost when a file stops the process. */
  readonly batch: number;
}

/** What the loading process tells. */
export type WorkerMessage =
  /** Which of `files` is at work, from 1. */
  | { readonly at: number }
  /** Outcomes in batches. */
  | { readonly outcomes: readonly FileOutcome[]; readonly done?: true }
  /** Something failed that no file waits for. */
  | { readonly failed: string }
  /** A file that it wants. */
  | { readonly want: string };

/** What came of one file: what its default export is, or the names it exports instead, or why it failed. */
export interface FileOutcome {
  readonly file: string;
  /** Which definer made the default export, when one did. */
  readonly kind?: string | undefined;
  readonly data?: unknown;
  readonly exports?: readonly string[];
  readonly failure?: LoadFailure;
}

/** Why a file did not load. The place may be in another file that it imports. */
export interface LoadFailure {
  readonly reason: 'syntax' | 'import' | 'throw' | 'timeout' | 'exit';
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}
