import { eventsOf, isReceiptType, type RunId, type Store, turnOf } from '@cuebook/journal';
import type { Block, JsonValue, Origin, Prompt } from '@cuebook/prompt';
import { spanText, type WireDocument } from '@cuebook/prompt/wire';
import { emptyHeld, findHolder, type HeldIn, holdEvent, isHeldInRun } from './held-in.js';

/** Which turn of a run made which call and gave which answer, and what its events hold. Turns count from 1. */
export interface SaidIn {
  readonly run: RunId;
  /** The ids of the turns in order. */
  readonly turns: readonly string[];
  /** The turn and the call behind an id of the log: of a call, or of a message that a call sent. */
  readonly calls: ReadonlyMap<string, { readonly turn: number; readonly call: string }>;
  /** The turns that answered with a text, oldest first. */
  readonly answers: ReadonlyMap<string, readonly number[]>;
  readonly held: HeldIn;
  /** The number of the event that recorded a turn, by the number of the turn less one. */
  readonly recordedAt: readonly number[];
}

/** Reads the log of a run once. */
export async function readSaidIn(store: Store, run: RunId): Promise<SaidIn> {
  const turns = new Map<string, number>();
  const calls = new Map<string, { turn: number; call: string }>();
  const answers = new Map<string, number[]>();
  const held = emptyHeld();
  const recordedAt: number[] = [];
  /** The calls that effects work on. */
  const effects = new Map<string, string>();
  let settled = 0;
  for await (const event of eventsOf(store, run)) {
    const recorded = event.type === 'turn.recorded' ? turnOf(event) : undefined;
    if (recorded !== undefined && !turns.has(recorded)) {
      turns.set(recorded, turns.size + 1);
      recordedAt.push(event.seq);
    }
    if (isReceiptType(event.type)) continue;
    const data = (event.data ?? {}) as Fields;
    const worked = effects.get(String(data.id)) ?? (event.type === 'call.settled' ? String(data.call) : '');
    const saidAt = event.type === 'effect.settled' ? turns.get(String(data.id)) : undefined;
    const called = event.type.endsWith('.settled') ? calls.get(worked) : undefined;
    const at = called ? `@${called.turn}#${called.call}` : saidAt ? `@${saidAt}` : `#${event.seq}`;
    holdEvent(held, event, `${run}${at}`);
    if (event.type === 'effect.intended') {
      const { call } = (data.input ?? {}) as Fields;
      if (typeof call === 'string') effects.set(String(data.id), call);
    }
    if (event.type === 'effect.settled') {
      const turn = saidAt;
      if (turn === undefined) continue;
      settled = turn;
      const text = textOf(data.outcome);
      if (text !== '') answers.set(text, [...(answers.get(text) ?? []), turn]);
    }
    // What an answer asks for is judged in the commit that settles its turn.
    if (event.type.endsWith('.judged') && Array.isArray(data.calls)) {
      for (const each of data.calls as readonly Fields[]) {
        const id = String(each.id);
        if (settled > 0 && !calls.has(id)) calls.set(id, { turn: settled, call: id });
      }
    }
    const sender = event.type === 'call.settled' ? calls.get(String(data.call)) : undefined;
    const sent = sender && /"envelopeId":"(\w+)"/.exec(textOf(data))?.[1];
    if (sender && sent) calls.set(sent, sender);
  }
  return { run, turns: [...turns.keys()], calls, answers, held, recordedAt };
}

type Fields = { readonly [key: string]: JsonValue | undefined };

/** The text of an outcome or a result. */
function textOf(value: JsonValue | undefined | Fields): string {
  const { output, result } = (value ?? {}) as Fields;
  const { text } = (output ?? result ?? {}) as Fields;
  return typeof text === 'string' ? text.trim() : '';
}

/** Whether words may be an answer or a result of the run, or held by one of its events: only then is its log read. */
export const isSaidInRun = (origin: Origin): boolean => isAnswer(origin) || isHeldInRun(origin);

