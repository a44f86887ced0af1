import { isAscii } from '../fmt/bytes.js';

/** Turns an index in UTF-16 units into one in bytes. */
export type ByteOffset = (index: number) => number;

/** The byte offsets of a text: one table for text beyond ASCII, nothing to keep otherwise. */
export function byteOffsets(text: string): ByteOffset {
  const table = byteTable(text);
  return table === undefined ? (index) => index : (index) => table[index] as number;
}

/** The byte offset of every index; undefined for text of ASCII alone, where both are the same. */
export function byteTable(text: string): Uint32Array | undefined {
  if (isAscii(text)) return undefined;
  const table = new Uint32Array(text.length + 1);
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number;
    table[at++] = bytes;
    bytes += sizeOf(code);
    if (code > 0xffff) table[at++] = bytes;
  }
  table[text.length] = bytes;
  return table;
}

/** Bytes of a code point; a unit that stands for one byte is one. */
function sizeOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  return code >= 0xdc80 && code <= 0xdcff ? 1 : 3;
}

/** The line, from 1, of an index in UTF-16 units. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The line, from 1, and the column in bytes, from 0, of a byte. */
export function locate(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  let bytes = 0;
  for (let at = 0; at < text.length && bytes < offset; ) {
    const code = text.codePointAt(at) as number;
    at += code > 0xffff ? 2 : 1;
    bytes += sizeOf(code);
    if (code === 10) {
      line++;
      lineStart = bytes;
    }
  }
  return { line, column: offset - lineStart };
}
