import type { JsonValue } from '@cuebook/prompt';
import type { Ended, ReceiptType, Recorded, SentAgain } from '../receipt.js';
import { endedWire, endedWords } from './ended.js';
import { recordedWire, recordedWords, sentWire, sentWords } from './recorded.js';
import { isObject, type Wire } from './wire.js';

/**
 * The data of a receipt's event: whose turn it is, and the receipt itself by place. The last three places are
 * the link to the receipt before it, the key, and the signature.
 */
export interface ReceiptData {
  readonly turn: string;
  readonly is: Wire;
}

/** A receipt before it is linked and signed. */
export type Unsealed =
  | { readonly type: 'turn.recorded'; readonly body: Omit<Recorded, Link> }
  | { readonly type: 'turn.sent'; readonly body: Omit<SentAgain, Link> }
  | { readonly type: 'turn.ended'; readonly body: Omit<Ended, Link> };

type Link = 'prev' | 'key' | 'sig';

/** The data without its link, key and signature. */
export function toWire({ type, body }: Unsealed): ReceiptData {
  const { turn } = body;
  switch (type) {
    case 'turn.recorded': {
      const { turn: _turn, ...rest } = body;
      return { turn, is: recordedWire(rest) };
    }
    case 'turn.sent':
      return { turn, is: sentWire(body.sent) };
    case 'turn.ended': {
      const { turn: _turn, ...rest } = body;
      return { turn, is: endedWire(rest) };
    }
  }
}

/** What an event's data says, in words; undefined when it has not the form. A schema looks at the words next. */
export function toWords(type: ReceiptType, data: unknown): object | undefined {
  if (!isReceiptData(data)) return undefined;
  const said = data.is.slice(0, -3);
  const [prev, key, sig] = data.is.slice(-3);
  return { ...words(type, said), turn: data.turn, prev, key, sig };
}

export function isReceiptData(data: unknown): data is ReceiptData & JsonValue {
  return (
    isObject(data) &&
    typeof data.turn === 'string' &&
    Array.isArray(data.is) &&
    Object.keys(data).length === 2
  );
}

function words(type: ReceiptType, said: Wire): object {
  switch (type) {
    case 'turn.recorded':
      return recordedWords(said);
    case 'turn.sent':
      return { sent: sentWords(said) };
    case 'turn.ended':
      return endedWords(said);
  }
}
