import { findUpdate, openKeptFiles } from '@cuebook/host';
import { attestRun, createSigner, describeTurnError, exportRun, type RunId } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { type Journal, journalFailure, journalPlace, keyFailure, withJournal } from '../../record/journal.js';
import { writeNamedFile } from '../../record/named-output.js';
import { requireRun, unknownRun } from '../../record/run-name.js';
import { filesThen } from '../../record/told-words.js';

/** `cuebook runs export RUN`: the run as one file, or as attestations, on standard output or with `--out`. */
export const run: CommandHandler = async ({ args, flags, io }) => {
  const [named, ...more] = args;
  if (named === undefined || more.length > 0) throw usage(`Name the run: ${hint`runs export RUN`}`);
  return withJournal(flags, io, async (journal) => {
    const found = journal && (await requireRun(journal.store, named));
    if (journal === undefined || found === undefined) throw unknownRun(named);
    const lines = isOn(flags, 'attestations')
      ? attestations(journal, found.run, (await journalPlace(flags, io)).folder)
      : exportRun(journal.store, found.run, { publicKeys: journal.keys });
    const out = flagValue(flags, 'out');
    if (out === undefined) {
      for await (const line of lines) await io.exact(line);
      return 0;
    }
    const parts: string[] = [];
    for await (const line of lines) parts.push(line);
    await writeNamedFile(io, out, Buffer.from(parts.join('')));
    io.err(`Exported ${found.run} to ${out}\n`);
    return 0;
  });
};

/** One envelope a line: each turn, then the run. */
async function* attestations({ store, home }: Journal, run: RunId, folder: string): AsyncIterable<string> {
  const signer = await createSigner(home);
  if (!signer.ok) throw keyFailure(signer.error);
  const isMoved = (await findUpdate(store, run)) !== undefined;
  const always = isMoved ? undefined : await openKeptFiles(store, run);
  const filesOf = filesThen(folder, async (turn) => always ?? (await openKeptFiles(store, run, turn)));
  const attested = await attestRun(store, run, { signer: signer.value, filesOf });
  if (!attested.ok) {
    const { error } = attested;
    if ('turn' in error) throw new Failure(error.code, describeTurnError(error), { exit: 1 });
    throw journalFailure(error);
  }
  for (const envelope of attested.value) yield `${JSON.stringify(envelope)}\n`;
}
