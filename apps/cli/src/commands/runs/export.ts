import { exportRun } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { flagValue, type Handler } from '../../command.js';
import { usage } from '../../failure.js';
import { withJournal } from '../../record/journal.js';
import { writeNamedFile } from '../../record/named-output.js';
import { requireRun, unknownRun } from '../../record/run-name.js';

/** `cuebook runs export RUN`: the run as one file, on standard output or with `--out`. */
export const run: Handler = async ({ args, flags, io }) => {
  const [named, ...more] = args;
  if (named === undefined || more.length > 0) throw usage(`Name the run: ${hint`runs export RUN`}`);
  return withJournal(flags, io, async (journal) => {
    const found = journal && (await requireRun(journal.store, named));
    if (journal === undefined || found === undefined) throw unknownRun(named);
    const lines = exportRun(journal.store, found.run, { publicKeys: journal.keys });
    const out = flagValue(flags, 'out');
    if (out === undefined) {
      for await (const line of lines) await io.out(line);
      return 0;
    }
    const parts: string[] = [];
    for await (const line of lines) parts.push(line);
    await writeNamedFile(io, out, Buffer.from(parts.join('')));
    io.err(`Exported ${found.run} to ${out}\n`);
    return 0;
  });
};
