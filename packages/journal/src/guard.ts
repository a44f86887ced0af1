/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can
 * switch a guard off at run time. `npm run mutants` swaps this module for one that answers false to one
 * name at a time and expects a named test to fail.
 */
export function guard(_name: GuardName, found: boolean): boolean {
  return found;
}

/** The guards of this package. Each has a row in `test/mutants.ts`. */
export type GuardName = StoreGuard | ReceiptGuard;

/** Guards of the store and its drivers. */
type StoreGuard =
  | 'append.repeat'
  | 'append.conflict'
  | 'append.moved'
  | 'append.fenced'
  | 'append.expired'
  | 'append.removed'
  | 'append.keeps'
  | 'append.reserved'
  | 'bound.name'
  | 'bound.text'
  | 'bound.json'
  | 'bound.events'
  | 'bound.event'
  | 'bound.append'
  | 'bound.blob'
  | 'bound.unpacked'
  | 'schema.newer'
  | 'schema.foreign'
  | 'file.private'
  | 'file.scrap'
  | 'file.foreign'
  | 'store.closed'
  | 'open.project'
  | 'read.sum'
  | 'read.blob'
  | 'lease.held'
  | 'lease.token'
  | 'lease.dead'
  | 'lease.still'
  | 'lease.length'
  | 'remove.shared'
  | 'remove.held'
  | 'restore.empty'
  | 'vault.erase'
  | 'vault.run'
  | 'adopt.chain'
  | 'adopt.projection'
  | 'adopt.blob'
  | 'audit.row'
  | 'audit.chain'
  | 'audit.head'
  | 'audit.command'
  | 'audit.projection'
  | 'audit.blob'
  | 'audit.deletion';

/** Guards of receipts, verification, carrying and retention. */
export type ReceiptGuard =
  | 'receipt.hash'
  | 'receipt.unknown'
  | 'receipt.ended'
  | 'receipt.again'
  | 'rebuild.whole'
  | 'verify.link'
  | 'verify.signature'
  | 'verify.whole'
  | 'verify.state'
  | 'verify.head'
  | 'verify.export'
  | 'verify.replaced'
  | 'verify.anchor'
  | 'import.version'
  | 'import.sum'
  | 'import.whole'
  | 'import.blob'
  | 'import.key'
  | 'import.checked'
  | 'prune.open'
  | 'prune.held';
