import { type ConversationMessage, condenseHistory, type SizedMessage } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { BlockInput } from '@cuebook/prompt';
import { ofRun } from '../../compose/labels.js';
import { TEXTS } from '../../shipped-texts.js';
import { clip } from '../../tool/clip.js';
import { clipResult, keepResult } from '../../tool/keep.js';
import { type HistoryOptions, messageBlock, resultText } from './blocks.js';

/** The history of a run as blocks, each in the place of its message; undefined where one is left out. */
export interface ToldHistory {
  readonly blocks: readonly (BlockInput | undefined)[];
  /** What stands for the messages that are left out. */
  readonly note?: BlockInput;
}

export interface TellOptions extends HistoryOptions {
  /** Where results are kept that are told by reference; left out in a conversation. */
  readonly keeper: Files | undefined;
  /** Bytes that the history may have. */
  readonly room: number;
}

/** What a reference costs at most: its beginning, its place and a hint. */
const REFERENCE = 800;
/** What a call costs at most, beside its arguments. */
const CALL = 400;
/** Role, name and id around the words of a block. */
const FRAME = 100;

/** Bytes of a block as it is sent. */
export const blockBytes = ({ pieces, calls }: BlockInput): number =>
  pieces.reduce((sum, { text }) => sum + Buffer.byteLength(text), FRAME) +
  (calls === undefined ? 0 : Buffer.byteLength(JSON.stringify(calls)));

/** Tells a history so that it fits its room; undefined when not even the newest message does. The record keeps all. */
export async function tellHistory(
  history: readonly ConversationMessage[],
  options: TellOptions,
): Promise<ToldHistory | undefined> {
  const whole = history.map((message, index) => messageBlock(message, index, options));
  const sized = history.map((message, index) => sizeOf(message, blockBytes(whole[index] as BlockInput)));
  const plan = condenseHistory(sized, options.room);
  if (plan === undefined) return undefined;
  const blocks: (BlockInput | undefined)[] = [];
  for (const [index, as] of plan.entries()) {
    const message = history[index] as ConversationMessage;
    if (as.kind === 'left-out') blocks.push(undefined);
    else if (as.kind === 'reference' && message.role === 'tool')
      blocks.push(await referTo(message, index, options));
    else if (as.kind === 'clipped') blocks.push(await cutTo(message, index, as.bytes, options));
    else blocks.push(whole[index]);
  }
  const count = plan.filter(({ kind }) => kind === 'left-out').length;
  return count === 0 ? { blocks } : { blocks, note: noteOf(count) };
}

function sizeOf(message: ConversationMessage, whole: number): SizedMessage {
  const { role } = message;
  if (role === 'tool') return { role, whole, reference: REFERENCE };
  if (role === 'user') return { role, whole, isPerson: message.by !== 'cuebook' };
  return { role, whole, least: 2 * FRAME + message.calls.length * CALL };
}

const noteOf = (count: number): BlockInput => ({
  name: 'left out',
  role: 'user',
  pieces: TEXTS.fill(
    'turn.md#history.left-out',
    { count: ofRun('messages left out', String(count), 'session') },
    'session',
  ),
});

type ResultMessage = Extract<ConversationMessage, { role: 'tool' }>;

async function referTo(message: ResultMessage, index: number, options: TellOptions): Promise<BlockInput> {
  const text = resultText(message, options);
  const told = await keepResult(text, message.name, options.keeper);
  return asResult(message, index, JSON.stringify(told), options);
}

const asResult = (message: ResultMessage, index: number, text: string, options: TellOptions): BlockInput =>
  messageBlock({ ...message, text }, index, { ...options, codeOf: () => undefined });

/** A message in no more than so many bytes, with a word on how much there is. */
async function cutTo(
  message: ConversationMessage,
  index: number,
  bytes: number,
  options: TellOptions,
): Promise<BlockInput> {
  const make = await cutter(message, index, options);
  let room = bytes;
  let block = make(room);
  // Escapes make a text longer than it is: the room for it shrinks until the block fits.
  while (blockBytes(block) > bytes && room > 0) {
    room = Math.max(0, Math.floor((room * bytes) / blockBytes(block)) - 32);
    block = make(room);
  }
  return block;
}

async function cutter(
  message: ConversationMessage,
  index: number,
  options: TellOptions,
): Promise<(room: number) => BlockInput> {
  if (message.role === 'tool') {
    const text = resultText(message, options);
    const kept = await keepResult(text, message.name, options.keeper);
    return (room) => asResult(message, index, JSON.stringify(clipResult(text, kept, room)), options);
  }
  const cut = (room: number): string => {
    const total = Buffer.byteLength(message.text);
    const words = clip(message.text, room);
    return words === message.text ? words : `${words}\n(cut here: ${total} bytes in all)`;
  };
  if (message.role === 'user') return (room) => messageBlock({ ...message, text: cut(room) }, index, options);
  return (room) => {
    const calls = message.calls.map((call) => {
      const size = Buffer.byteLength(JSON.stringify(call.input));
      return size <= CALL / 4 ? call : { ...call, input: { leftOut: `${size} bytes` } };
    });
    const told = { ...message, text: cut(room), calls };
    return messageBlock(told, index, options);
  };
}
