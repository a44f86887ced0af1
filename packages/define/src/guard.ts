/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can
 * switch a guard off at run time. `npm run mutants` swaps this module for one that answers false to one
 * name at a time and expects a named test to fail.
 */
export function guard(_name: GuardName, found: boolean): boolean {
  return found;
}

/** The guards of this package. Each has a row in `test/mutants.ts`. */
export type GuardName =
  | 'load.kind'
  | 'load.hang'
  | 'load.twice'
  | 'load.many'
  | 'names.read'
  | 'check.shape'
  | 'check.empty'
  | 'check.cycle'
  | 'check.unknown'
  | 'check.secret-part'
  | 'check.secret-literal'
  | 'check.choice'
  | 'check.tool-calls'
  | 'check.subagent'
  | 'compose.secret'
  | 'compose.fence'
  | 'compose.none'
  | 'compose.optional'
  | 'compose.opening'
  | 'compose.hooked'
  | 'hook.words'
  // live: functions that are called
  | 'live.timeout'
  | 'live.stuck'
  | 'live.tries'
  | 'live.message'
  | 'live.approval';
