import type { Diagnostic } from '@cuebook/prompt';
import type { CaseResult } from '../run-case.js';

export interface SnapshotCount {
  readonly written: readonly string[];
  readonly unused: readonly string[];
}

/** What `cuebook test --json` answers. */
export const documentOf = (
  results: readonly CaseResult[],
  diagnostics: readonly Diagnostic[],
  snapshots: SnapshotCount,
) => ({
  ok:
    diagnostics.every(({ severity }) => severity !== 'error') &&
    results.every(({ failed }) => failed.length === 0),
  cases: results.map(({ test, failed, ms }) => ({
    file: test.file,
    line: test.line,
    target: test.target,
    name: test.name,
    ok: failed.length === 0,
    ms: Math.round(ms),
    failed,
  })),
  snapshots,
  diagnostics,
});
