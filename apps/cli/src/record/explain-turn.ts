import { openFolder } from '@cuebook/files';
import { type KeptFile, openKeptFiles } from '@cuebook/host';
import { eventsOf, type RebuiltTurn, type RunId } from '@cuebook/journal';
import type { Origin } from '@cuebook/prompt';
import { commandLine } from '@cuebook/prompt/hint';
import { lineThen, wordsFrom } from '@cuebook/workspace/history';
import type { Call } from '../command.js';
import { answerAt, type Explained } from '../commands/explain.js';
import { askGit } from '../git/git.js';
import { typed } from '../hint/typed.js';
import type { ExplainAnswer, NamedEvent } from '../output/explanation-text.js';
import { sha256 } from '../project/hash.js';
import { homeFolder } from '../project/home.js';
import { chainOf } from './chain.js';
import { timeText } from './event-text.js';
import { whoCaused } from './held-in.js';
import { withJournal } from './journal.js';
import { requireRecorded, requireSaid } from './recorded-turn.js';
import { isSaidInRun, saidOrigin } from './said-in.js';
import { stamped } from './stamped.js';

/**
 * Where the words of a turn on record came from: the place is that of the time, and where the file has changed since,
 * both lines are told.
 */
export async function explainTurn(call: Call, name: string): Promise<Explained> {
  const { turn, folder, name: whole, number } = await requireRecorded(call, name);
  const { prompt } = turn.request;
  const { answer, words, text } = answerAt(call, whole, prompt);
  if (!isSaidInRun(answer.origin)) return asOfThen({ answer, words, turn, folder, call });
  const { said } = await requireSaid(call, name);
  const block = prompt.blocks.find((each) => each.name === answer.block);
  const origin =
    saidOrigin(said, { prompt, block, origin: answer.origin, text, turn: number }) ?? answer.origin;
  return asOfThen({ answer: { ...answer, origin }, words, turn, folder, call });
}

export interface ThenAnswer {
  readonly answer: ExplainAnswer;
  /** The words from the place on. */
  readonly words: string;
  readonly turn: RebuiltTurn;
  readonly folder: string;
  readonly call: Call;
}

/**
 * An answer about a turn on record: with the line as it was then and the commit to blame it in, or, for words that were
 * said in the run, what they were said to.
 */
export async function asOfThen({ words, turn, folder, call, ...given }: ThenAnswer): Promise<Explained> {
  const { trust } = given.answer;
  const origin = stamped(given.answer.origin, turn);
  const answer = { ...given.answer, origin };
  const record = { run: turn.run, turn: turn.turn, lane: turn.lane, at: timeText(turn.at) };
  const isFile = origin.kind === 'file' || origin.kind === 'value';
  if (!isFile || origin.line === undefined || answer.secrecy !== 'public') {
    const chain = await chainOf(call, { origin, trust, words });
    const event = await findEvent(call, (chain.at(-1)?.origin ?? origin).ref);
    return {
      folder,
      answer: { ...answer, record, ...(chain.length > 0 && { chain }), ...(event && { event }) },
    };
  }
  const { ref, line } = origin;
  const now = await readNow(folder, ref, call.io);
  const told = wordsFrom(turn.request.prompt, ref);
  const source = await lineThen({
    git: askGit(folder),
    ref,
    line,
    words: told,
    decoded: words,
    at: turn.at,
    now,
    kept: await keptFile(call, turn, origin),
  });
  return {
    folder,
    revision: source?.commit,
    isLost: source === undefined || (source.commit === undefined && source.now !== undefined),
    answer: { ...answer, record: { ...record, ...(source === undefined ? {} : { source }) } },
  };
}

/** The file of a place as the run had it in a turn; undefined where the run has read another one since. */
async function keptFile(
  call: Call,
  { run, turn }: Pick<RebuiltTurn, 'run' | 'turn'>,
  { ref, hash }: Origin,
): Promise<KeptFile | undefined> {
  let found: KeptFile | undefined;
  await withJournal(call.flags, call.io, async (journal) => {
    if (journal !== undefined) found = (await openKeptFiles(journal.store, run as RunId, turn))(ref, hash);
    return 0;
  });
  const isOther = found !== undefined && hash !== undefined && sha256(found.text) !== hash;
  return isOther ? undefined : found;
}

/** The event that `RUN#SEQ` names. */
async function findEvent(call: Call, ref: string): Promise<NamedEvent | undefined> {
  const [, run, seq] = /^(\w+)#(\d+)$/.exec(ref) ?? [];
  if (run === undefined) return undefined;
  let found: NamedEvent | undefined;
  await withJournal(call.flags, call.io, async (journal) => {
    const events = journal === undefined ? [] : eventsOf(journal.store, run as RunId, Number(seq) - 1);
    for await (const event of events) {
      const by = whoCaused(event);
      const opens = typed(call.io, commandLine`log ${ref}`);
      found = { name: ref, type: event.type, at: timeText(event.at), ...(by !== undefined && { by }), opens };
      break;
    }
    return 0;
  });
  return found;
}

/** The record may name any path: it is read as a package may read. */
async function readNow(folder: string, ref: string, io: Call['io']): Promise<string | undefined> {
  const withhold = { from: 'agent', home: homeFolder(folder, io) } as const;
  const files = await openFolder(folder, { access: 'ro', withhold });
  const read = files.ok ? await files.value.readText(ref) : undefined;
  return read?.ok ? read.value : undefined;
}
