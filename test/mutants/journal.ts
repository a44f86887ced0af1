import { type Mutant, rows } from './rows.js';

/** The guards of `packages/journal`. */
export const JOURNAL_MUTANTS: readonly Mutant[] = [
  ...rows('packages/journal', 'src/store/own-appends.test.ts', {
    'own.others': 'whoever writes to a run: what a process reads behind any seq is what the file has',
  }),
  ...rows('packages/journal', 'src/sqlite/sqlite.test.ts', {
    'register.stays':
      'is no work: lists leave it out, nothing removes it, and none is taken in from elsewhere',
    'register.own': 'is no work: lists leave it out, nothing removes it, and none is taken in from elsewhere',
    'append.repeat': 'answers the same command again with what it answered first, and writes nothing',
    'append.conflict': 'refuses the same command for another target',
    'append.moved': 'refuses a decision that was made on an older state',
    'append.fenced': 'fences a late writer: nothing is written with an old token',
    'append.expired': 'fences a writer whose lease has expired',
    'append.removed': 'removes a run to its tombstone, with the blobs that nobody else keeps',
    'remove.shared': 'removes a run to its tombstone, with the blobs that nobody else keeps',
    'remove.held': 'goes with the run that its scope names, unless somebody holds it',
    'append.keeps': 'a blob that is not there is refused and writes nothing',
    'append.reserved': 'a name of the store itself is refused and writes nothing',
    'bound.name': 'a name too long is refused and writes nothing',
    'bound.text': 'a name with a NUL is refused and writes nothing',
    'bound.json': 'not a number is refused and writes nothing',
    'bound.events': 'too many events is refused and writes nothing',
    'bound.event': 'an event too large is refused and writes nothing',
    'bound.append': 'a write too large as a whole is refused and writes nothing',
    'bound.blob': 'a blob too large is refused and writes nothing',
    'schema.newer': 'refuses a store of a newer version and leaves it as it is',
    'store.closed': 'a closed store says so',
    'read.sum': 'reading a row in which only a number was changed fails',
    'read.blob': 'a blob whose content was swapped together with its check sum is not handed out',
    'audit.blob': 'a blob whose content was swapped together with its check sum is not handed out',
    'lease.held': 'is held by one, and every taking has a greater token',
    'lease.token': 'is taken over once it has expired, and renewed before',
    'lease.dead': 'is free at once when its process has ended, and kept while it lives',
    'lease.still':
      'ends within its own length, also when the clock was set back, for who waits and for who looks once',
    'lease.length':
      'ends within its own length, also when the clock was set back, for who waits and for who looks once',
    'open.project': 'belongs to the project that opens it first, and refuses every other by name',
    'restore.empty': 'copies itself into one private file while writers go on, and is restored from it',
    'adopt.chain': 'a run is not taken in when an event was changed',
    'adopt.projection': 'a run is not taken in when a projection was changed',
    'adopt.blob': 'a run is not taken in when a blob is missing',
    'audit.row': 'finds every flipped byte of every stored value, and names the run',
    'audit.chain': 'finds an event that was rewritten together with its check sum, and names its commit',
    'audit.head': 'finds that the last commit is taken out',
    'audit.command': 'finds a command that its id does not lead to',
    'audit.projection': 'finds that a projection is taken out',
    'audit.deletion': 'accepts missing content only with a recorded deletion',
  }),
  ...rows('packages/journal', 'src/store/shared-clock.test.ts', {
    'clock.database':
      'is the time of the database but for the time on the way and what the machine measures wrong',
  }),
  {
    guard: 'register.newer',
    package: 'packages/journal',
    file: 'packages/host/test/newer.test.ts',
    test: 'what a newer version wrote into the register of people: it is named, and nothing is read, granted, begun or changed',
  },
  ...rows('packages/journal', 'src/register/proof.test.ts', {
    'register.proof': 'counts for nothing, and verify finds it: an event of a register, a machine',
  }),
  ...rows('packages/journal', 'src/register/vouch.test.ts', {
    'register.vouch': 'does not move with what somebody put there without the key',
    'restore.forged': 'does not move with what somebody put there without the key',
  }),
  ...rows('packages/journal', 'src/postgres/refused.test.ts', {
    'postgres.pool':
      'is refused behind a pool that shares connections, before anything is set or written there',
  }),
  ...rows('packages/journal', 'src/postgres/projects.test.ts', {
    'open.member': 'a machine is refused with the key of another project, and nothing is made',
    'open.key': 'a home with the key of another project is refused',
    'member.proof': 'a member whose row was changed is none',
  }),
  ...rows('packages/journal', 'src/anchor/anchor.test.ts', {
    'verify.anchor': 'accepts a removal that was signed for, and no other',
    'verify.anchor-start':
      'says so when it was emptied, or when its beginning is gone, also after more was written',
    'verify.anchor-empty':
      'says so when it was emptied, or when its beginning is gone, also after more was written',
  }),
  ...rows('packages/journal', 'src/store/row/row.test.ts', {
    'bound.unpacked': 'damaged or endless bytes are undefined, never an exception',
  }),
  ...rows('packages/journal', 'src/sqlite/file.test.ts', {
    'schema.foreign': 'a database with our mark and tables of something else is refused',
    'file.private': 'is refused when others may read it',
    'sqlite.progress': 'waits as long as others go on writing, however long that is',
    'file.scrap': 'a few bytes is refused and left as it is',
    'file.foreign': 'a database of something else is refused and left as it is',
  }),
  ...rows('packages/journal', 'src/turn/manifest/manifest.test.ts', {
    'receipt.hash': 'a hash that is not the sha256 of the text is refused, with the block',
  }),
  ...rows('packages/journal', 'src/turn/recorder.test.ts', {
    'receipt.unknown': "'an end without a turn' is refused",
    'receipt.ended': 'nothing more is sent in a turn that has ended',
    'receipt.again': 'the same turn with another prompt is a conflict',
  }),
  ...rows('packages/journal', 'src/turn/rebuild.test.ts', {
    'rebuild.whole': "'another hash of the whole' is not rebuilt, and verify says why",
    'verify.whole': "'another hash of the whole' is not rebuilt, and verify says why",
  }),
  ...rows('packages/journal', 'src/verify/verify-run.test.ts', {
    'verify.link': 'a receipt that is left out breaks the link of the next',
    'verify.signature': 'an event that was put in later breaks the signature of every receipt after it',
    'verify.state': 'a state that does not follow from the log is found',
    'verify.head': 'events that were cut off are found when the head is known',
  }),
  ...rows('packages/journal', 'src/verify/damage.test.ts', {
    'verify.layout': 'that has a trigger is not as it was made',
    'verify.owner': 'that has no claim is not as it was made',
    'verify.floor': 'with a lower floor is named, and so is what was not hit',
    'verify.names': 'with a number of its own is named, and so is what was not hit',
    'verify.older': 'with an older layout is named, and so is what was not hit',
    'verify.anchored': 'that says it was never anchored is named, and so is what was not hit',
    'verify.claim-key': 'without its keys is named, and so is what was not hit',
  }),
  ...rows('packages/journal', 'src/postgres/verify.test.ts', {
    'verify.postgres-strange': 'is told: a trigger',
    'verify.postgres-layout': 'is told: a key gone',
  }),
  ...rows('packages/journal', 'src/carry/verify-export.test.ts', {
    'verify.export': 'names the turn and the part of every damage, however it was done',
  }),
  ...rows('packages/journal', 'src/turn/key/rotate.test.ts', {
    'verify.replaced': 'does not sign for runs that begin later',
    'key.late': 'signs on in runs that began before, of a process that was at work, and begins no other',
    'key.spelling': 'whose record was changed in any one bit is told, however its text is spelt',
  }),
  ...rows('packages/journal', 'src/carry/carry.test.ts', {
    'import.version': 'with a sum that was computed again, what was changed is still found',
    'import.blob': 'with a sum that was computed again, what was changed is still found',
    'import.checked': 'with a sum that was computed again, what was changed is still found',
    'import.states':
      'brings nothing but what is about itself: no state of another run, of the project or of its platform',
    'import.sum': 'changed in any one place it is refused whole',
    'import.whole': 'cut off anywhere it is refused',
    'import.key': 'signed with a key that is not known here it waits for somebody who says so',
  }),
  ...rows('packages/journal', 'src/retain/retain.test.ts', {
    'prune.open': 'takes old runs and never an open one',
    'prune.held': 'leaves a run that the caller holds, and says so',
  }),
  ...rows('packages/journal', 'src/vault/vault.test.ts', {
    'vault.erase': 'an entry that was erased does not open any more, and the others do',
    'vault.run': 'everything of a run goes with it, and nothing of another',
  }),
];
