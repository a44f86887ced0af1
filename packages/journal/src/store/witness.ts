import type { AnchorKeeper, HeadChange } from '../anchor/keep.js';
import type { CommitSteps, SqlDriver, SqlSession, TransactionEnding } from './port/driver.js';

/** Takes how a run's head changes in a transaction. */
export type OnHead = (change: HeadChange) => void;

/** A transaction whose heads are anchored once it is durable, and before anybody is told that it is. */
export type Witness = <Value>(
  driver: SqlDriver,
  use: (session: SqlSession, onHead: OnHead) => Promise<TransactionEnding<Value>>,
  steps?: CommitSteps,
) => Promise<Value>;

export const createWitness =
  (anchor: AnchorKeeper | undefined): Witness =>
  async (driver, use, steps) => {
    let changes: HeadChange[] = [];
    const value = await driver.write((session) => {
      // Tried again: what the first try said did not happen.
      changes = [];
      return use(session, (change) => changes.push(change));
    }, steps);
    if (anchor && changes.length > 0) await anchor.committed(changes);
    return value;
  };
