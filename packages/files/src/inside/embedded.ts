import { gunzipSync, inflateSync } from 'node:zlib';
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
    // Windows of 8 to 32 KB, no dictionary, and the check of the two.
    if ((first & 0x0f) !== 8 || first < 0x58 || first > 0x78 || (second & 0x20) !== 0) continue;
    if (((first << 8) | second) % 31 === 0) return at;
  }
  return -1;
}

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
