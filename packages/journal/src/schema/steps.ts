import { type CommitNames, commitFunctions } from './commit-functions.js';

/** The words in which the two databases differ. */
export interface Types {
  readonly int: string;
  readonly bytes: string;
  /** A whole number that is the row's own number. */
  readonly id: string;
  /** After a table that is nothing but its key. */
  readonly keyOnly: string;
  /** On a server, which many processes write to over a network: what its commits have in common. */
  readonly server?: CommitNames;
}

/**
 * The layouts, one step from each version to the next: step 0 makes version 1 out of nothing. A step that has
 * been released never changes.
 */
export const STEPS: readonly ((types: Types) => readonly string[])[] = [
  layOut,
  addLeases,
  addHolders,
  addOwner,
  addKeys,
  commitInOneRoundTrip,
  indexLists,
  addMembers,
];

/** The newest layout that this version knows. */
export const SCHEMA_VERSION = STEPS.length;

/**
 * Version 1. Every append is one row of `cuebook_commits`. Its number is the position of its last event, so
 * that reading in commit order is reading in row order. Hashes are 32 bytes; indexes hold six of them. `sum` is a
 * check sum over the other columns.
 */
function layOut({ int, bytes, id, keyOnly }: Types): readonly string[] {
  return [
    // `schema`: the version. `floor`: the highest position that removed runs had.
    `CREATE TABLE cuebook_meta (name TEXT PRIMARY KEY, value ${int} NOT NULL)`,
    `CREATE TABLE cuebook_runs (
      id ${id}, name TEXT NOT NULL UNIQUE, seq ${int} NOT NULL, position ${int} NOT NULL,
      started_at ${int} NOT NULL, last_at ${int} NOT NULL, removed_at ${int}, hash ${bytes} NOT NULL,
      sum ${int} NOT NULL)`,
    `CREATE TABLE cuebook_commits (
      position ${id}, run ${int} NOT NULL REFERENCES cuebook_runs (id) DEFERRABLE INITIALLY DEFERRED,
      seq ${int} NOT NULL, at ${int} NOT NULL, command_key ${int} NOT NULL, body ${bytes} NOT NULL,
      hash ${bytes} NOT NULL, sum ${int} NOT NULL)`,
    'CREATE INDEX cuebook_commits_run ON cuebook_commits (run, seq)',
    'CREATE INDEX cuebook_commits_command ON cuebook_commits (command_key)',
    // `data` is null once the content was deleted.
    `CREATE TABLE cuebook_blobs (
      id ${id}, name_key ${int} NOT NULL, size ${int} NOT NULL, name ${bytes} NOT NULL, data ${bytes},
      sum ${int} NOT NULL)`,
    'CREATE INDEX cuebook_blobs_name ON cuebook_blobs (name_key)',
    // Who keeps a blob. Run 0 is the store itself: a blob that was put by itself.
    `CREATE TABLE cuebook_refs (
      blob ${int} NOT NULL REFERENCES cuebook_blobs (id) DEFERRABLE INITIALLY DEFERRED, run ${int} NOT NULL,
      PRIMARY KEY (blob, run))${keyOnly}`,
    // `run` wrote it last, at `position`. `shared`: other runs have written it too. A null value is a removed one.
    `CREATE TABLE cuebook_projections (
      name TEXT NOT NULL, key TEXT NOT NULL, run ${int} NOT NULL, position ${int} NOT NULL,
      shared ${int} NOT NULL, value ${bytes}, sum ${int} NOT NULL, PRIMARY KEY (name, key))`,
    "INSERT INTO cuebook_meta (name, value) VALUES ('floor', 0)",
  ];
}

/** Version 2: leases, for work that is shared between processes. A lease's row stays, so that its tokens only grow. */
function addLeases({ int }: Types): readonly string[] {
  return [
    `CREATE TABLE cuebook_leases (
      scope TEXT PRIMARY KEY, token ${int} NOT NULL, owner TEXT NOT NULL, expires_at ${int} NOT NULL)`,
  ];
}

