import { createHash } from 'node:crypto';

/**
 * Ids for one decision: they follow from the run, the command and a counter, so that the same command decided
 * again, after a clash or in another process, names the same things.
 */
export function idsOf(run: string, command: string): (prefix: string) => string {
  let counter = 0;
  return (prefix) => {
    counter += 1;
    const digest = createHash('sha256')
      .update(JSON.stringify([run, command, counter]))
      .digest('hex');
    return `${prefix}_${digest.slice(0, ID_DIGITS)}`;
  };
}

/** 96 bits. */
const ID_DIGITS = 24;
