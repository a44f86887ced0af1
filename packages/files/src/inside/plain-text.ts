import { isUtf8 } from 'node:buffer';

/** Text in one of the encodings that people save files in, and the way back. */
export interface PlainText {
  readonly text: string;
  /** Other text in the same encoding. */
  encode(text: string): Uint8Array;
}

/** The bytes as text, when they are text as a whole; undefined for anything else. */
export function readPlainText(bytes: Uint8Array): PlainText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [first, second] = buffer;
  const wide = utf32(buffer);
  if (wide !== undefined) return wide;
  if (first === 0xff && second === 0xfe) return utf16(buffer, 2, 'le');
  if (first === 0xfe && second === 0xff) return utf16(buffer, 2, 'be');
  if (isUtf8(buffer)) return isText(buffer) ? utf8(buffer) : utf16Unmarked(buffer);
  return utf16Unmarked(buffer) ?? (isText(buffer) ? latin1(buffer) : undefined);
}

const utf8 = (buffer: Buffer): PlainText => ({
  text: buffer.toString('utf8'),
  encode: (text) => Buffer.from(text, 'utf8'),
});

const latin1 = (buffer: Buffer): PlainText => ({
  text: buffer.toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
});

function utf16(buffer: Buffer, from: number, order: 'le' | 'be'): PlainText | undefined {
  const mark = buffer.subarray(0, from);
  const body = Buffer.from(buffer.subarray(from, buffer.length - ((buffer.length - from) % 2)));
  // Half of a character at the end may be the end of a word.
  if (from + body.length < buffer.length) return undefined;
  const text = (order === 'le' ? body : body.swap16()).toString('utf16le');
  if (CONTROL.test(text)) return undefined;
  return {
    text,
    encode(words) {
      const written = Buffer.from(words, 'utf16le');
      return Buffer.concat([mark, order === 'le' ? written : written.swap16()]);
    },
  };
}

/** Four bytes a character: three of them are zero in plain words, whether a mark says so or not. */
function utf32(buffer: Buffer): PlainText | undefined {
  if (buffer.length < 4 || buffer.length % 4 !== 0) return undefined;
  const order =
    buffer[0] === 0 && buffer[1] === 0 ? 'be' : buffer[2] === 0 && buffer[3] === 0 ? 'le' : undefined;
  if (order === undefined) return undefined;
  const codes: number[] = [];
  for (let at = 0; at < buffer.length; at += 4) {
    const code = order === 'be' ? buffer.readUInt32BE(at) : buffer.readUInt32LE(at);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    codes.push(code);
  }
  const text = codes.map((code) => String.fromCodePoint(code)).join('');
  const isMarked = text.startsWith('\ufeff');
  if (CONTROL.test(text) || (!isMarked && buffer.length < 12)) return undefined;
  return {
    text,
    encode(words) {
      const chars = [...words];
      const written = Buffer.alloc(4 * chars.length);
      chars.forEach((char, at) => {
        const code = char.codePointAt(0) ?? 0;
        if (order === 'be') written.writeUInt32BE(code, 4 * at);
        else written.writeUInt32LE(code, 4 * at);
      });
      return written;
    },
  };
}

/** Text that does not say how it is encoded: every second byte of plain words is zero. */
function utf16Unmarked(buffer: Buffer): PlainText | undefined {
  const sample = buffer.subarray(0, 4096);
  if (sample.length < 4) return undefined;
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const half = sample.length / 2;
  if ((zeros[1] ?? 0) > half * 0.7 && zeros[0] === 0) return utf16(buffer, 0, 'le');
  return (zeros[0] ?? 0) > half * 0.7 && zeros[1] === 0 ? utf16(buffer, 0, 'be') : undefined;
}

/** No byte that text does not have. */
function isText(buffer: Buffer): boolean {
  for (const byte of buffer) if (NOT_TEXT[byte] === 1) return false;
  return true;
}

/** Control characters but tab, line breaks, form feed and escape. */
const NOT_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte < 32 && ![9, 10, 12, 13, 27].includes(byte)) || byte === 127 ? 1 : 0,
);
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\ufffe\uffff]/;
