import { guard } from '@cuebook/guard';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';

/** As much as any file may have. */
export const STDIN_LIMIT = 16 * 1024 * 1024;

/** All of standard input as text: strict UTF-8, of bounded size. */
export async function readStdin(io: Pick<Io, 'stdin'>, limit: number = STDIN_LIMIT): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    size += chunk.length;
    if (guard('stdin.limit', size > limit)) {
      throw new Failure('E_FILE_TOO_LARGE', `Too large: standard input has more than ${limit} bytes.`);
    }
    chunks.push(chunk);
  }
  const text = decodeUtf8(Buffer.concat(chunks));
  if (text !== undefined) return text;
  throw new Failure('E_NOT_UTF8', 'Not UTF-8 text: standard input holds bytes that are no characters.');
}

/** The text of the bytes, or undefined when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // Decoding replaces what is not UTF-8, so text that encodes to other bytes was not.
  const isLossy = text.includes('\ufffd') && Buffer.compare(Buffer.from(text), bytes) !== 0;
  return guard('stdin.utf8', isLossy) ? undefined : text;
}
