import type { AnchorKeeper, HeadChange } from '../anchor/keep.js';
import type { CommitSteps, SqlDriver, SqlSession, TransactionEnding } from './port/driver.js';

/** Takes how a run's head changes in a transaction. */
export type OnHead = (change: HeadChange) => void;

/** Anchors the heads of what was written once it is durable, and before anybody is told that it is. */
export interface Witness {
  /** A transaction whose heads are anchored. */
  write<Value>(
    driver: SqlDriver,
    use: (session: SqlSession, onHead: OnHead) => Promise<TransactionEnding<Value>>,
    steps?: CommitSteps,
  ): Promise<Value>;
  /** Anchors what is durable already. */
  note(changes: readonly HeadChange[]): Promise<void>;
}

export function createWitness(anchor: AnchorKeeper | undefined): Witness {
  const note: Witness['note'] = async (changes) => {
    if (anchor && changes.length > 0) await anchor.committed(changes);
  };
  return {
    note,
    async write(driver, use, steps) {
      let changes: HeadChange[] = [];
      const value = await driver.write((session) => {
        // Tried again: what the first try said did not happen.
        changes = [];
        return use(session, (change) => changes.push(change));
      }, steps);
      await note(changes);
      return value;
    },
  };
}
