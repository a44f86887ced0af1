/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can
 * switch a guard off at run time. `npm run mutants` swaps this module for one that answers false to one
 * name at a time and expects a named test to fail.
 */
export function guard(_name: GuardName, found: boolean): boolean {
  return found;
}

/** The guards of this package. Each has a row in `test/mutants/workspace.ts`. */
export type GuardName =
  | 'workspace.name'
  | 'workspace.files'
  | 'diff.size'
  | 'diff.odd'
  | 'aside.late'
  | 'tool.place'
  | 'command.output'
  | 'apply.overlap'
  | 'apply.deleted'
  | 'apply.in-the-way'
  | 'apply.ignored'
  | 'apply.dirty'
  | 'clean.unapplied'
  | 'store.alone'
  | 'store.used'
  | 'tidy.unknown'
  | 'tidy.borrowed';
