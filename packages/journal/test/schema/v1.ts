import { APPLICATION_ID } from '../../src/sqlite/mark.js';

/**
 * A store as version 1 left it: its tables, written out, and three commits of two runs with their projections and
 * blobs. It never changes: it stands for files that are out there.
 */
export const V1_TABLES = (kind: 'sqlite' | 'postgres'): readonly string[] => {
  const [int, bytes] = kind === 'sqlite' ? ['INTEGER', 'BLOB'] : ['BIGINT', 'BYTEA'];
  return [
    ...(kind === 'sqlite'
      ? [
          'PRAGMA auto_vacuum = INCREMENTAL',
          `PRAGMA application_id = ${APPLICATION_ID}`,
          'PRAGMA journal_mode = WAL',
        ]
      : []),
    `CREATE TABLE cuebook_meta (name TEXT PRIMARY KEY, value ${int} NOT NULL)`,
    `CREATE TABLE cuebook_runs (id ${int} PRIMARY KEY, name TEXT NOT NULL UNIQUE, seq ${int} NOT NULL, position ${int} NOT NULL, started_at ${int} NOT NULL, last_at ${int} NOT NULL, removed_at ${int}, hash ${bytes} NOT NULL, sum ${int} NOT NULL)`,
    `CREATE TABLE cuebook_commits (position ${int} PRIMARY KEY, run ${int} NOT NULL REFERENCES cuebook_runs (id) DEFERRABLE INITIALLY DEFERRED, seq ${int} NOT NULL, at ${int} NOT NULL, command_key ${int} NOT NULL, body ${bytes} NOT NULL, hash ${bytes} NOT NULL, sum ${int} NOT NULL)`,
    'CREATE INDEX cuebook_commits_run ON cuebook_commits (run, seq)',
    'CREATE INDEX cuebook_commits_command ON cuebook_commits (command_key)',
    `CREATE TABLE cuebook_blobs (id ${int} PRIMARY KEY, name_key ${int} NOT NULL, size ${int} NOT NULL, name ${bytes} NOT NULL, data ${bytes}, sum ${int} NOT NULL)`,
    'CREATE INDEX cuebook_blobs_name ON cuebook_blobs (name_key)',
    `CREATE TABLE cuebook_refs (blob ${int} NOT NULL REFERENCES cuebook_blobs (id) DEFERRABLE INITIALLY DEFERRED, run ${int} NOT NULL, PRIMARY KEY (blob, run))${kind === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
    `CREATE TABLE cuebook_projections (name TEXT NOT NULL, key TEXT NOT NULL, run ${int} NOT NULL, position ${int} NOT NULL, shared ${int} NOT NULL, value ${bytes}, sum ${int} NOT NULL, PRIMARY KEY (name, key))`,
    "INSERT INTO cuebook_meta (name, value) VALUES ('floor', 0)",
    "INSERT INTO cuebook_meta (name, value) VALUES ('schema', 1)",
  ];
};

/** Its rows by table; bytes are in hexadecimal behind `x:`. */
export const V1_ROWS: Readonly<Record<string, readonly (readonly (string | number | null)[])[]>> = {
  cuebook_runs: [
    [
      1,
      'run_first',
      3,
      4,
      1700000000001,
      1700000000003,
      null,
      'x:1977e1aa033fd44aab7851066f6e11856c08e3e30c02c26c7ca8b242b6808f60',
      3466056751,
    ],
    [
      2,
      'run_second',
      1,
      3,
      1700000000002,
      1700000000002,
      null,
      'x:0353d7e17ac2676de8fd11154cfbdc573c7c4c8b3a791688b787bb85a4080ab6',
      2431728228,
    ],
  ],
  cuebook_commits: [
    [
      2,
      1,
      2,
      1700000000001,
      237964598935857,
      'x:01c22f00809835973fa36e5697522065819214e859fdf48d1bd89f7ebb691bd701701c71101bdc64a51d27041b73a8c0a7740407e486c6fc3130ebf3ab82b27a51b7a92a0ceb70f0fe5d9dec0e1c64a952a153c605d3283ce6c4931612084b910444499ce7c234d120138f631e8751325232729030e56981a63115396163f0fe5ddee73bbcbf2a307fcc8fe140895df5691314db6a48dc06a1ab678e70fa1a01f15d94f38fbdb1b8285bc92f8e050c8e99444937',
      'x:703b77265fbc79e2fc9761de815d1edfd0ca773ec920cb987f9a41dcdb4b433d',
      1298172383,
    ],
    [
      3,
      2,
      1,
      1700000000002,
      132746844462367,
      'x:005b22636d645f31222c227374617274225d0a6e756c6c0a5b5d0a5b5d0a2272756e2e73746172746564220a6e756c6c',
      'x:0353d7e17ac2676de8fd11154cfbdc573c7c4c8b3a791688b787bb85a4080ab6',
      2079311626,
    ],
    [
      4,
      1,
      3,
      1700000000003,
      218520980973895,
      'x:01c21100809839959bc0c7d9f20ca2d992ed744dd42b6cc00941166800bad26d61de690c906b5c3a1448054c6aed500d03044581d7f7b6a01728406de0ecb8d3b931293b2764364a41736eb2331cbad824479d4f895c132c6f7af3e438bbb045e24c9826354c0aafefadcac7dbf17d4811ea87fb19fde7f54d7f',
      'x:1977e1aa033fd44aab7851066f6e11856c08e3e30c02c26c7ca8b242b6808f60',
      3005602412,
    ],
  ],
  cuebook_blobs: [
    [
      1,
      58800310414915,
      145,
      'x:357a839d6e439ab8866a8cfa34a566c94f9d4ee1f3aecbfb9127d25dc63ac861',
      'x:0102120080200e8e74ac87d2e4502b32492f8969ebd2388658b73a5f8f90be0300',
      1015533296,
    ],
    [
      2,
      274534436134389,
      5,
      'x:f9b0078b5df596d2ea19010c001bbd009e651de2c57e8fb7e355f31eb9d3f739',
      'x:0073686f7274',
      134298440,
    ],
  ],
  cuebook_refs: [
    [1, 1],
    [2, 1],
  ],
  cuebook_projections: [
    ['view', 'run_first', 1, 4, 0, 'x:007b22737461747573223a22646f6e65222c227475726e73223a317d', 139826877],
  ],
};

/** The heads of its runs. */
export const V1_HEADS = {
  run_first: { seq: 3, hash: 'sha256:1977e1aa033fd44aab7851066f6e11856c08e3e30c02c26c7ca8b242b6808f60' },
  run_second: { seq: 1, hash: 'sha256:0353d7e17ac2676de8fd11154cfbdc573c7c4c8b3a791688b787bb85a4080ab6' },
};
