import type { CommitSteps, SqlSession, TransactionEnding } from './driver.js';

/** One transaction of a database, as its driver runs it. */
export interface Transaction {
  /** Begins, runs the jobs one after the other, and commits if one of them has something to keep. */
  run(jobs: readonly WriteJob[], steps?: CommitSteps): Promise<readonly unknown[]>;
}

/** A write that waits for its turn. */
export interface WriteJob {
  readonly use: (session: SqlSession) => Promise<TransactionEnding<unknown>>;
}

/** Thrown by a transaction that failed before its commit was tried: nothing of it is kept for certain. */
export class NotCommitted extends Error {
  override readonly name = 'NotCommitted';
}

export interface WriteQueue {
  write<Value>(
    use: (session: SqlSession) => Promise<TransactionEnding<Value>>,
    steps?: CommitSteps,
  ): Promise<Value>;
  /** Resolves when everything that waits now is done. */
  drain(): Promise<void>;
}

/** Writes that share one commit. */
const MAX_GROUP = 64;

/**
 * Lets writes take turns. Those that wait at the same time share one transaction, and so one wait for the disk;
 * each is told only when it is durable. When one of them fails, nothing of the group is kept, and each is tried
 * again by itself.
 */
export function createWriteQueue(transaction: Transaction): WriteQueue {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const loop = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = takeGroup(waiting);
      await runGroup(transaction, group);
    }
    running = undefined;
  };

  return {
    write: (use, steps) =>
      new Promise((resolve, reject) => {
        waiting.push({ use, steps, resolve: resolve as (value: unknown) => void, reject });
        running ??= Promise.resolve().then(loop);
      }),
    async drain() {
      await running;
    },
  };
}

interface Waiting extends WriteJob {
  readonly steps: CommitSteps | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** As many as may share a commit. One with steps of its own around the commit goes alone. */
function takeGroup(waiting: Waiting[]): readonly Waiting[] {
  const end = waiting.findIndex(({ steps }) => steps !== undefined);
  const count = end === 0 ? 1 : Math.min(MAX_GROUP, end === -1 ? waiting.length : end);
  return waiting.splice(0, count);
}

async function runGroup(transaction: Transaction, group: readonly Waiting[]): Promise<void> {
  try {
    const values = await transaction.run(group, group[0]?.steps);
    for (const [index, job] of group.entries()) job.resolve(values[index]);
  } catch (thrown) {
    if (thrown instanceof NotCommitted && group.length > 1) {
      for (const job of group) await runGroup(transaction, [job]);
      return;
    }
    const reason = thrown instanceof NotCommitted ? thrown.cause : thrown;
    for (const job of group) job.reject(reason);
  }
}
