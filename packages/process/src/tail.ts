/** The last `maxBytes` of a stream of bytes, as text that begins at a whole character. */
export interface Tail {
  add(chunk: Uint8Array): void;
  text(): string;
}

export function createTail(maxBytes: number): Tail {
  let kept = Buffer.alloc(0);
  return {
    add(chunk) {
      kept = Buffer.concat([kept, chunk.subarray(-maxBytes)]).subarray(-maxBytes);
    },
    text() {
      let start = 0;
      while (start < Math.min(3, kept.length) && isContinuation(kept[start])) start += 1;
      return kept.subarray(start).toString('utf8');
    },
  };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
