import { describeTurnError, rebuildTurn } from '@cuebook/journal';
import { findTargets } from '@cuebook/profile';
import { CENSUS_CLASSES, type Census, censusOf, type WireDocument } from '@cuebook/prompt/wire';
import { type Call, type CommandHandler, flagValues, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { type Bench, openBench } from '../project/bench.js';
import { journalFailure, journalPlace, withJournal } from '../record/journal.js';
import { requireRun, requireTurn, unknownRun } from '../record/run-name.js';
import { readSaidIn } from '../record/said-in.js';
import { isTurnName } from '../record/turn-name.js';
import { targetWire, turnWire } from '../wire/called-wire.js';

/** What was counted: a target, or the turns of a run. */
interface Row {
  readonly of: string;
  readonly bodies: number;
  readonly bytes: number;
  readonly classes: Census;
  /** Bytes of structure whose rule is written down nowhere. */
  readonly unruled: number;
  /** Of a run: how many of the bodies are by their hash the bytes that were sent. */
  readonly sent?: number;
}

/** `cuebook census`: how many of the bytes that are sent tell where they come from. */
export const run: CommandHandler = async (call) => {
  const { io, flags } = call;
  const isManifests = flagValues(flags, 'file').length > 0;
  const bench = call.args.length > 0 || isManifests ? undefined : await openBench(flags, io);
  const named = bench === undefined ? call.args : await findTargets(bench);
  const rows: Row[] = [];
  const count = async (): Promise<void> => {
    if (isManifests) rows.push(await ofTarget(call, bench));
    else
      for (const name of named)
        rows.push(
          isTurnName(name) ? await ofRun(call, name) : await ofTarget({ ...call, args: [name] }, bench),
        );
  };
  await withProgress(io, 'Counting', count());
  if (isOn(flags, 'json')) await printJson(io, { rows });
  else await io.out(table(rows));
  return 0;
};

async function ofTarget(call: Call, bench: Bench | undefined): Promise<Row> {
  const { document, target } = await targetWire(call, bench);
  return rowOf(call.args[0] ?? target, [document]);
}

/** All turns of a run, or the one that is named. */
async function ofRun({ flags, io }: Call, name: string): Promise<Row> {
  const { folder } = await journalPlace(flags, io);
  const documents: WireDocument[] = [];
  let sent = 0;
  await withJournal(flags, io, async (journal) => {
    const found = journal && (await requireRun(journal.store, name));
    if (journal === undefined || found === undefined) throw unknownRun(name);
    const { store } = journal;
    const said = await readSaidIn(store, found.run);
    const { turns } = said;
    const wanted = found.turn === undefined ? turns : [requireTurn(turns, found.turn, found.run)];
    for (const turn of wanted) {
      const result = await rebuildTurn(store, found.run, turn);
      if (!result.ok) {
        const { error } = result;
        if ('turn' in error) throw new Failure(error.code, describeTurnError(error), { exit: 1 });
        throw journalFailure(error);
      }
      const number = turns.indexOf(turn) + 1;
      const { document, isSent } = await turnWire(result.value, { folder, said, number });
      documents.push(document);
      if (isSent) sent += 1;
    }
    return 0;
  });
  return { ...rowOf(name, documents), sent };
}

const rowOf = (of: string, documents: readonly WireDocument[]): Row => {
  const classes = censusOf(documents);
  const bytes = CENSUS_CLASSES.reduce((sum, name) => sum + classes[name], 0);
  const unruled = documents
    .flatMap(({ spans }) => spans)
    .filter(({ origin }) => origin.kind === 'structure' && origin.via === undefined)
    .reduce((sum, { start, end }) => sum + end - start, 0);
  return { of, bodies: documents.length, bytes, classes, unruled };
};

/** Shares in percent, one row for each thing that was counted. */
function table(rows: readonly Row[]): string {
  const width = Math.max(8, ...rows.map(({ of }) => of.length));
  const head = ['of'.padEnd(width), 'bytes'.padStart(9), ...CENSUS_CLASSES.map((name) => name.padStart(9))];
  const lines = rows.map(({ of, bytes, classes }) =>
    [
      of.padEnd(width),
      String(bytes).padStart(9),
      ...CENSUS_CLASSES.map((name) => share(classes[name], bytes).padStart(9)),
    ].join(' '),
  );
  return `${[head.join(' '), ...lines].join('\n')}\n`;
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
