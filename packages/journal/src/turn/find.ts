import type { RunId, Store, StoredEvent } from '../contract.js';
import { parseReceipt } from './parse.js';
import { type Ended, isReceiptType, type Recorded, type SentAgain } from './receipt.js';

/** The events of one turn. */
export interface TurnEvents {
  readonly recorded: { readonly event: StoredEvent; readonly data: Recorded };
  readonly sent: readonly { readonly event: StoredEvent; readonly data: SentAgain }[];
  readonly ended?: { readonly event: StoredEvent; readonly data: Ended };
}

/** The events of a turn; undefined when the run has no such turn that can be read. */
export async function findTurn(
  store: Pick<Store, 'read' | 'findCommand'>,
  run: RunId,
  turn: string,
): Promise<TurnEvents | undefined> {
  const from = (await store.findCommand(run, `turn ${turn}`))?.firstSeq;
  const found = emptyTurn();
  // The end is mostly near.
  const events = from === undefined ? eventsOf(store, run) : eventsOf(store, run, from - 1, NEAR);
  for await (const event of events) {
    if (turnOf(event) === turn) addEvent(found, event);
    if (found.ended !== undefined) break;
  }
  const { recorded, sent, ended } = found;
  return recorded && { recorded, sent, ...(ended && { ended }) };
}

type Draft = { -readonly [Key in keyof TurnEvents]?: TurnEvents[Key] | undefined } & {
  sent: Array<TurnEvents['sent'][number]>;
};

const emptyTurn = (): Draft => ({ sent: [] });

function addEvent(turn: Draft, event: StoredEvent): void {
  const receipt = isReceiptType(event.type) ? parseReceipt(event.type, event.data) : undefined;
  if (receipt?.type === 'turn.recorded') turn.recorded ??= { event, data: receipt.data };
  if (receipt?.type === 'turn.sent') turn.sent.push({ event, data: receipt.data });
  if (receipt?.type === 'turn.ended') turn.ended = { event, data: receipt.data };
}

/** The turn that an event is a receipt of. */
export function turnOf({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string | undefined {
  if (!isReceiptType(type) || typeof data !== 'object' || data === null || !('turn' in data))
    return undefined;
  return typeof data.turn === 'string' ? data.turn : undefined;
}

/** All events of a run after a seq, a page at a time. */
export async function* eventsOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  after = 0,
  firstPage = PAGE,
): AsyncIterable<StoredEvent> {
  let seq = after;
  for (let limit = firstPage; ; limit = Math.min(PAGE, limit * 4)) {
    const events = await store.read(run, { after: seq, limit });
    yield* events;
    const last = events.at(-1);
    if (last === undefined || events.length < limit) return;
    seq = last.seq;
    // A store that answers at once would keep everybody else waiting until the whole log is read.
    if (limit === PAGE) await new Promise((resolve) => setImmediate(resolve));
  }
}

const NEAR = 2;
const PAGE = 500;
