import type { RunId } from '../../contract.js';
import type { SqlSession } from '../port/driver.js';
import { attempt } from './attempt.js';

/**
 * The names of all runs that rows can be read of, removed ones too, in the order they began. Where the table cannot
 * be read as a whole it is read row by row, past those that are damaged.
 */
export async function readRunNames(
  session: SqlSession,
  tell: (message: string) => void,
): Promise<readonly RunId[]> {
  const whole = await attempt(
    () => session.rows('SELECT name FROM cuebook_runs ORDER BY id'),
    (code) => tell(`the list of runs cannot be read as a whole (${code})`),
  );
  if (whole !== undefined) return whole.map(([name]) => String(name) as RunId);
  const names: RunId[] = [];
  let missed = 0;
  let bad = 0;
  for (let id = 1; missed < MAX_MISSED; id += 1) {
    const rows = await attempt(
      () => session.rows('SELECT name FROM cuebook_runs WHERE id = ?', [id]),
      () => {
        bad += 1;
      },
    );
    const name = rows?.[0]?.[0];
    missed = name === undefined ? missed + 1 : 0;
    if (name !== undefined) names.push(String(name) as RunId);
  }
  if (names.length > 0 && bad > 0) tell('runs before and after those that are listed may be there');
  return names;
}

/** So many row numbers in a row without a run are the end of the list. */
const MAX_MISSED = 100;
