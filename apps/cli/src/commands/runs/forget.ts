import { describeTurnError, eraseSealed, forgetContent, type RunId, viewRun } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { type Journal, journalFailure, withJournal } from '../../record/journal.js';
import { requireRun, requireTurn, turnsOf, unknownRun } from '../../record/run-name.js';

/**
 * `cuebook runs forget RUN@TURN --block NAME --by WHO`: deletes content on request; the record stays. With `--sealed`
 * it is the credentials that are sealed for a run.
 */
export const run: CommandHandler = async ({ args, flags, io }) => {
  const [named, ...more] = args;
  if (named === undefined || more.length > 0) throw usage(`Name the turn: ${hint`runs forget RUN@TURN`}`);
  const blocks = flagValues(flags, 'block');
  const response = isOn(flags, 'response');
  const by = flagValue(flags, 'by');
  const reason = flagValue(flags, 'reason');
  if (by === undefined) throw usage('--by WHO says on whose request; it is kept on record');
  const sealed = flagValues(flags, 'sealed');
  if (blocks.length === 0 && !response && sealed.length === 0)
    throw usage(
      'Say what: --block NAME, --response, or --sealed ID (all: everything that is sealed for the run)',
    );
  if (sealed.length > 0 && (blocks.length > 0 || response))
    throw usage('--sealed is about a run and not about a turn: erase it by a call of its own');
  return withJournal(flags, io, async (journal) => {
    const found = journal && (await requireRun(journal.store, named));
    if (journal === undefined || found === undefined) throw unknownRun(named);
    if (sealed.length > 0) return erase(journal, { run: found.run, sealed, by, reason }, { flags, io });
    if (found.turn === undefined) throw usage('Name the turn as well: RUN@TURN');
    const { store } = journal;
    const turn = requireTurn(await turnsOf(store, found.run), found.turn, found.run);
    const request = {
      run: found.run,
      turn,
      blocks,
      response,
      by,
      ...(reason === undefined ? {} : { reason }),
    };
    const forgot = await forgetContent(store, request);
    if (!forgot.ok) {
      const { error } = forgot;
      if (error.code === 'E_FORGET_PART') {
        throw new Failure(
          error.code,
          `Turn ${turn} has no block "${error.part}". It has ${error.known.join(', ')}`,
        );
      }
      throw 'turn' in error
        ? new Failure(error.code, describeTurnError(error), { exit: 1 })
        : journalFailure(error);
    }
    const { blobs } = forgot.value;
    const isScriptLeft = await forgetScript(journal, found.run);
    if (isOn(flags, 'json')) await printJson(io, { run: found.run, turn, deleted: blobs });
    else
      await io.out(
        `Deleted ${count(blobs.length, 'content')} of ${found.run}@${turn}, on request of ${by}\n`,
      );
    if (isScriptLeft) io.err('The run is not over, so its script is kept.\n');
    return 0;
  });
};

interface Erasing {
  readonly run: RunId;
  readonly sealed: readonly string[];
  readonly by: string;
  readonly reason: string | undefined;
}

/** Makes sealed credentials unreadable for good. */
async function erase(
  journal: Journal,
  { run: of, sealed, by, reason }: Erasing,
  { flags, io }: Pick<Call, 'flags' | 'io'>,
): Promise<number> {
  const erased = await eraseSealed(journal.store, {
    run: of,
    by,
    ...(sealed.includes('all') ? {} : { ids: sealed }),
    ...(reason === undefined ? {} : { reason }),
  });
  if (!erased.ok) {
    const { error } = erased;
    if (error.code !== 'E_FORGET_SEALED') throw journalFailure(error);
    const known = error.known.length === 0 ? 'nothing' : error.known.join(', ');
    throw new Failure(error.code, `Nothing is sealed for ${of} as "${error.id}". There is ${known}`);
  }
  const { ids } = erased.value;
  const isScriptLeft = await forgetScript(journal, of);
  if (isOn(flags, 'json')) await printJson(io, { run: of, erased: ids });
  else await io.out(`Erased ${count(ids.length, 'sealed value')} of ${of}, on request of ${by}\n`);
  if (isScriptLeft) io.err('The run is not over, so its script is kept.\n');
  return 0;
}

/** The script of a rehearsed run may hold the same words: it goes when the run is over. True: it is still needed. */
async function forgetScript({ store, home }: Journal, run: RunId): Promise<boolean> {
  const there = await home.exists('runs');
  const summary = (await store.runs()).find((each) => each.run === run);
  if (!there.ok || !there.value || summary === undefined) return false;
  const { readRunNote, removeRunNote } = await import('@cuebook/host');
  if ((await viewRun(store, summary)).status === 'open') {
    const { script, call } = await readRunNote(home, run);
    return script !== undefined || call?.script !== undefined;
  }
  const gone = await removeRunNote(home, run);
  if (!gone.ok) throw new Failure(gone.error.code, gone.error.message, { exit: 3 });
  return false;
}
