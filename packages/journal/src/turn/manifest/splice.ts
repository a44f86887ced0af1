import { commonHead } from '@cuebook/prompt';
import type { BlobPart } from '../shape.js';

/** A text that an earlier receipt keeps, and where. */
export interface KeptText {
  readonly text: string;
  readonly parts: readonly BlobPart[];
}

/** How a text is made of an earlier one: its first bytes, new text, its last bytes. */
export interface Splice {
  readonly head: readonly BlobPart[];
  readonly middle: string;
  readonly tail: readonly BlobPart[];
}

/**
 * What is new in a text against the one it grew from; undefined when storing it whole is as good. Bytes of the
 * two ends are taken over when they save more than their place in the receipt costs.
 */
export function spliceOf(before: KeptText, after: string): Splice | undefined {
  const head = commonHead(before.text, after);
  const tail = commonTail(before.text, after, head);
  const saved = head + tail;
  if (saved < WORTHWHILE) return undefined;
  const total = Buffer.byteLength(before.text);
  const headBytes = Buffer.byteLength(after.slice(0, head));
  const tailBytes = Buffer.byteLength(after.slice(after.length - tail));
  const splice = {
    head: headBytes < WORTHWHILE ? [] : cutParts(before.parts, 0, headBytes),
    middle: after.slice(
      headBytes < WORTHWHILE ? 0 : head,
      after.length - (tailBytes < WORTHWHILE ? 0 : tail),
    ),
    tail: tailBytes < WORTHWHILE ? [] : cutParts(before.parts, total - tailBytes, total),
  };
  const parts = splice.head.length + splice.tail.length;
  return parts === 0 || parts + 1 > MAX_PARTS ? undefined : splice;
}

/** A part of the text costs about sixty bytes in the receipt; this much text costs more, compressed. */
const WORTHWHILE = 256;
/** A text in more parts than this is stored whole again, so that reading one stays cheap. */
export const MAX_PARTS = 32;

/** The parts that hold the bytes from `start` to `end`. */
function cutParts(parts: readonly BlobPart[], start: number, end: number): readonly BlobPart[] {
  const cut: BlobPart[] = [];
  let at = 0;
  for (const [hash, from, length] of parts) {
    const first = Math.max(start, at);
    const last = Math.min(end, at + length);
    if (first < last) cut.push([hash, from + first - at, last - first]);
    at += length;
  }
  return cut;
}

/** Code units that both texts end with, beyond the first `head`, never half a character. */
function commonTail(a: string, b: string, head: number): number {
  const limit = Math.min(a.length, b.length) - head;
  let count = 0;
  while (count < limit && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) {
    count += 1;
  }
  return count > 0 && isLow(b.charCodeAt(b.length - count)) ? count - 1 : count;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
