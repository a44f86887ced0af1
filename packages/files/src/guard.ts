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
  | 'resolve.mount'
  | 'resolve.absolute'
  | 'resolve.drive'
  | 'resolve.nul'
  | 'resolve.malformed'
  | 'resolve.length'
  | 'resolve.dotdot'
  | 'resolve.stream'
  | 'resolve.device'
  | 'resolve.trailing'
  | 'resolve.reserved'
  | 'resolve.symlink'
  | 'resolve.loop'
  | 'resolve.steps'
  | 'resolve.root'
  | 'resolve.race'
  | 'read.limit'
  | 'read.special'
  | 'read.utf8'
  | 'list.limit'
  | 'write.read-only'
  | 'write.protected'
  | 'write.symlink'
  | 'write.special'
  | 'write.if-match'
  | 'write.if-absent'
  | 'write.well-formed'
  | 'write.tree'
  | 'lock.held'
  | 'error.hide'
  // What is withheld.
  | 'withhold.home'
  | 'withhold.name'
  | 'withhold.moved'
  | 'withhold.repository'
  | 'withhold.other-name'
  | 'withhold.content'
  | 'withhold.ignored'
  // What stands inside of bytes.
  | 'inside.bomb'
  | 'inside.encrypted'
  // Archives.
  | 'zip.many'
  | 'zip.large'
  | 'zip.ratio'
  | 'zip.encrypted'
  | 'zip.link'
  | 'zip.duplicate'
  | 'zip.checksum';
