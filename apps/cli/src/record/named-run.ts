import type { RunId } from '@cuebook/journal';
import type { Call } from '../command.js';
import { withJournal } from './journal.js';
import { requireRun, unknownRun } from './run-name.js';

/** The run on record that a caller named, for who asks a server about it. */
export const namedRun = ({ flags, io }: Pick<Call, 'flags' | 'io'>, name: string): Promise<RunId> =>
  withJournal(flags, io, async (journal) => {
    if (journal === undefined) throw unknownRun(name);
    return (await requireRun(journal.store, name)).run;
  });
