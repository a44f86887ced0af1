import { guard } from '@cuebook/guard';

/** The bytes of a stream, or undefined as soon as there are more than `limit`: the rest is not read. */
export async function readBounded(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (guard('objects.read-bound', size > limit)) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}