const isAnswer = ({ kind, ref, line }: Origin): boolean =>
  line === undefined && (kind === 'result' || kind === 'redaction' || ref.startsWith('envelope '));

/** The turn, the call or the event of the run that words come from; undefined for other words. */
export function saidOrigin(said: SaidIn, question: SaidQuestion): Origin | undefined {
  const { origin } = question;
  const found = (isAnswer(origin) ? answerRef(said, question) : undefined) ?? heldRef(said, question);
  if (found === undefined) return undefined;
  const { ref, guess } = found;
  const doubt = guess === undefined ? {} : { guess };
  if (origin.kind === 'redaction') return { ...origin, via: [{ ref }], ...doubt };
  return ref.includes('@')
    ? { kind: 'result', ref, ...doubt }
    : { kind: origin.kind, ref, subject: origin.ref, ...doubt };
}

/** What an origin names a turn, a call or an event by, and why it may be another one. */
interface SaidRef {
  readonly ref: string;
  readonly guess?: string | undefined;
}

function answerRef(said: SaidIn, { block, origin, turn, call }: SaidQuestion): SaidRef | undefined {
  const named = /^(?:result of|envelope) (\w+)$/.exec(origin.ref)?.[1];
  const id = call ?? block?.callId ?? named;
  const found = id === undefined ? undefined : said.calls.get(id);
  if (found !== undefined && found.turn < turn) return { ref: `${said.run}@${found.turn}#${found.call}` };
  if (block?.role !== 'assistant') return undefined;
  const asked = said.calls.get(block.calls?.[0]?.id ?? '')?.turn;
  if (asked !== undefined && asked < turn) return { ref: `${said.run}@${asked}` };
  const answered = said.answers.get(block.text.trim())?.filter((each) => each < turn) ?? [];
  const at = answered.at(-1);
  if (at === undefined) return undefined;
  const guess = answered.length > 1 ? `${answered.length} turns answered the same` : undefined;
  return { ref: `${said.run}@${at}`, guess };
}

/** The event that holds words which were handed in, or a fact of the run. */
function heldRef(said: SaidIn, { prompt, block, origin, text, turn }: SaidQuestion): SaidRef | undefined {
  if (!isHeldInRun(origin)) return undefined;
  const later = block === undefined ? [] : prompt.blocks.slice(prompt.blocks.indexOf(block) + 1);
  const repeats = later.filter((each) => each.role === block?.role && each.text === block.text).length;
  const before = said.recordedAt[turn - 1] ?? Number.POSITIVE_INFINITY;
  const holder = findHolder(said.held, { origin, text, before, repeats });
  return holder && { ref: holder.event.ref, guess: holder.guess };
}

export interface SaidQuestion {
  readonly prompt: Pick<Prompt, 'blocks'>;
  readonly block: Block | undefined;
  readonly origin: Origin;
  /** All of the text that has the origin. */
  readonly text: string;
  /** The number of the turn that was told the words. */
  readonly turn: number;
  /** The call that the words are of, where they are no text of the block. */
  readonly call?: string | undefined;
}

/** A body whose answers, results and inputs name their turn, call or event. */
export function withSaid(document: WireDocument, prompt: Prompt, said: SaidIn, turn: number): WireDocument {
  const blocks = new Map(prompt.blocks.map((block) => [block.name, block]));
  const bytes = new TextEncoder().encode(document.text);
  const spans = document.spans.map((span) => {
    const { part, origin } = span;
    const block = 'block' in part ? blocks.get(part.block) : undefined;
    if (block === undefined || !isSaidInRun(origin)) return span;
    const call = part.kind === 'call' ? part.id : undefined;
    const text = part.kind === 'block' ? spanText(bytes, span) : '';
    const found = saidOrigin(said, { prompt, block, origin, text, turn, call });
    return found === undefined ? span : { ...span, origin: found };
  });
  return { ...document, spans };
}
