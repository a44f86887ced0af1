import { RECEIPT_SCHEMAS, type Receipt, type ReceiptType } from './receipt.js';
import { toWords } from './wire/receipt-data.js';

/** The receipt that an event holds; undefined when its data does not fit. */
export function parseReceipt(type: ReceiptType, data: unknown): Receipt | undefined {
  const parsed = RECEIPT_SCHEMAS[type].safeParse(toWords(type, data));
  return parsed.success ? ({ type, data: parsed.data } as Receipt) : undefined;
}
