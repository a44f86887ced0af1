/** The pieces of an output in which each ends with a zero byte. */
export function splitZ(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    if (end === -1) break;
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

/** An input of that form. */
export const joinZ = (parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat(parts.flatMap((part) => [part, ZERO]));

const ZERO = Buffer.of(0);
