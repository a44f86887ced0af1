import type { KeyObject } from 'node:crypto';
import type { JsonValue } from '@cuebook/prompt';
import { noteSpelling } from '../canonical-json.js';
import { canonical } from './canonical.js';
import { shortDigest } from './digest.js';
import { isSigned, type Signer } from './key/key.js';
import type { ReceiptType } from './receipt.js';
import { type ReceiptData, toWire, type Unsealed } from './wire/receipt-data.js';

/** Where in which log a receipt stands. All of it is signed; the receipt itself keeps only its link. */
export interface ReceiptStanding {
  readonly type: ReceiptType;
  readonly run: string;
  readonly seq: number;
  /** The hash of the event before it, `null` for the first: the signature so vouches for all of the log so far. */
  readonly after: string | null;
  readonly prev: Previous | null;
}

/** The run's receipt before. */
export interface Previous {
  readonly seq: number;
  readonly hash: string;
}

/**
 * How a receipt links to the one before it: by its hash, or with 1 when that is the very event before, whose hash
 * is signed in any case; 0 for the first.
 */
export function linkOf({ seq, prev }: Pick<ReceiptStanding, 'seq' | 'prev'>): string | 0 | 1 {
  if (prev === null) return 0;
  return prev.seq === seq - 1 ? 1 : prev.hash;
}

/** The data of a receipt's event, with its link, key and signature. It is spelled once, and never changed. */
export function seal(receipt: Unsealed, standing: ReceiptStanding, signer: Signer): ReceiptData {
  const { turn, is } = toWire(receipt);
  const open = [...is, linkOf(standing), signer.keyId];
  const [name, words] = [canonical(turn), canonical(open as unknown as JsonValue)];
  const sig = signer.sign(signedText(dataText(name, words), standing));
  const data = { turn, is: [...open, sig] };
  noteSpelling(data, dataText(name, `${words.slice(0, -1)},${canonical(sig)}]`));
  return data;
}

/** How the data of a receipt is spelled, whose turn and words are. */
const dataText = (turn: string, is: string): string => `{"is":${is},"turn":${turn}}`;

/** The key of these that signed this receipt at this place of this log. */
export function sealedBy(
  { turn, is }: ReceiptData,
  standing: ReceiptStanding,
  keys: readonly KeyObject[],
): KeyObject | undefined {
  const sig = is.at(-1);
  const open = canonical({ turn, is: is.slice(0, -1) } as unknown as JsonValue);
  const text = signedText(open, standing);
  return typeof sig === 'string' ? keys.find((key) => isSigned(text, sig, key)) : undefined;
}

/** What the next receipt of the run links to: the sha256 of this one, signature included. */
export const receiptHash = (data: JsonValue): string => shortDigest(canonical(data));

const signedText = (open: string, { type, run, seq, after, prev }: ReceiptStanding): string => {
  const [behind, link] = [after, prev?.hash ?? null].map(canonical);
  return `cuebook receipt 1\n{"after":${behind},"data":${open},"prev":${link},"run":${canonical(run)},"seq":${seq},"type":${canonical(type)}}`;
};
