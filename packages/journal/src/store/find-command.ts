import type { JsonValue } from '@cuebook/prompt';
import type { Appended } from '../contract.js';
import { JournalFailure } from '../error.js';
import type { SqlSession } from './port/driver.js';
import { type Body, decodeBody } from './row/body.js';
import { commandKey, shownHash } from './row/chain.js';
import { type CommitRow, requireWhole, toCommitRow } from './row/rows.js';

/** The commit that a command made, or undefined. */
export async function findCommandRow(
  session: SqlSession,
  run: string,
  command: string,
): Promise<CommandRow | undefined> {
  const values = [run, commandKey(run, command)];
  // Mostly there is none, and hardly ever more than one: asking for one is cheaper.
  const first = await session.rows(SELECT_FIRST, values);
  for (const cells of first.length === 0 ? first : await session.rows(SELECT_COMMAND, values)) {
    const row = toCommitRow(requireWhole('commits', cells, `a commit of ${run}`));
    const body = decodeBody(row.body);
    if (body === undefined)
      throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: `a commit of ${run}` });
    if (body.command === command) return { row, body };
  }
  return undefined;
}

export interface CommandRow {
  readonly row: CommitRow;
  readonly body: Body;
}

/** What the command answered. */
export const toAppended = ({ row, body }: CommandRow): Appended => ({
  firstSeq: row.seq - body.events.length + 1,
  lastSeq: row.seq,
  answer: JSON.parse(body.answer) as JsonValue,
  repeated: true,
  hash: shownHash(row.hash),
});

const SELECT_COMMAND = `SELECT c.position, c.run, c.seq, c.at, c.command_key, c.body, c.hash, c.sum
  FROM cuebook_commits c JOIN cuebook_runs r ON r.id = c.run AND r.name = ?
  WHERE c.command_key = ? ORDER BY c.position`;
const SELECT_FIRST = `${SELECT_COMMAND} LIMIT 1`;
