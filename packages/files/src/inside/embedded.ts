import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { guard } from '@cuebook/guard';
import { type Budget, Unreadable } from './budget.js';

/** Where a stream could begin is looked at so often; bytes with more of it are made for that. */
const MAX_TRIES = 5_000;

/**
 * What streams of zlib and gzip hold that stand somewhere in bytes of no known kind: objects of git, members of an
 * archive, fonts, what a program was built with. What only looks like a stream is passed over.
 */
export async function* embeddedStreams(bytes: Uint8Array, budget: Budget): AsyncIterable<Uint8Array> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let tries = 0;
  for (let at = nextStream(buffer, 0); at !== -1; ) {
    await budget.turn();
    tries += 1;
    if (guard('inside.tries', tries > MAX_TRIES)) throw new Unreadable('bomb');
    const found = unpack(buffer.subarray(at), budget);
    if (found !== undefined) {
      budget.part();
      budget.take(found.bytes.length);
      yield found.bytes;
    }
    at = nextStream(buffer, at + Math.max(1, found?.used ?? 1));
  }
}

/** The next place from `from` on where the head of a stream stands. */
function nextStream(buffer: Buffer, from: number): number {
  for (let at = from; at + 6 < buffer.length; at += 1) {
    const [first, second] = [buffer[at]!, buffer[at + 1]!];
    if (first === 0x1f && second === 0x8b && buffer[at + 2] === 8) return at;
    if (isZlibHead(first, second)) return at;
  }
  return -1;
}

/** Windows of 8 to 32 KB, no dictionary, and the check of the two. */
const isZlibHead = (first: number, second: number): boolean =>
  (first & 0x0f) === 8 &&
  first >= 0x58 &&
  first <= 0x78 &&
  (second & 0x20) === 0 &&
  ((first << 8) | second) % 31 === 0;

export const isZlib = (bytes: Uint8Array): boolean => isZlibHead(bytes[0] ?? 0, bytes[1] ?? 0);

interface Unpacked {
  readonly bytes: Uint8Array;
  /** How many bytes the stream has. */
  readonly used: number;
}

function unpack(data: Buffer, budget: Budget): Unpacked | undefined {
  const inflate = data[0] === 0x1f ? gunzipSync : inflateSync;
  try {
    const options = { maxOutputLength: budget.room(), info: true };
    const { buffer, engine } = inflate(data, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    return { bytes: buffer, used: engine.bytesWritten };
  } catch (thrown) {
    if ((thrown as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new Unreadable('bomb');
    return undefined;
  }
}

/** What the bytes are when they are one stream that has no head: deflate alone, Brotli. Nearly nothing else unpacks so. */
export function* bareStreams(bytes: Uint8Array, budget: Budget): Iterable<Uint8Array> {
  for (const unpack of [inflateRawSync, brotliDecompressSync]) {
    const found = whole(() => unpack(bytes, { maxOutputLength: budget.room() }));
    if (found === undefined || found.length === 0) continue;
    budget.take(found.length);
    yield found;
  }
}

function whole(unpack: () => Uint8Array): Uint8Array | undefined {
  try {
    return unpack();
  } catch (thrown) {
    if ((thrown as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new Unreadable('bomb');
    return undefined;
  }
}

/** Whether something stands in bytes that is packed in a way that is not opened here: a member of an archive, a part of a program. */
export function holdsPacked(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return PACKED_WITHIN.some((magic) => buffer.includes(magic));
}

/** xz, 7z, RAR, bzip2, Snappy: long enough that nothing else has them by chance. */
const PACKED_WITHIN = [
  'fd377a585a00',
  '377abcaf271c',
  '526172211a07',
  '314159265359',
  'ff060000734e61507059',
].map((hex) => Buffer.from(hex, 'hex'));