/**
 * Version 3: how long a lease was taken for, in milliseconds; the process that holds it, as a mark in JSON; and a
 * number that its holder raises with each renewal, so that others see it live whatever the clocks say.
 */
function addHolders({ int }: Types): readonly string[] {
  return [
    `ALTER TABLE cuebook_leases ADD COLUMN length ${int}`,
    'ALTER TABLE cuebook_leases ADD COLUMN holder TEXT',
    `ALTER TABLE cuebook_leases ADD COLUMN beat ${int}`,
  ];
}

/**
 * Version 4: whose work the store holds, one row; and runs that were removed on purpose, each signed for. Both are
 * signed, so neither needs a check sum.
 */
function addOwner({ int, bytes }: Types): readonly string[] {
  return [
    `CREATE TABLE cuebook_owner (
      id ${int} PRIMARY KEY, project TEXT NOT NULL, name TEXT NOT NULL, signed_by TEXT NOT NULL,
      signature TEXT NOT NULL)`,
    `CREATE TABLE cuebook_removals (
      run TEXT PRIMARY KEY, seq ${int} NOT NULL, removed_at ${int} NOT NULL, hash ${bytes} NOT NULL,
      signed_by TEXT NOT NULL, signature TEXT NOT NULL)`,
    // 1 once an anchor outside the database notes where its runs stand.
    "INSERT INTO cuebook_meta (name, value) VALUES ('anchored', 0)",
  ];
}

/** Version 5: the public keys that signed here, each signed by itself and by the key that it replaced. */
function addKeys({ int }: Types): readonly string[] {
  return [
    `CREATE TABLE cuebook_keys (
      fingerprint TEXT PRIMARY KEY, public_key TEXT NOT NULL, at ${int} NOT NULL, previous TEXT, vouched TEXT,
      signature TEXT NOT NULL)`,
  ];
}

/** The layout from which on a server gives the numbers of runs and blobs by itself. */
export const NUMBERS_SINCE = 6;

/**
 * Version 6. On a server: sequences for the numbers of runs and blobs, so that processes take them without waiting for
 * each other, and functions by which a commit is one round trip. A file needs none of it.
 */
function commitInOneRoundTrip({ server }: Types): readonly string[] {
  if (server === undefined) return [];
  return [
    'CREATE SEQUENCE cuebook_run_ids',
    'CREATE SEQUENCE cuebook_blob_ids',
    ...commitFunctions(server),
    ALIGN_NUMBERS,
  ];
}

/** Lets the numbers go on behind those that are in use. */
export const ALIGN_NUMBERS = 'SELECT cuebook_align()';

/**
 * Version 7: indexes for what lists and removals ask. `shared` of a projection is 2 or 3 where nothing is to be done
 * about it, and the index of the active ones leaves it out: it stays small however many runs are over.
 */
function indexLists(): readonly string[] {
  return [
    'CREATE INDEX cuebook_runs_live ON cuebook_runs (id) WHERE removed_at IS NULL',
    'CREATE INDEX cuebook_projections_active ON cuebook_projections (name) WHERE shared < 2',
    'CREATE INDEX cuebook_projections_run ON cuebook_projections (run)',
    'CREATE INDEX cuebook_refs_run ON cuebook_refs (run)',
  ];
}

/**
 * Version 8: the machines that sign for the project, each with a proof; and the files of CUEBOOK_HOME that all of them
 * need, sealed with the project's key.
 */
function addMembers({ int, bytes, server }: Types): readonly string[] {
  // Paths are sorted by their bytes, so that a folder is one range of them.
  const path = server === undefined ? 'TEXT' : 'TEXT COLLATE "C"';
  return [
    `CREATE TABLE cuebook_members (
      fingerprint TEXT PRIMARY KEY, public_key TEXT NOT NULL, name TEXT NOT NULL, at ${int} NOT NULL,
      proof TEXT NOT NULL)`,
    `CREATE TABLE cuebook_files (path ${path} PRIMARY KEY, data ${bytes} NOT NULL, written_at ${int} NOT NULL)`,
  ];
}
