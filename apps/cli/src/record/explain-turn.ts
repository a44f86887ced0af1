import { openFolder } from '@cuebook/files';
import type { RebuiltTurn } from '@cuebook/journal';
import type { Call } from '../command.js';
import { answerAt, type Explained } from '../commands/explain.js';
import { lineThen } from '../git/line-then.js';
import type { ExplainAnswer } from '../output/explanation-text.js';
import { homeFolder } from '../project/home.js';
import { timeText } from './event-text.js';
import { requireRecorded } from './recorded-turn.js';
import { wordsOf } from './told-words.js';

/**
 * Where the words of a turn on record came from: the place is that of the time, and where the file has changed since,
 * both lines are told.
 */
export async function explainTurn(call: Call, name: string): Promise<Explained> {
  const { turn, folder, name: whole } = await requireRecorded(call, name);
  const { answer, words } = answerAt(call, whole, turn.request.prompt);
  return asOfThen({ answer, words, turn, folder, io: call.io });
}

export interface ThenAnswer {
  readonly answer: ExplainAnswer;
  /** The words from the place on. */
  readonly words: string;
  readonly turn: RebuiltTurn;
  readonly folder: string;
  readonly io: Call['io'];
}

/** An answer about a turn on record, with the line as it was then, and the commit to blame it in. */
export async function asOfThen({ answer, words, turn, folder, io }: ThenAnswer): Promise<Explained> {
  const { origin } = answer;
  const record = { run: turn.run, turn: turn.turn, lane: turn.lane, at: timeText(turn.at) };
  const isFile = origin.kind === 'file' || origin.kind === 'value';
  if (!isFile || origin.line === undefined || answer.secrecy !== 'public') {
    return { folder, answer: { ...answer, record } };
  }
  const { ref, line } = origin;
  const now = await readNow(folder, ref, io);
  const told = wordsOf(turn.request.prompt, ref);
  const source = await lineThen({ folder, ref, line, words: told, decoded: words, at: turn.at, now });
  return {
    folder,
    revision: source?.commit,
    isLost: source === undefined,
    answer: { ...answer, record: { ...record, ...(source === undefined ? {} : { source }) } },
  };
}

/** The record may name any path: it is read as a package may read. */
async function readNow(folder: string, ref: string, io: Call['io']): Promise<string | undefined> {
  const withhold = { from: 'agent', home: homeFolder(folder, io) } as const;
  const files = await openFolder(folder, { access: 'ro', withhold });
  const read = files.ok ? await files.value.readText(ref) : undefined;
  return read?.ok ? read.value : undefined;
}
