import type { RunId, Store } from '../contract.js';
import { parseReceipt } from './parse.js';

/** A turn of a run, and which one it is, from 1. */
export interface LocatedTurn {
  readonly turn: string;
  readonly number: number;
}

type Log = Pick<Store, 'read' | 'head' | 'findCommand'>;

/**
 * The turn that an id, a number from 1 or `last` names, by a few looks into the log however long it is. Undefined when
 * there is none, and for a record of an earlier version, whose receipts have no numbers.
 */
export async function locateTurn(store: Log, run: RunId, named: string): Promise<LocatedTurn | undefined> {
  const byId = await store.findCommand(run, `turn ${named}`);
  if (byId !== undefined) return newestUpTo(store, run, byId.firstSeq);
  const end = (await store.head(run))?.seq ?? 0;
  if (named === 'last') return newestUpTo(store, run, end);
  return /^[1-9]\d{0,8}$/.test(named) ? byNumber(store, run, Number(named), end) : undefined;
}

interface Found extends LocatedTurn {
  readonly seq: number;
}

/**
 * Numbers grow with the log, mostly evenly: each look is where the turn stands if they do, and every other one halves
 * what is left.
 */
async function byNumber(
  store: Log,
  run: RunId,
  number: number,
  end: number,
): Promise<LocatedTurn | undefined> {
  const last = await newestUpTo(store, run, end);
  if (last === undefined || last.number <= number) return last?.number === number ? last : undefined;
  // The wanted turn is behind `low` and in front of `high`.
  let low = { seq: 0, number: 0 };
  let high = { seq: last.seq, number: last.number };
  for (let look = 0; high.seq - low.seq > 1; look += 1) {
    const share = look % 2 === 0 ? (number - low.number) / (high.number - low.number) : 0.5;
    const guess = low.seq + Math.ceil((high.seq - low.seq) * share);
    const at = Math.min(Math.max(guess, low.seq + 1), high.seq - 1);
    const found = await newestUpTo(store, run, at);
    if (found?.number === number) return found;
    if (found !== undefined && found.number > number) high = found;
    else low = { seq: at, number: found?.number ?? 0 };
  }
  return undefined;
}

/** The last turn that was recorded up to a seq. Turns are mostly some events apart. */
async function newestUpTo(store: Log, run: RunId, seq: number): Promise<Found | undefined> {
  let end = seq;
  for (let size = 8; end > 0; size *= 4) {
    const after = Math.max(0, end - size);
    const events = await store.read(run, { after, limit: end - after });
    const event = events.findLast(({ type }) => type === 'turn.recorded');
    if (event !== undefined) {
      const receipt = parseReceipt('turn.recorded', event.data);
      const data = receipt?.type === 'turn.recorded' ? receipt.data : undefined;
      return data?.number === undefined
        ? undefined
        : { turn: data.turn, number: data.number, seq: event.seq };
    }
    end = after;
  }
  return undefined;
}
