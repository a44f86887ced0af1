import { gunzipSync, inflateRawSync } from 'node:zlib';
import { guard } from '@cuebook/guard';
import type { Entry, ZipFile } from 'yauzl';
import { type Budget, Unreadable } from './budget.js';

/** A part of an archive: its name and its bytes. */
export interface ArchivePart {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Whether bytes end as a zip archive does. Documents of offices, Java and Android are archives. */
export function isZip(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-66_000);
  return tail.lastIndexOf(END_OF_DIRECTORY) !== -1;
}

const END_OF_DIRECTORY = Buffer.from('PK\u0005\u0006', 'latin1');

/** Every entry of a zip archive, unpacked. */
export async function* zipParts(bytes: Uint8Array, budget: Budget): AsyncIterable<ArchivePart> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Loaded when the first archive is looked into: hardly any command does.
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(buffer, { strictFileNames: false, validateEntrySizes: false });
  if (zip.comment !== '') yield { name: 'comment', bytes: Buffer.from(zip.comment) };
  const listed = new Set<number>();
  for await (const entry of zip.eachEntry()) {
    budget.part();
    await budget.turn();
    listed.add(entry.relativeOffsetOfLocalHeader);
    yield { name: entry.fileName, bytes: Buffer.from(`${entry.fileName}\n${entry.fileComment}`) };
    if (entry.fileName.endsWith('/')) continue;
    if (guard('inside.encrypted', entry.isEncrypted())) throw new Unreadable('encrypted');
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw new Unreadable('packed');
    yield { name: entry.fileName, bytes: await unpack(zip, entry, budget) };
  }
  yield* unlisted(buffer, listed, budget);
}

/** Entries that the directory of the archive leaves out: some programs find them all the same. */
async function* unlisted(
  buffer: Buffer,
  listed: ReadonlySet<number>,
  budget: Budget,
): AsyncIterable<ArchivePart> {
  for (let at = buffer.indexOf(LOCAL); at !== -1; at = buffer.indexOf(LOCAL, at + 4)) {
    if (listed.has(at) || at + 30 > buffer.length) continue;
    budget.part();
    await budget.turn();
    const names = buffer.readUInt16LE(at + 26) + buffer.readUInt16LE(at + 28);
    const data = buffer.subarray(at + 30 + names);
    try {
      const bytes = bounded(() => inflateRawSync(data, { maxOutputLength: budget.room() }));
      budget.take(bytes.length);
      yield { name: 'unlisted', bytes };
    } catch (thrown) {
      // Not packed: it is read as it stands.
      if (thrown instanceof Unreadable && thrown.reason !== 'broken') throw thrown;
    }
  }
}

const LOCAL = Buffer.from('PK\u0003\u0004', 'latin1');

async function unpack(zip: ZipFile, entry: Entry, budget: Budget): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    budget.take((chunk as Buffer).length);
    await budget.turn();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** What a gzip file holds. */
export function gunzip(bytes: Uint8Array, budget: Budget): Uint8Array {
  const unpacked = bounded(() => gunzipSync(bytes, { maxOutputLength: budget.room() }));
  budget.take(unpacked.length);
  return unpacked;
}

/** Runs an inflater whose output is bounded; more output than it may have is a bomb, anything else is broken. */
export function bounded(inflate: () => Uint8Array): Uint8Array {
  try {
    return inflate();
  } catch (thrown) {
    const { code } = thrown as { readonly code?: string };
    throw new Unreadable(code === 'ERR_BUFFER_TOO_LARGE' ? 'bomb' : 'broken');
  }
}

/** Packed in a way that is not opened here: nobody can say what is inside. */
export const isPacked = (bytes: Uint8Array): boolean =>
  PACKED.some((magic) => magic.every((byte, at) => bytes[at] === byte)) || isSkipped(bytes) || isLzh(bytes);

/** Zstandard and LZ4 with something else before it. */
const isSkipped = (bytes: Uint8Array): boolean =>
  (bytes[0] ?? 0) >> 4 === 5 && [0x2a, 0x4d, 0x18].every((byte, at) => bytes[at + 1] === byte);

/** `-lh5-` behind the size of a head. */
const isLzh = (bytes: Uint8Array): boolean =>
  /^-l[hz][0-9a-z]-$/.test(Buffer.from(bytes.subarray(2, 7)).toString('latin1'));

/** 7z, RAR, xz, bzip2, Zstandard, LZ4, lzip, CAB, LZMA, compress, lzop, Snappy, xar, RPM, squashfs, WIM, ARJ. */
const PACKED = [
  '377abcaf271c',
  '526172211a07',
  'fd377a585a00',
  '425a68',
  '28b52ffd',
  '04224d18',
  '4c5a4950',
  '4d534346',
  '5d0000',
  '1f9d',
  '1fa0',
  '894c5a4f',
  'ff060000734e61507059',
  '78617221',
  'edabeedb',
  '68737173',
  '4d5357494d',
  '60ea',
].map((hex) => [...Buffer.from(hex, 'hex')]);
