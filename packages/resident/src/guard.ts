/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can
 * switch a guard off at run time. `npm run mutants` swaps this module for one that answers false to one
 * name at a time and expects a named test to fail.
 */
export function guard(_name: GuardName, found: boolean): boolean {
  return found;
}

/** The guards of this package. Each has a row in `test/mutants/resident.ts`. */
export type GuardName =
  | 'resident.create-once'
  | 'resident.inactive'
  | 'resident.one-retry'
  | 'resident.target';
