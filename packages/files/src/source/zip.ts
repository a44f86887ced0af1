import { crc32 } from 'node:zlib';
import { guard } from '@cuebook/guard';
import type { Entry, ZipFile } from 'yauzl';
import { memorySource } from './memory.js';
import type { TextSource } from './source.js';

/** Why an archive is refused. Its own names are never told: whoever made it chose them. */
export interface ArchiveError {
  readonly code: 'E_ARCHIVE';
  readonly reason: ArchiveReason;
}

export type ArchiveReason =
  | 'malformed'
  | 'encrypted'
  | 'method'
  | 'name'
  | 'duplicate'
  | 'link'
  | 'many'
  | 'large'
  | 'ratio'
  | 'checksum';

export type ArchiveResult =
  | { readonly ok: true; readonly value: TextSource }
  | { readonly ok: false; readonly error: ArchiveError };

export interface ZipLimits {
  /** Entries, directories included; 5,000 by default. */
  readonly entries?: number;
  /** Bytes of all files together, unpacked; 32 MiB by default. */
  readonly bytes?: number;
  /** Unpacked bytes for each packed byte, over the whole archive; 200 by default. Small archives are exempt. */
  readonly ratio?: number;
}

/** One sentence for people and agents. */
export const describeArchiveError = ({ reason }: ArchiveError): string =>
  `The archive is refused: ${REASONS[reason]}.`;

/**
 * The texts of a zip archive, unpacked in memory and checked before anything of it is given out. An archive
 * inside it is bytes like any others. Nothing throws, and no archive takes more time or memory than the limits.
 */
export async function zipSource(bytes: Uint8Array, limits: ZipLimits = {}): Promise<ArchiveResult> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // Loaded when the first archive is opened: hardly any command does.
    const { fromBufferPromise } = await import('yauzl');
    const zip = await fromBufferPromise(buffer, { strictFileNames: true });
    return await readAll(zip, bytes.length, limits);
  } catch (thrown) {
    return refuse(thrown instanceof Refused ? thrown.reason : 'malformed');
  }
}

/** Carries a reason out of a stream. */
class Refused extends Error {
  readonly reason: ArchiveReason;
  constructor(reason: ArchiveReason) {
    super(reason);
    this.reason = reason;
  }
}

const refuse = (reason: ArchiveReason): ArchiveResult => ({
  ok: false,
  error: { code: 'E_ARCHIVE', reason },
});

const MAX_ENTRIES = 5000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_RATIO = 200;
/** A page of zeros packs very well and harms nobody. */
const RATIO_FROM = 1024 * 1024;

async function readAll(zip: ZipFile, packed: number, limits: ZipLimits): Promise<ArchiveResult> {
  const { entries: maxEntries = MAX_ENTRIES, bytes: maxBytes = MAX_BYTES, ratio = MAX_RATIO } = limits;
  if (guard('zip.many', zip.entryCount > maxEntries)) return refuse('many');
  const files = new Map<string, Uint8Array>();
  const names = new Set<string>();
  let total = 0;
  let count = 0;
  /** Called before bytes are kept, so that no bomb is ever whole in memory. */
  const take = (size: number): void => {
    total += size;
    if (guard('zip.large', total > maxBytes)) throw new Refused('large');
    if (guard('zip.ratio', total > RATIO_FROM && total > packed * ratio)) throw new Refused('ratio');
  };
  for await (const entry of zip.eachEntry()) {
    count += 1;
    if (guard('zip.many', count > maxEntries)) throw new Refused('many');
    const reason = refuseEntry(entry, names);
    if (reason !== undefined) return refuse(reason);
    if (entry.fileName.endsWith('/')) continue;
    files.set(entry.fileName, await unpack(zip, entry, take));
  }
  return toSource(files);
}

function refuseEntry(entry: Entry, names: Set<string>): ArchiveReason | undefined {
  const { fileName } = entry;
  if (guard('zip.encrypted', entry.isEncrypted())) return 'encrypted';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) return 'method';
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (guard('zip.link', kind !== 0 && kind !== 0o100000 && kind !== 0o040000)) return 'link';
  // One name on a disk that ignores letter case or Unicode form is one name here.
  const folded = fileName.replace(/\/+$/, '').normalize('NFC').toLowerCase();
  if (guard('zip.duplicate', names.has(folded))) return 'duplicate';
  names.add(folded);
  return undefined;
}

async function unpack(zip: ZipFile, entry: Entry, take: (size: number) => void): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    take((chunk as Buffer).length);
    chunks.push(chunk as Buffer);
  }
  const whole = Buffer.concat(chunks);
  if (guard('zip.checksum', crc32(whole) !== entry.crc32)) throw new Refused('checksum');
  return whole;
}

/** The rules for names are those of every source: `..`, absolute names and the like are refused. */
function toSource(files: ReadonlyMap<string, Uint8Array>): ArchiveResult {
  // The tree in memory holds the names alone.
  const source = memorySource(Object.fromEntries([...files.keys()].map((name) => [name, ''])));
  if (!source.ok) return refuse('name');
  const tree = source.value;
  const byPath = new Map([...files].map(([name, bytes]) => [cleaned(tree, name), bytes]));
  const readBytes: TextSource['readBytes'] = async (path) => {
    const found = await tree.readText(path);
    if (!found.ok) return found;
    return { ok: true, value: Uint8Array.from(byPath.get(cleaned(tree, path)) ?? []) };
  };
  return {
    ok: true,
    value: {
      ...tree,
      readBytes,
      readText: async (path) => {
        const bytes = await readBytes(path);
        if (!bytes.ok) return bytes;
        try {
          return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes.value) };
        } catch {
          return { ok: false, error: { code: 'E_NOT_UTF8', path: cleaned(tree, path), offset: 0 } };
        }
      },
    },
  };
}

function cleaned(source: TextSource, name: string): string {
  const clean = source.clean(name);
  return clean.ok ? clean.value : name;
}

const REASONS: Readonly<Record<ArchiveReason, string>> = {
  malformed: 'it is no zip archive, or it is broken',
  encrypted: 'it is encrypted',
  method: 'it is packed in a way that is not supported',
  name: 'a name in it is absolute, climbs out, or cannot be a path',
  duplicate: 'two entries have one name',
  link: 'it holds a link or a device',
  many: 'it holds too many entries',
  large: 'it is too large when unpacked',
  ratio: 'it unpacks to far more than it is',
  checksum: 'a checksum does not fit, so it was changed or damaged',
};
