import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of the journal. */
export const JOURNAL_CODES = {
  E_JOURNAL_CONFLICT: {
    title: 'One command id, two commands',
    cause: 'A command came with an id that the run has on record for another target.',
    fix: 'Give each new command an id of its own. The same id is for trying the same command again.',
  },
  E_JOURNAL_MOVED: {
    title: 'The run has gone on',
    cause: 'Between reading the run and writing to it somebody else wrote to it.',
    fix: 'Read the events that came in between and decide again. Nothing was written.',
  },
  E_JOURNAL_FENCED: {
    title: 'The work belongs to somebody else now',
    cause: 'The lease that the write asked for expired, was released or was taken over.',
    fix: 'Drop the work, or take the lease again and begin from the record. Nothing was written.',
  },
  E_JOURNAL_REMOVED: {
    title: 'A run that was removed',
    cause: 'Retention or a person removed the run; its name and head are kept, its events are not.',
    fix: 'Begin a new run.',
  },
  E_JOURNAL_BLOB_MISSING: {
    title: 'A blob that does not exist',
    cause: 'The write refers to a blob by name, and no blob of that name is stored.',
    fix: 'Hand in the content of the blob together with the write.',
  },
  E_JOURNAL_TOO_LARGE: {
    title: 'More than the journal takes at once',
    cause: 'An event, a projection, a blob, a name or a whole write is larger than its limit.',
    fix: 'Put large content into blobs and refer to it, or write in several steps.',
  },
  E_JOURNAL_INVALID: {
    title: 'Not fit for the journal',
    cause: 'A name, an id or a value is not one that the journal can keep exactly; the message names it.',
    fix: 'Correct what the message names. Values are JSON: no NaN, no lone surrogate, not too deep.',
  },
  E_JOURNAL_UNAVAILABLE: {
    title: 'The journal did not answer',
    cause:
      'The file is held by another process for too long, the disk is full or failing, or the database cannot be reached, lets this user not in, or takes no writes; the message says which.',
    fix: 'Look at the disk or the database, then give the same command again: it is done once, whether the first try came through or not.',
  },
  E_JOURNAL_CORRUPT: {
    title: 'A stored value was changed',
    cause: 'What is stored does not fit its hash or its check sum: a damaged disk, or an edit by hand.',
    fix: `Keep the file as it is, run ${hint`verify`} to see what is affected, and restore a backup into another place.`,
  },
  E_JOURNAL_SCHEMA_NEWER: {
    title: 'A journal of a newer version',
    cause: 'A newer version of Cuebook has written this journal.',
    fix: 'Use that version or a later one. The journal was left as it is.',
  },
  E_JOURNAL_NEWER: {
    title: 'Something that only a newer version knows',
    cause:
      'During an update a newer process wrote something that this one cannot read: an event of a run, or a change of people, limits, schedules or webhooks. It goes on with nothing that would ignore it.',
    fix: 'Update this process. A newer server answers in the meantime, and newer workers go on with the run.',
  },
  E_JOURNAL_FOREIGN: {
    title: 'Not a journal',
    cause:
      'The place that was named holds something else, or holds data already where an empty place is needed.',
    fix: 'Name another file or database. What is there was left as it is.',
  },
  E_JOURNAL_VAULT: {
    title: 'The vault cannot be used',
    cause:
      'A credential had to be sealed or erased, and the files of the vault in CUEBOOK_HOME (`keys/vault.key`, the folder `vault`) cannot be read or written.',
    fix: 'See that CUEBOOK_HOME is a folder that this user may write, then give the same command again. Nothing was written.',
  },
  E_JOURNAL_PROJECT: {
    title: "Another project's records",
    cause:
      'The file was claimed by another project, or what is in it was signed with a key that this project does not accept. Two projects that share one would do work in the wrong folder.',
    fix: 'Give each project a CUEBOOK_HOME of its own. Two clones of one repository are two projects, unless they share CUEBOOK_HOME or CUEBOOK_PROJECT_KEY. In a database each project has tables of its own.',
  },
  E_JOURNAL_PROJECT_KEY: {
    title: 'The key of the project does not fit',
    cause:
      'Machines that work on one project in one database have a key in common. It is missing here, is not a valid key, or is that of another project. What the others have sealed could not be opened.',
    fix: `Print it with ${hint`keys share`} where the project runs already, and set CUEBOOK_PROJECT_KEY to that line on this machine.`,
  },
  E_JOURNAL_POOL: {
    title: 'A pool that shares connections',
    cause:
      'The address of the database leads to a pool (PgBouncer, a cloud proxy) in transaction or statement mode. It gives a connection to somebody else between two transactions: locks, notifications and the tables of a project would be mixed up with those of others.',
    fix: 'Name the address of the database itself, or set the pool to session mode. Nothing was changed.',
  },
  E_JOURNAL_PART: {
    title: 'A package that is not installed',
    cause:
      'Records in Postgres need the packages `pg` and `graphile-worker`, which the command does not bring. Records in a file need the part of `libsql` for this system, which `npm install --omit=optional` leaves out.',
    fix: 'Run the line that the message ends with in the folder where the command is installed. Nothing was written.',
  },
  E_JOURNAL_CLOSED: {
    title: 'The journal is closed',
    cause: 'Something used the journal after it was closed.',
    fix: 'Open it again.',
  },
} as const satisfies Record<string, CodeEntry>;

