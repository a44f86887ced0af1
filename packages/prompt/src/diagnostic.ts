/** One problem, in the shape that `check`, `render` and code review tools share. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The source, named relative to its root or by mount alias, never by a real path. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in code points. */
  readonly column?: number;
  /** The place inside the document, such as `blocks[2].parts[0]`. */
  readonly path?: string;
}

/** What an error code means and how to fix it: `cuebook help CODE` prints it. */
export interface CodeEntry {
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === 'error');
