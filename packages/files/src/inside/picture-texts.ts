import { inflateSync } from 'node:zlib';
import { bounded } from './archive-texts.js';
import type { Budget } from './budget.js';

export const isPng = (bytes: Uint8Array): boolean => startsWith(bytes, '89504e470d0a1a0a');
export const isGif = (bytes: Uint8Array): boolean => startsWith(bytes, '474946383');

const startsWith = (bytes: Uint8Array, hex: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(16, bytes.byteLength)).toString('hex').startsWith(hex);

/** The texts of a PNG that are packed: `zTXt`, `iTXt`, colour profiles. Those that are not are read as they stand. */
export function pngTexts(bytes: Uint8Array, budget: Budget): readonly Uint8Array[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: Uint8Array[] = [];
  for (let at = 8; at + 12 <= buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    const type = buffer.toString('latin1', at + 4, at + 8);
    const data = buffer.subarray(at + 8, at + 8 + length);
    budget.part();
    if (type === 'zTXt' || type === 'iCCP') texts.push(...inflated(data, data.indexOf(0) + 2, budget));
    if (type === 'iTXt') texts.push(...internationalText(data, budget));
    at += 12 + length;
  }
  return texts;
}

/** Keyword, a zero, whether it is packed, how, language, a zero, translated keyword, a zero, the text. */
function internationalText(data: Buffer, budget: Budget): readonly Uint8Array[] {
  const flag = data.indexOf(0) + 1;
  const language = data.indexOf(0, flag + 2);
  const keyword = language === -1 ? -1 : data.indexOf(0, language + 1);
  return data[flag] === 1 && keyword !== -1 ? inflated(data, keyword + 1, budget) : [];
}

/** A profile that does not unpack holds no text: pictures with broken chunks are shown all the same. */
function inflated(data: Buffer, from: number, budget: Budget): readonly Uint8Array[] {
  if (from < 2 || from >= data.length) return [];
  try {
    const text = bounded(() => inflateSync(data.subarray(from), { maxOutputLength: budget.room() }));
    budget.take(text.length);
    return [text];
  } catch (thrown) {
    if ((thrown as { readonly reason?: string }).reason === 'broken') return [];
    throw thrown;
  }
}

/** Comments and application data of a GIF, whose blocks cut a text every 255 bytes. */
export function gifTexts(bytes: Uint8Array): readonly Uint8Array[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: Uint8Array[] = [];
  for (
    let at = buffer.indexOf(0x21);
    at !== -1 && at + 3 < buffer.length;
    at = buffer.indexOf(0x21, at + 1)
  ) {
    const label = buffer[at + 1];
    if (label !== 0xfe && label !== 0xff && label !== 0x01) continue;
    const blocks: Buffer[] = [];
    for (let block = at + 2; block < Math.min(buffer.length, at + MAX_COMMENT); ) {
      const size = buffer[block] ?? 0;
      if (size === 0) break;
      blocks.push(buffer.subarray(block + 1, block + 1 + size));
      block += 1 + size;
    }
    texts.push(Buffer.concat(blocks).subarray(0, MAX_COMMENT));
    if (texts.length > MAX_COMMENTS) break;
  }
  return texts;
}

const MAX_COMMENTS = 200;
const MAX_COMMENT = 64 * 1024;
