import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of an archive made by hand, honest unless told otherwise. */
export interface ZipEntry {
  readonly name: string;
  readonly data?: string | Uint8Array;
  readonly stored?: boolean;
  /** Permission and kind bits, as Unix programs write them. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  /** What the headers say of the unpacked size. */
  readonly claims?: number;
  /** It stands in the archive, and its directory does not say so. */
  readonly unlisted?: boolean;
}

/** A zip archive with exactly these entries, in the order given, whatever they are. */
export function makeZip(entries: readonly ZipEntry[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'utf8');
    const data = Buffer.from(entry.data ?? '');
    const packed = entry.stored === true ? data : deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0x800, 2);
    common.writeUInt16LE(entry.method ?? (entry.stored === true ? 0 : 8), 4);
    common.writeUInt32LE(entry.crc ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.claims ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, name, packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    more.writeUInt32LE(offset, 10);
    if (entry.unlisted !== true)
      directory.push(
        Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), common, more, name]),
      );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
