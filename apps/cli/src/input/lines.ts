import { guard } from '@cuebook/guard';

/** A line of a stream without its break; undefined when it is longer than the limit, and then not kept. */
export type LineBytes = Uint8Array | undefined;

/** The lines of a stream, in memory one at a time. A last line without a break counts. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>, limit: number): AsyncIterable<LineBytes> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array): void => {
    size += part.length;
    if (guard('line.limit', size > limit)) parts = [];
    else parts.push(part);
  };
  const finish = (): LineBytes => {
    const line = guard('line.limit', size > limit) ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (size > 0) yield finish();
}
