/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can switch a guard off
 * at run time. `npm run mutants` puts `false` in the place of one guard of one package at a time and expects a named
 * test to fail. The name is written as a string where it is called, and has a row in `test/mutants`.
 */
export function guard(_name: string, found: boolean): boolean {
  return found;
}

/**
 * The same for a step that is taken always: it answers what `step` makes of `without`. The mutant answers `without`,
 * and nothing where that is left out.
 */
export function guarded<Done>(_name: string, step: () => Done): Done;
export function guarded<Without, Done>(
  _name: string,
  step: (without: Without) => Done,
  without: Without,
): Done;
export function guarded<Without, Done>(
  _name: string,
  step: (without?: Without) => Done,
  without?: Without,
): Done {
  return step(without);
}
