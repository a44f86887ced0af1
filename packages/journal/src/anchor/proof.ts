import type { SqlRow, SqlSession } from '../store/port/driver.js';
import { hex } from '../store/row/chain.js';
import { isSignedBy, type PublicKeys, type Signer } from '../turn/key/key.js';
import type { AnchoredHead } from './line.js';

/** Whether the chain of a run has a commit with this head, behind a position: then everything up to it is there. */
export async function hasHead(
  session: SqlSession,
  { run, seq, hash }: Pick<AnchoredHead, 'run' | 'seq' | 'hash'>,
  after = -1,
): Promise<boolean> {
  const [row] = await session.rows(SELECT_HEAD, [run, seq, Buffer.from(hash, 'hex'), after]);
  return row !== undefined;
}

/** A run that was removed on purpose, and who signed for it. */
export interface Removal {
  readonly run: string;
  readonly seq: number;
  /** In hexadecimal: the head that it had. */
  readonly hash: string;
  readonly removedAt: number;
}

/** Puts a signed statement into the store that a run was removed. */
export async function recordRemoval(session: SqlSession, removal: Removal, signer: Signer): Promise<void> {
  const { run, seq, hash, removedAt } = removal;
  const signature = signer.sign(removalText(removal));
  await session.rows('DELETE FROM cuebook_removals WHERE run = ?', [run]);
  await session.rows(INSERT, [run, seq, removedAt, Buffer.from(hash, 'hex'), signer.keyId, signature]);
}

/** The removal of a run; `unsigned` when none of these keys signed for it as it stands. */
export async function findRemoval(
  session: SqlSession,
  run: string,
  keys: PublicKeys,
): Promise<Removal | 'unsigned' | undefined> {
  const [row] = await session.rows(SELECT_REMOVAL, [run]);
  return row && readRemoval(row, keys);
}

function readRemoval(row: SqlRow, keys: PublicKeys): Removal | 'unsigned' {
  const [run, seq, removedAt, hash, keyId, signature] = row;
  const removal = {
    run: String(run),
    seq: Number(seq),
    removedAt: Number(removedAt),
    hash: hash instanceof Uint8Array ? hex(hash) : '',
  };
  return isSignedBy(keys, String(keyId), removalText(removal), String(signature)) ? removal : 'unsigned';
}

const removalText = ({ run, seq, hash, removedAt }: Removal): string =>
  `cuebook removal 1\n${run}\n${seq}\n${hash}\n${removedAt}`;

const SELECT_HEAD = `SELECT c.position FROM cuebook_commits c JOIN cuebook_runs r ON r.id = c.run
  WHERE r.name = ? AND c.seq = ? AND c.hash = ? AND c.position > ? LIMIT 1`;
const SELECT_REMOVAL = `SELECT run, seq, removed_at, hash, signed_by, signature FROM cuebook_removals
  WHERE run = ? LIMIT 1`;
const INSERT = `INSERT INTO cuebook_removals (run, seq, removed_at, hash, signed_by, signature)
  VALUES (?, ?, ?, ?, ?, ?)`;
