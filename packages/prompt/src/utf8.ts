const encoder = new TextEncoder();

/** The length of well-formed text in UTF-8 bytes. */
export const utf8Length = (text: string): number => encoder.encode(text).length;

/**
 * The UTF-8 byte offset of UTF-16 offsets of `text`, asked for in growing order: each stretch of the text is
 * measured once, however many offsets are asked for.
 */
export function byteOffsets(text: string): (at: number) => number {
  let unit = 0;
  let bytes = 0;
  return (at) => {
    bytes += utf8Length(text.slice(unit, at));
    unit = at;
    return bytes;
  };
}

/** The UTF-16 offset of the character that holds byte `byte`; undefined past the end. */
export function unitOffset(text: string, byte: number): number | undefined {
  let bytes = 0;
  for (let unit = 0; unit < text.length; ) {
    const code = text.codePointAt(unit) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (byte < bytes) return unit;
    unit += code > 0xffff ? 2 : 1;
  }
  return undefined;
}
