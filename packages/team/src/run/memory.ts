import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { Memory, PastTurn } from '../prompt/past.js';
import type { TurnResult } from '../prompt/result.js';
import type { NodeWorkState } from './state.js';

/** A turn that was heard is remembered. */
export function remember(memory: Memory, { turn, cause, taken, outcome, calls }: NodeWorkState): Memory {
  const past: PastTurn = {
    turn,
    cause,
    taken,
    said: outcome?.text ?? '',
    calls: calls.map(({ id, name, input }) => ({ id, name, input })),
  };
  return condense({ ...memory, turns: [...memory.turns, past] }, MEMORY_BYTES);
}

/** In bytes of JSON: about 60,000 tokens, which every model in use holds beside the rest of its prompt. */
export const MEMORY_BYTES = 200_000;

/**
 * Makes a memory fit. First the results of older turns are cut to their beginning, oldest first, then the oldest turns
 * go; the newest is kept, cut if it must be. What is freed reaches a quarter of the room, so that the beginning of
 * the prompt stays the same for several turns.
 */
export function condense(memory: Memory, room: number): Memory {
  const sizes = memory.turns.map(sizeOf);
  let over = sizes.reduce((sum, size) => sum + size, 0) - room;
  if (!guard('memory.room', over > 0)) return memory;
  over += Math.floor(room / 4);
  const turns = [...memory.turns];
  for (let at = 0; at < turns.length && over > 0; at += 1) {
    const before = turns[at] as PastTurn;
    const cut = cutTurn(before, at === turns.length - 1 ? room : CUT);
    over -= sizeOf(before) - sizeOf(cut);
    turns[at] = cut;
  }
  let gone = 0;
  while (over > 0 && gone < turns.length - 1) {
    over -= sizeOf(turns[gone] as PastTurn);
    gone += 1;
  }
  return { turns: turns.slice(gone), forgotten: memory.forgotten + gone };
}

/** Bytes of JSON that a long text or the arguments of a call keep in an older turn. */
const CUT = 400;
/** What stands around each text of a turn. */
const AROUND = 300;

/** Turns do not change: each is measured once, however often the memory grows. */
const SIZES = new WeakMap<PastTurn, number>();

function sizeOf(turn: PastTurn): number {
  const size = SIZES.get(turn) ?? Buffer.byteLength(JSON.stringify(turn));
  SIZES.set(turn, size);
  return size;
}

function cutTurn(turn: PastTurn, room: number): PastTurn {
  const most = Math.max(CUT, Math.floor(room / Math.max(1, textsOf(turn))) - AROUND);
  const cut = (text: string): string => shorten(text, most);
  const { inbox, messages, results } = turn.taken;
  return {
    ...turn,
    said: cut(turn.said),
    calls: turn.calls.map((call) => ({ ...call, input: cutInput(call.input, most) })),
    taken: {
      inbox: inbox.map((envelope) => ({
        ...envelope,
        payload: { ...envelope.payload, message: cut(envelope.payload.message) },
      })),
      messages: messages.map((message) => ({ ...message, text: cut(message.text) })),
      results: results.map((result) => cutResult(result, cut)),
    },
  };
}

const textsOf = ({ taken, calls }: PastTurn): number =>
  1 + calls.length + taken.inbox.length + taken.messages.length + taken.results.length;

const jsonBytes = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value));

/** What the note about a cut costs. */
const NOTE = 100;

/** A text in about so many bytes of JSON, whatever its characters are. */
function shorten(text: string, most: number): string {
  if (text.length <= most / ESCAPED || jsonBytes(text) <= most + NOTE) return text;
  let kept = text.slice(0, most);
  for (let bytes = jsonBytes(kept); bytes > most; bytes = jsonBytes(kept))
    kept = kept.slice(0, Math.floor((kept.length * most) / bytes) - 1);
  return `${kept.toWellFormed()}\n[${text.length - kept.length} more characters are left out here: ask for them again if you need them]`;
}

/** Bytes of the longest escape of a character. */
const ESCAPED = 6;

/** Arguments in about so many bytes: their texts are cut, and what is still too long is left out. */
function cutInput(input: JsonValue, most: number): JsonValue {
  const bytes = jsonBytes(input);
  if (bytes <= most + NOTE) return input;
  const texts = countTexts(input);
  const cut =
    texts > TEXTS
      ? undefined
      : mapTexts(input, (text) => shorten(text, Math.floor(most / Math.max(1, texts))));
  const isLong = cut === undefined || jsonBytes(cut) > most + NOTE * (texts + 1);
  return guard('memory.input', isLong) || cut === undefined ? { leftOut: `${bytes} bytes` } : cut;
}

/** Texts of arguments that are cut; with more, the arguments are left out. */
const TEXTS = 4;

function countTexts(value: JsonValue): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + countTexts(each), 0);
}

function cutResult(result: TurnResult, cut: (text: string) => string): TurnResult {
  switch (result.kind) {
    case 'call':
      return { ...result, result: { ...result.result, text: cut(result.result.text) } };
    case 'verification':
      return { ...result, failure: result.failure === null ? null : cut(result.failure) };
    case 'ending':
      return { ...result, message: cut(result.message) };
    default:
      return result;
  }
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]));
}
