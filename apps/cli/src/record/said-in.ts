import { eventsOf, type RunId, type Store, turnOf } from '@cuebook/journal';
import type { Block, JsonValue, Origin, Prompt } from '@cuebook/prompt';
import type { WireDocument } from '@cuebook/prompt/wire';

/** Which turn of a run made which call and gave which answer, by its log. Turns count from 1. */
export interface SaidIn {
  readonly run: RunId;
  /** The ids of the turns in order. */
  readonly turns: readonly string[];
  /** The turn and the call behind an id of the log: of a call, or of a message that a call sent. */
  readonly calls: ReadonlyMap<string, { readonly turn: number; readonly call: string }>;
  /** The turns that answered with a text, oldest first. */
  readonly answers: ReadonlyMap<string, readonly number[]>;
}

/** Reads the log of a run once. */
export async function readSaidIn(store: Store, run: RunId): Promise<SaidIn> {
  const turns = new Map<string, number>();
  const calls = new Map<string, { turn: number; call: string }>();
  const answers = new Map<string, number[]>();
  let settled = 0;
  for await (const event of eventsOf(store, run)) {
    const recorded = event.type === 'turn.recorded' ? turnOf(event) : undefined;
    if (recorded !== undefined && !turns.has(recorded)) turns.set(recorded, turns.size + 1);
    const data = (event.data ?? {}) as Fields;
    if (event.type === 'effect.settled') {
      const turn = turns.get(String(data.id));
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
  return { run, turns: [...turns.keys()], calls, answers };
}

type Fields = { readonly [key: string]: JsonValue | undefined };

/** The text of an outcome or a result. */
function textOf(value: JsonValue | undefined | Fields): string {
  const { output, result } = (value ?? {}) as Fields;
  const { text } = (output ?? result ?? {}) as Fields;
  return typeof text === 'string' ? text.trim() : '';
}

/** Whether words may be an answer or a result of the run: only then is its log looked at. */
export const isSaidInRun = ({ kind, ref, line }: Origin): boolean =>
  line === undefined && (kind === 'result' || kind === 'redaction' || ref.startsWith('envelope '));

/** The turn and the call of words that an earlier turn of the run said or was answered; undefined for other words. */
export function saidOrigin(said: SaidIn, { block, origin, turn, call }: SaidQuestion): Origin | undefined {
  if (!isSaidInRun(origin)) return undefined;
  const named = /^(?:result of|envelope) (\w+)$/.exec(origin.ref)?.[1];
  const id = call ?? block?.callId ?? named;
  const found = id === undefined ? undefined : said.calls.get(id);
  if (found !== undefined && found.turn < turn)
    return resultOf(origin, `${said.run}@${found.turn}#${found.call}`);
  if (block?.role !== 'assistant') return undefined;
  const asked = said.calls.get(block.calls?.[0]?.id ?? '')?.turn;
  const answered = said.answers.get(block.text.trim())?.findLast((each) => each < turn);
  const at = asked ?? answered;
  return at === undefined || at >= turn ? undefined : resultOf(origin, `${said.run}@${at}`);
}

export interface SaidQuestion {
  readonly block: Block | undefined;
  readonly origin: Origin;
  /** The number of the turn that was told the words. */
  readonly turn: number;
  /** The call that the words are of, where they are no text of the block. */
  readonly call?: string | undefined;
}

const resultOf = (origin: Origin, ref: string): Origin =>
  origin.kind === 'redaction' ? { ...origin, via: [{ ref }] } : { kind: 'result', ref };

/** A body whose answers and results name their turn and call. */
export function withSaid(document: WireDocument, prompt: Prompt, said: SaidIn, turn: number): WireDocument {
  const blocks = new Map(prompt.blocks.map((block) => [block.name, block]));
  const spans = document.spans.map((span) => {
    const { part } = span;
    const block = 'block' in part ? blocks.get(part.block) : undefined;
    const call = part.kind === 'call' ? part.id : undefined;
    const origin = block && saidOrigin(said, { block, origin: span.origin, turn, call });
    return origin === undefined ? span : { ...span, origin };
  });
  return { ...document, spans };
}
