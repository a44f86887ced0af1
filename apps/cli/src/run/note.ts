import { writeRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { type Call, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';
import type { Journal } from '../record/journal.js';

interface Noted {
  readonly call: Pick<Call, 'flags' | 'io'>;
  readonly journal: Journal;
  readonly run: RunId;
  readonly target: string;
}

/** Notes how a run of this process was called, as a host does: a host goes on with it when the process is gone. */
export async function noteRun({ call: { flags, io }, journal, run, target }: Noted): Promise<void> {
  const [script, provider, model] = ['script', 'provider', 'model'].map((name) => flagValue(flags, name));
  const noted = await writeRunNote(journal.home, run, {
    call: {
      target,
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
      ...(script === undefined ? {} : { script: await readNamedFile(io.cwd, script) }),
    },
  });
  if (!noted.ok) throw new Failure(noted.error.code, noted.error.message, { exit: 3 });
}