/** The codes of turn receipts, of verification, and of runs that are carried elsewhere. */
export const RECEIPT_CODES = {
  E_TURN_UNKNOWN: {
    title: 'No such turn',
    cause: 'The run has no turn of that id on record.',
    fix: `Run ${hint`log RUN`} to see the turns; \`RUN@2\` is the second, \`RUN@last\` the last.`,
  },
  E_TURN_EXISTS: {
    title: 'The turn is on record',
    cause: 'A turn of that id was recorded in this run by another command.',
    fix: 'Record the new turn under an id of its own.',
  },
  E_TURN_ENDED: {
    title: 'The turn is over',
    cause: 'Something was to be recorded in a turn that has ended.',
    fix: 'Record a new turn; what has ended is not changed.',
  },
  E_TURN_HASH: {
    title: 'A prompt that is not what it says',
    cause: 'The hash of a block or of the prompt is not the sha256 of its text, so it was not recorded.',
    fix: 'Compose with a sha256 digest, and record the request as it was composed.',
  },
  E_TURN_BROKEN: {
    title: 'A turn that cannot be rebuilt',
    cause:
      'Something that the record of the turn is made of is missing or was changed; the message says what.',
    fix: `Run ${hint`verify RUN`} to see all that is affected. A backup or an export of the run has it whole.`,
  },
  E_TURN_FORGOTTEN: {
    title: 'Content that was deleted on request',
    cause: 'What the turn is made of was deleted on request, beyond what can be shown without it.',
    fix: 'The log says on whose request. What was deleted cannot be had back.',
  },
  E_FORGET_PART: {
    title: 'No such part of the turn',
    cause: 'The content of a block was to be deleted that the prompt of the turn does not have.',
    fix: `Name a block that ${hint`replay RUN@TURN`} shows.`,
  },
  E_FORGET_SEALED: {
    title: 'Nothing is sealed under this name',
    cause: 'A sealed credential was to be erased that the run does not have here, or that is erased already.',
    fix: `Take the name from a mask in ${hint`log RUN --json`}, such as \`[removed:credential:NAME]\`, or name \`all\`.`,
  },
  E_JOURNAL_KEY: {
    title: 'Not a key',
    cause: 'A key file exists and is not an Ed25519 key.',
    fix: 'Put the right key back from a backup. Without the old key new receipts are signed with a new one; old ones still verify with the old public key.',
  },
  E_JOURNAL_KEY_REPLACED: {
    title: 'The key was replaced meanwhile',
    cause: `A process that was at work when ${hint`keys rotate`} replaced the key began another run. It still has the old key, which signs for no run that begins later.`,
    fix: 'Restart the process, then start the run again. Runs that began before continue as they are.',
  },
  E_VERIFY_STORE: {
    title: 'A stored value was changed',
    cause: 'A row of the journal does not fit its chain or its check sum.',
    fix: 'Keep the journal as it is, and compare with a backup or an export of the run.',
  },
  E_VERIFY_CHAIN: {
    title: 'Receipts that do not follow each other',
    cause: 'A receipt cannot be read, is missing, or does not link to the one before it.',
    fix: 'Keep the journal as it is, and compare with a backup or an export of the run.',
  },
  E_VERIFY_SIGNATURE: {
    title: 'A signature that does not fit',
    cause: 'The receipt, or something in the log before it, is not what was signed.',
    fix: 'Keep the journal as it is, and compare with a backup or an export of the run.',
  },
  E_VERIFY_KEY: {
    title: 'A key that is not known here',
    cause: 'The receipt was signed on another machine, or with a key that is gone.',
    fix: 'Get the public key from whoever made the run, and verify with `--key FILE`.',
  },
  E_VERIFY_TURN: {
    title: 'A turn that does not rebuild',
    cause: 'A block, a prompt or an answer is not what its receipt names.',
    fix: 'Keep the journal as it is, and compare with a backup or an export of the run.',
  },
  E_VERIFY_STATE: {
    title: 'A state that does not follow from the log',
    cause: 'Folding the events of the run again gives another state than the stored one.',
    fix: 'The log is what counts; the state is made from it again when the run continues.',
  },
  E_VERIFY_HEAD: {
    title: 'The log ends too early',
    cause: 'The head that was noted elsewhere is not in the log: events were deleted or replaced.',
    fix: 'Compare with a backup or an export that has the head.',
  },
  E_VERIFY_REMOVED: {
    title: 'A run that is gone',
    cause:
      'An anchor outside the database knows of the run, and the journal does not have it, or has it removed without a signature: rows or the whole file were taken away or rolled back to an earlier state.',
    fix: `Compare with a backup or an export. If the loss is known and meant, accept it on record with ${hint`anchor accept`}.`,
  },
  E_VERIFY_ROLLBACK: {
    title: 'Events that are gone',
    cause:
      'An anchor outside the database knows of events that the run does not have: it was truncated, replaced, or rolled back to an earlier state.',
    fix: `Compare with a backup or an export that has the events. If the loss is known and meant, accept it on record with ${hint`anchor accept`}.`,
  },
  E_VERIFY_ANCHOR: {
    title: 'An anchor that cannot be relied on',
    cause: 'The anchor was changed, emptied, truncated in the middle of a line, or is not where it was kept.',
    fix: `Verify against one that was exported before, with \`--against\`. A line that a loss of power has cut is put right by the next command that writes; anything else is accepted on record with ${hint`anchor accept`}.`,
  },
  E_IMPORT_FORMAT: {
    title: 'Not a run that was exported',
    cause: 'The file is not whole, or was changed; the message names the line.',
    fix: 'Get the file again from where it was exported. Nothing was imported.',
  },
  E_IMPORT_VERSION: {
    title: 'A file of a newer version',
    cause: 'A newer version of Cuebook has exported this run.',
    fix: 'Import it with that version or a later one.',
  },
  E_IMPORT_KEY: {
    title: 'A run signed by somebody not known here',
    cause: 'The receipts in the file were signed with a key that is not trusted here.',
    fix: 'Make sure with its owner that the key is theirs, then import with `--trust KEY`.',
  },
  E_IMPORT_REFUSED: {
    title: 'A run that does not verify',
    cause:
      'The file was changed, what it was exported from was damaged, or the file holds more than its run: a state of another run or of a platform. The problems are listed.',
    fix: 'Get the file again from where it was exported. Nothing was imported.',
  },
} as const satisfies Record<string, CodeEntry>;
