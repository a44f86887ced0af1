import { type ImportError, importRun, trustKey } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { exportLines } from '../../record/export-lines.js';
import { journalFailure, journalPlace, keyFailure, withOpened } from '../../record/journal.js';

/** `cuebook runs import FILE`: takes in a run that was exported; `-` is standard input. */
export const run: CommandHandler = async ({ args, flags, io }) => {
  const [named, ...more] = args;
  if (named === undefined || more.length > 0) throw usage(`Name the file: ${hint`runs import FILE`}`);
  return withOpened(await journalPlace(flags, io), async ({ store, home, keys }) => {
    const trust = flagValues(flags, 'trust');
    const imported = await importRun(store, exportLines(named, io), { publicKeys: keys, trust });
    if (!imported.ok) throw importFailure(imported.error);
    for (const pem of Object.values(imported.value.trusted)) {
      const trusted = await trustKey(home, pem);
      if (!trusted.ok) throw keyFailure(trusted.error);
    }
    const { run: id, lastSeq, repeated } = imported.value;
    if (isOn(flags, 'json')) await printJson(io, { run: id, events: lastSeq, repeated });
    else await io.out(`${repeated ? 'Here already' : 'Imported'}: ${id}, ${lastSeq} events\n`);
    return 0;
  });
};

function importFailure(error: ImportError): Failure {
  switch (error.code) {
    case 'E_IMPORT_FORMAT':
      return new Failure(error.code, `Line ${error.line}: ${error.what}. Nothing was imported.`, { exit: 1 });
    case 'E_IMPORT_VERSION':
      return new Failure(
        error.code,
        `The file has version ${error.found} and this version of Cuebook knows ${error.known}.`,
        { exit: 1 },
      );
    case 'E_IMPORT_KEY':
      return new Failure(
        error.code,
        `Signed with ${error.keys.join(', ')}, not known here. Compare it with the owner's; if it is right: --trust ${error.keys[0]}`,
        { exit: 1 },
      );
    case 'E_IMPORT_REFUSED': {
      const diagnostics = error.problems.map(({ code, message }) => ({
        code,
        severity: 'error' as const,
        message,
      }));
      return new Failure(error.code, 'The run does not verify. Nothing was imported.', {
        exit: 1,
        diagnostics,
      });
    }
    default:
      return journalFailure(error);
  }
}
