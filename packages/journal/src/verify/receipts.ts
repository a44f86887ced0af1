import { guard } from '@cuebook/guard';
import type { Store, StoredEvent } from '../contract.js';
import { turnOf } from '../turn/find.js';
import { fingerprintOf, keysNamed, type PublicKeys } from '../turn/key/key.js';
import { parseReceipt } from '../turn/parse.js';
import { isReceiptType, type Receipt, type ReceiptType } from '../turn/receipt.js';
import { linkOf, type Previous, receiptHash, sealedBy } from '../turn/seal.js';
import { isReceiptData } from '../turn/wire/receipt-data.js';
import type { VerifyProblem } from './problem.js';
import { createPromptCheck, type PromptCheck } from './prompts.js';

/** Whose signatures count, and since when some of them have been replaced: those count in runs that began before. */
export interface ReceiptKeys {
  readonly publicKeys: PublicKeys;
  /** By fingerprint, in milliseconds since the epoch. */
  readonly replaced?: ReadonlyMap<string, number>;
}

/** Checks the receipts of a run, handed in one after the other: link, signature, order, and what each rebuilds. */
export interface ReceiptCheck {
  /** Events come in order; damaged ones may be missing. Other events than receipts only move the chain on. */
  add(event: StoredEvent): Promise<readonly VerifyProblem[]>;
  turns(): number;
  /** Turns without an end. */
  open(): readonly string[];
  readonly prompts: Pick<PromptCheck, 'placeOfBlob' | 'deleted'>;
}

export function createReceiptCheck(store: Pick<Store, 'getBlob'>, keys: ReceiptKeys): ReceiptCheck {
  const prompts = createPromptCheck(store);
  const turns = new Map<string, { ended: boolean }>();
  let link: Link = { seq: 0, after: null, prev: null, isKnown: true, begun: undefined };

  const checkReceipt = async (event: StoredEvent, type: ReceiptType): Promise<readonly VerifyProblem[]> => {
    const receipt = parseReceipt(type, event.data);
    const { seq } = event;
    if (receipt === undefined) {
      const turn = turnOf(event);
      const message = `Event ${seq} is not a receipt that can be read`;
      return [{ code: 'E_VERIFY_CHAIN', message, seq, ...(turn === undefined ? {} : { turn }) }];
    }
    const { turn } = receipt.data;
    const problems: VerifyProblem[] = [];
    const tell: Tell = (code, message, more = {}) => problems.push({ code, message, seq, turn, ...more });
    checkLink(event, receipt, { ...link, begun: link.begun ?? event.at }, keys, tell);
    checkOrder(receipt, turns, tell);
    return [...problems, ...(await prompts.check(seq, receipt))];
  };

  return {
    turns: () => turns.size,
    open: () => [...turns].filter(([, { ended }]) => !ended).map(([turn]) => turn),
    prompts,
    add: async (event) => {
      const { type } = event;
      if (!isReceiptType(type)) {
        link = next(link, event);
        return [];
      }
      const problems = await checkReceipt(event, type);
      const prev = { seq: event.seq, hash: receiptHash(event.data) };
      link = { ...next(link, event), prev, isKnown: true };
      return problems;
    },
  };
}

/** What the next receipt stands on. `isKnown` is false from an event that could not be read to the next receipt. */
interface Link {
  readonly seq: number;
  readonly after: string | null;
  readonly prev: Previous | null;
  readonly isKnown: boolean;
  /** When the run began, once its first event was seen. */
  readonly begun: number | undefined;
}

const next = (link: Link, { seq, hash, at }: StoredEvent): Link => ({
  ...link,
  seq,
  begun: link.begun ?? at,
  after: hash,
  isKnown: link.isKnown && seq === link.seq + 1,
});

type Tell = (code: VerifyProblem['code'], message: string, more?: Pick<VerifyProblem, 'key'>) => unknown;

function checkLink(
  event: StoredEvent,
  { type, data }: Receipt,
  { seq, after, prev, isKnown, begun }: Link,
  keys: ReceiptKeys,
  tell: Tell,
): void {
  const isNext = isKnown && seq === event.seq - 1;
  // Without the events before it nobody can say what it links to; what is missing is told already.
  if (isNext && guard('verify.link', data.prev !== linkOf({ seq: event.seq, prev }))) {
    tell('E_VERIFY_CHAIN', `The receipt of turn ${data.turn} does not link to the receipt before it`);
  }
  const named = keysNamed(keys.publicKeys, data.key);
  if (named.length === 0) {
    tell(
      'E_VERIFY_KEY',
      `The receipt of turn ${data.turn} was signed with key ${data.key}, which is not known here`,
      { key: data.key },
    );
    return;
  }
  if (!isNext) return;
  const standing = { type, run: event.run, seq: event.seq, after, prev };
  const key = isReceiptData(event.data) ? sealedBy(event.data, standing, named) : undefined;
  if (guard('verify.signature', key === undefined)) {
    tell(
      'E_VERIFY_SIGNATURE',
      `The signature of turn ${data.turn} does not fit the receipt and the log before it`,
    );
  }
  const replaced = key && keys.replaced?.get(fingerprintOf(key));
  if (guard('verify.replaced', replaced !== undefined && begun !== undefined && begun > replaced)) {
    const message = `The receipt of turn ${data.turn} was signed with key ${data.key}, replaced before the run began`;
    tell('E_VERIFY_KEY', message, { key: data.key });
  }
}

function checkOrder({ type, data }: Receipt, turns: Map<string, { ended: boolean }>, tell: Tell): void {
  const known = turns.get(data.turn);
  if (type === 'turn.recorded') {
    if (known !== undefined) tell('E_VERIFY_CHAIN', `Turn ${data.turn} is recorded twice`);
    turns.set(data.turn, { ended: false });
    return;
  }
  if (known === undefined) {
    tell('E_VERIFY_CHAIN', `Turn ${data.turn} goes on and was never recorded`);
    return;
  }
  if (known.ended) tell('E_VERIFY_CHAIN', `Turn ${data.turn} goes on after its end`);
  if (type === 'turn.ended') known.ended = true;
}
