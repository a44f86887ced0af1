import type { Block, Media } from '@cuebook/prompt';
import type { Store } from '../../contract.js';
import { JournalFailure } from '../../error.js';
import { longHash, shortDigest } from '../digest.js';
import type { MediaRow } from '../shape.js';
import type { ReadPacked } from './decode.js';
import type { ManifestBlock } from './manifest.js';
import { UnreadableReceipt } from './unreadable.js';

/** Reads blobs by short hash and keeps the last ones. The store has checked that each is what its name says. */
export interface BlobReader {
  /** Throws `Unreadable` when the blob is missing, deleted or changed. */
  bytes(hash: string): Promise<Uint8Array>;
  readonly packed: ReadPacked;
}

/** A reader that remembers up to `limit` bytes, so that turns that share blocks read them once. */
export function blobReader(store: Pick<Store, 'getBlob'>, limit = 64 * 1024 * 1024): BlobReader {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  const bytes = async (hash: string): Promise<Uint8Array> => {
    const known = kept.get(hash);
    if (known !== undefined) return known;
    const found = await store.getBlob(longHash(hash)).catch(asUnreadable);
    if (found === undefined) throw new UnreadableReceipt(`blob ${longHash(hash)} is missing`);
    if (found === 'deleted') {
      throw new UnreadableReceipt(`the content of blob ${longHash(hash)} was deleted on request`, hash);
    }
    kept.set(hash, found);
    size += found.length;
    for (const [name, { length }] of kept) {
      if (size <= limit) break;
      kept.delete(name);
      size -= length;
    }
    return found;
  };
  return { bytes, packed: async (hash) => Buffer.from(await bytes(hash)).toString() };
}

/** A store that finds its own row damaged says so; here that is one more way not to be readable. */
function asUnreadable(error: unknown): never {
  if (!(error instanceof JournalFailure) || error.error.code !== 'E_JOURNAL_CORRUPT') throw error;
  throw new UnreadableReceipt(`${error.error.what} was changed`);
}

/** The text of a block from its parts. Throws `Unreadable` when it is not the text that the receipt names. */
export async function readText(block: ManifestBlock, reader: BlobReader): Promise<string> {
  const slices: Uint8Array[] = [];
  for (const [hash, start, length] of block.parts) {
    const bytes = await reader.bytes(hash);
    if (start + length > bytes.length)
      throw new UnreadableReceipt(`block ${block.name} is longer than what it is made of`);
    slices.push(start === 0 && length === bytes.length ? bytes : bytes.subarray(start, start + length));
  }
  const whole = slices.length === 1 ? (slices[0] as Uint8Array) : Buffer.concat(slices);
  // A whole blob under the block's own name was checked under that name.
  const isChecked = block.parts.length === 1 && block.parts[0]?.[0] === block.hash && slices[0] === whole;
  if (!isChecked && shortDigest(whole) !== block.hash)
    throw new UnreadableReceipt(`the hash of block ${block.name} is wrong`);
  if (whole.length !== (block.spans.at(-1)?.end ?? 0)) {
    throw new UnreadableReceipt(`the spans of block ${block.name} do not cover its text`);
  }
  return Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString();
}

/** The block as it was composed. */
export async function readBlock(block: ManifestBlock, reader: BlobReader): Promise<Block> {
  const { name, role, spans, calls, callId } = block;
  const text = await readText(block, reader);
  const media = block.media && (await Promise.all(block.media.map((each) => readMedia(each, reader))));
  return {
    name,
    role,
    text,
    spans,
    hash: longHash(block.hash),
    ...(calls && { calls }),
    ...(callId === undefined ? {} : { callId }),
    ...(media && { media }),
  };
}

async function readMedia({ type, hash, raw }: MediaRow, reader: BlobReader): Promise<Media> {
  const bytes = Buffer.from(await reader.bytes(hash));
  return { type, data: bytes.toString(raw === true ? 'utf8' : 'base64') };
}
